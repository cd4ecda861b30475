import { listSearchTerms } from '#features/search-terms/server/public.ts'
import { type Route, route } from '#server/http/route.ts'
import { hourlyEndpoints } from '../hourly-contract.ts'
import { asinEndpoints } from '../asin-contract.ts'
import { chartAsins, exportAsins, listAsins } from './asin-performance/asin-performance.ts'
import { keywordEndpoints as keywords } from '../keyword-contract.ts'
import { exportHours } from './hourly/export-hours.ts'
import { readHeatmap } from './hourly/hours-of-week.ts'
import { exportImpact, exportTopKeywords, exportUnderperforming } from './keywords/export-keywords.ts'
import { listTopKeywords } from './keywords/keyword-rows.ts'
import { listNegativeImpact } from './keywords/negative-impact.ts'
import { listUnderperforming } from './keywords/underperforming.ts'

const cached = { cached: true }
// A file reads all that match.
const heavy = { rateLimit: { max: 20, windowSeconds: 60 } }

/** The calls of every page of insights, each with its own contract. */
export const insightsRoutes: Route[] = [
  route(hourlyEndpoints.heatmap, (ctx, { query }) => readHeatmap(ctx, query), cached),
  route(asinEndpoints.list, (ctx, { query }) => listAsins(ctx, query), cached),
  route(asinEndpoints.chart, (ctx, { query }) => chartAsins(ctx, query), cached),
  route(asinEndpoints.exported, (ctx, { query }) => exportAsins(ctx, query)),
  route(hourlyEndpoints.exported, (ctx, { query }) => exportHours(ctx, query)),
  route(keywords.topTerms, (ctx, { query }) => listSearchTerms(ctx, { ...query, orders: 'WITH' }), cached),
  route(keywords.topKeywords, (ctx, { query }) => listTopKeywords(ctx, query), cached),
  route(keywords.underperforming, (ctx, { query }) => listUnderperforming(ctx, query), cached),
  route(keywords.negativeImpact, (ctx, { query }) => listNegativeImpact(ctx, query), cached),
  route(keywords.exportKeywords, (ctx, { query }) => exportTopKeywords(ctx, query), heavy),
  route(keywords.exportUnderperforming, (ctx, { query }) => exportUnderperforming(ctx, query), heavy),
  route(keywords.exportImpact, (ctx, { query }) => exportImpact(ctx, query), heavy),
]
