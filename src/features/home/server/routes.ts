import { type Route, route } from '#server/http/route.ts'
import { homeEndpoints } from '../contract.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getCards } from './get-cards.ts'
import { getPerformance } from './get-performance.ts'

export const homeRoutes: Route[] = [
  route(homeEndpoints.cards, (ctx, { query }) => getCards(ctx, query), { cached: true }),
  route(homeEndpoints.breakdown, (ctx, { query }) => getBreakdown(ctx, query), { cached: true }),
  route(homeEndpoints.performance, (ctx, { query }) => getPerformance(ctx, query), { cached: true }),
]
