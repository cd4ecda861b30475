import { type Route, route } from '#server/http/route.ts'
import { homeEndpoints } from '../contract.ts'
import { startEndpoint } from '../start-contract.ts'
import { exportBreakdown, exportCards, exportPerformance } from './export-home.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getBudgets } from './get-budgets.ts'
import { getCards } from './get-cards.ts'
import { getPerformance } from './get-performance.ts'
import { getStart } from './get-start.ts'
import { getWhy } from './get-why.ts'

const file = { rateLimit: { max: 20, windowSeconds: 60 } }

export const homeRoutes: Route[] = [
  route(startEndpoint, (ctx, { query }) => getStart(ctx, query)),
  route(homeEndpoints.cards, (ctx, { query }) => getCards(ctx, query), { cached: true }),
  // Of all the user's merchants, so that no version of one says whether it still holds.
  route(homeEndpoints.breakdown, (ctx, { query }) => getBreakdown(ctx, query)),
  route(homeEndpoints.performance, (ctx, { query }) => getPerformance(ctx, query), { cached: true }),
  route(homeEndpoints.budgets, ctx => getBudgets(ctx), { cached: true }),
  route(homeEndpoints.why, (ctx, { query }) => getWhy(ctx, query), { cached: true }),
  route(homeEndpoints.cardsFile, (ctx, { query }) => exportCards(ctx, query), file),
  route(homeEndpoints.breakdownFile, (ctx, { query }) => exportBreakdown(ctx, query), file),
  route(homeEndpoints.performanceFile, (ctx, { query }) => exportPerformance(ctx, query), file),
]
