import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { moment } from '#shared/query-schemas.ts'

export const goals = ['SELL_MORE', 'WASTE_LESS', 'SAVE_TIME'] as const
export const experiences = ['NEW', 'SOME', 'EXPERT'] as const
export const catalogueSizes = ['FEW', 'DOZENS', 'HUNDREDS'] as const

const answers = v.strictObject({
  goal: v.nullable(v.picklist(goals)),
  experience: v.nullable(v.picklist(experiences)),
  catalogueSize: v.nullable(v.picklist(catalogueSizes)),
  /** Whether Home still suggests what to do first. */
  showsSteps: v.boolean(),
})
export type SurveyAnswers = v.InferOutput<typeof answers>

export const surveyEndpoints = {
  answer: defineEndpoint({
    method: 'POST',
    path: '/onboarding-survey',
    access: 'account',
    authority: 'MEMBER',
    summary: 'Answer the questions after the registration, or skip them; later answers replace earlier ones',
    status: 204,
    body: answers,
    response: v.null(),
  }),
  read: defineEndpoint({
    method: 'GET',
    path: '/onboarding-survey',
    access: 'account',
    summary: 'What the user answered; `answeredAt` is null before that',
    response: v.object({ ...answers.entries, answeredAt: v.nullable(moment) }),
  }),
}

/** What Home can suggest to somebody who has just begun. */
export type FirstStep = 'CREATE_CAMPAIGN' | 'FIND_WASTE' | 'ENTER_COSTS' | 'TURN_ON_PUSH'

const orderByGoal: Record<(typeof goals)[number], readonly FirstStep[]> = {
  SELL_MORE: ['CREATE_CAMPAIGN', 'ENTER_COSTS', 'FIND_WASTE', 'TURN_ON_PUSH'],
  WASTE_LESS: ['FIND_WASTE', 'ENTER_COSTS', 'TURN_ON_PUSH', 'CREATE_CAMPAIGN'],
  SAVE_TIME: ['TURN_ON_PUSH', 'FIND_WASTE', 'CREATE_CAMPAIGN', 'ENTER_COSTS'],
}
const mostSteps = 3

/** What to suggest first, by the answers; nothing to who skipped the goal or wants no suggestions. */
export function firstSteps({ goal, experience, showsSteps }: SurveyAnswers): FirstStep[] {
  if (!showsSteps || goal === null) return []
  const order = orderByGoal[goal]
  // The search terms of campaigns that do not exist yet tell a beginner nothing.
  const steps = experience === 'NEW' ? [...order.filter(step => step !== 'FIND_WASTE'), 'FIND_WASTE' as const] : order
  return steps.slice(0, mostSteps)
}
