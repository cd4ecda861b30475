import { type Route, route } from '#server/http/route.ts'
import { onboardingEndpoints as endpoints } from '../contract.ts'
import { listActiveSeeding } from './seeding.ts'
import { retrySeeding } from './seeding.ts'
import { surveyEndpoints as survey } from '../survey-contract.ts'
import { answerSurvey, readSurvey } from './survey.ts'

export const onboardingRoutes: Route[] = [
  route(survey.read, readSurvey),
  route(survey.answer, (ctx, { body }) => answerSurvey(ctx, body)),
  route(endpoints.activeSeeding, ctx => listActiveSeeding(ctx)),
  route(endpoints.retrySeeding, (ctx, { params }) => retrySeeding(ctx, params.id), {
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
]
