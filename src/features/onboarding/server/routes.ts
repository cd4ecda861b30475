import { type Route, route } from '#server/http/route.ts'
import { onboardingEndpoints as endpoints } from '../contract.ts'
import { listActiveSeeding } from './seeding.ts'
import { retrySeeding } from './seeding.ts'

export const onboardingRoutes: Route[] = [
  route(endpoints.activeSeeding, ctx => listActiveSeeding(ctx)),
  route(endpoints.retrySeeding, (ctx, { params }) => retrySeeding(ctx, params.id), {
    rateLimit: { max: 20, windowSeconds: 60 },
  }),
]
