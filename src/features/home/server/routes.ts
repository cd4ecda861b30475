import { type Route, route } from '#server/http/route.ts'
import { homeEndpoints } from '../contract.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getBudgets } from './get-budgets.ts'
import { getCards } from './get-cards.ts'
import { getPerformance } from './get-performance.ts'
import { getWhy } from './get-why.ts'

export const homeRoutes: Route[] = [
  route(homeEndpoints.cards, (ctx, { query }) => getCards(ctx, query), { cached: true }),
  // Of all the user's merchants, so that no version of one says whether it still holds.
  route(homeEndpoints.breakdown, (ctx, { query }) => getBreakdown(ctx, query)),
  route(homeEndpoints.performance, (ctx, { query }) => getPerformance(ctx, query), { cached: true }),
  route(homeEndpoints.budgets, ctx => getBudgets(ctx), { cached: true }),
  route(homeEndpoints.why, (ctx, { query }) => getWhy(ctx, query), { cached: true }),
]
