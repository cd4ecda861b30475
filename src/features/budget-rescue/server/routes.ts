import { type Route, route } from '#server/http/route.ts'
import { budgetRescueEndpoints as endpoints } from '../contract.ts'
import { readAdvice } from './evidence.ts'
import { raiseBudget, revertRaise } from './rescue.ts'

// It may cost a call of the marketplace's own quota.
const rateLimit = { max: 120, windowSeconds: 60 }

export const budgetRescueRoutes: Route[] = [
  route(endpoints.read, (ctx, { params }) => readAdvice(ctx, params.id), { rateLimit }),
  route(endpoints.raise, (ctx, { params, body }) => raiseBudget(ctx, params.id, body)),
  route(endpoints.revertRaise, (ctx, { params }) => revertRaise(ctx, params.id)),
]
