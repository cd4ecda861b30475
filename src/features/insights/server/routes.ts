import { type Route, route } from '#server/http/route.ts'
import { hourlyEndpoints } from '../hourly-contract.ts'
import { asinEndpoints } from '../asin-contract.ts'
import { chartAsins, exportAsins, listAsins } from './asin-performance/asin-performance.ts'
import { exportHours } from './hourly/export-hours.ts'
import { readHeatmap } from './hourly/hours-of-week.ts'

/** The calls of every page of insights, each with its own contract. */
export const insightsRoutes: Route[] = [
  route(hourlyEndpoints.heatmap, (ctx, { query }) => readHeatmap(ctx, query), { cached: true }),
  route(asinEndpoints.list, (ctx, { query }) => listAsins(ctx, query), { cached: true }),
  route(asinEndpoints.chart, (ctx, { query }) => chartAsins(ctx, query), { cached: true }),
  route(asinEndpoints.exported, (ctx, { query }) => exportAsins(ctx, query)),
  route(hourlyEndpoints.exported, (ctx, { query }) => exportHours(ctx, query)),
]
