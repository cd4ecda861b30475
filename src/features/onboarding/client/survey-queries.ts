import { queryOptions } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { queryClient } from '#client/api/query-client.ts'
import { type SurveyAnswers, surveyEndpoints } from '../survey-contract.ts'

export const surveyQuery = () =>
  queryOptions({
    queryKey: ['onboarding-survey'],
    queryFn: ({ signal }) => call(surveyEndpoints.read, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { persist: 'idb', silent: true },
  })

export const answerSurvey = () => ({
  mutationFn: async (body: SurveyAnswers) => {
    await call(surveyEndpoints.answer, { body })
    queryClient.setQueryData(surveyQuery().queryKey, { ...body, answeredAt: new Date().toISOString() })
  },
  meta: { errorTitle: 'Your answers were not saved' },
})
