import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { day, dayRange, dayRangeMessage, isDayRange, pageOf, paging, sortDir } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { type AsinColumn, asinColumns, asinFigureNames } from './asin-columns.ts'

const nullableMoney = v.nullable(money)
const count = v.nullable(v.number())

/** The figures of a product besides those of its ads; null where they are unknown. */
const tradeEntries = {
  /** With or without an ad. */
  totalSales: nullableMoney,
  totalUnits: count,
  /** Ad spend against all sales. */
  tacos: count,
  /** After cost of goods, fees and ads. */
  profit: nullableMoney,
}

/** Why a profit is unknown: the cost of goods, the fees, or the sales by product of a day are missing. */
const profitUnknown = v.nullable(v.picklist(['COGS', 'FEES', 'SALES']))

const asinRow = v.object({
  asin: v.string(),
  /** Null for a product that is no longer in the catalogue. */
  title: v.nullable(v.string()),
  imageUrl: v.nullable(v.string()),
  ...figureEntries,
  ...tradeEntries,
  profitUnknown,
  /** Pieces in stock of all its skus now. */
  available: count,
  /** For how many days they last at the pace of the last 14 days; null when unknown or nothing was sold. */
  coverDays: count,
  /** The same figures over the period before. */
  previous: v.object({
    cost: money,
    sales: money,
    totalSales: nullableMoney,
    totalUnits: count,
    acos: count,
    tacos: count,
  }),
  /** Total sales of each day, or those by ads where the total ones are unknown. */
  trend: v.array(v.number()),
})
export type AsinRow = v.InferOutput<typeof asinRow>

const sums = v.object({ ...figureEntries, ...tradeEntries })
const range = {
  ...dayRange,
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'Must be at most 200 characters'))),
}
const listQuery = {
  ...range,
  sortBy: v.optional(v.picklist(asinColumns as readonly AsinColumn[], 'Must be a column of the list'), 'cost'),
  sortDir,
}
const days = { currency: v.string(), dateFrom: day, dateTo: day, freshness }

const asinPage = v.object({
  ...pageOf(asinRow).entries,
  ...days,
  previousFrom: day,
  previousTo: day,
  /** Of all products that match. Its profit counts the products whose costs are complete, at all ad spend. */
  totals: sums,
  /** Products that sold while a cost was missing: the profit of the totals leaves them out. */
  missingCosts: v.number(),
  /**
   * What belongs to no single product: ads that show several (Sponsored Brands), and sales that the marketplace names no
   * product for. With the totals it is what Home shows. Null while a search narrows the list, and where there is none.
   */
  unassigned: v.nullable(v.object({ ...figureEntries, totalSales: nullableMoney })),
})
export type AsinPage = v.InferOutput<typeof asinPage>

const asinChart = v.object({
  ...days,
  points: v.array(
    v.object({ date: day, ...figureEntries, totalSales: nullableMoney, totalUnits: count, tacos: count }),
  ),
  events: v.array(
    v.object({
      date: day,
      asin: v.string(),
      title: v.nullable(v.string()),
      kind: v.picklist(['OUT_OF_STOCK', 'BACK_IN_STOCK', 'PRICE_CHANGED']),
      before: count,
      after: count,
    }),
  ),
})
export type AsinChart = v.InferOutput<typeof asinChart>

const reads = { method: 'GET', access: 'subscription', errors: ['RULE_VIOLATED'] } as const
const inOrder = <T extends Parameters<typeof isDayRange>[0]>() =>
  v.check((request: T) => isDayRange(request), dayRangeMessage)

export const asinEndpoints = {
  list: defineEndpoint({
    ...reads,
    path: '/performance-reports/asin-performance',
    summary: 'The products of the current marketplace with ad and total sales, profit, stock and days of cover',
    query: v.pipe(v.strictObject({ ...listQuery, ...paging }), inOrder()),
    response: asinPage,
  }),
  chart: defineEndpoint({
    ...reads,
    path: '/performance-reports/asin-performance/chart',
    summary: 'Ad and total sales day by day, of one product or of all that match, with stock-outs and new prices',
    query: v.pipe(
      v.strictObject({
        ...range,
        asin: v.optional(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/, 'Must be an ASIN of 10 characters'))),
      }),
      inOrder(),
    ),
    response: asinChart,
  }),
  exported: defineEndpoint({
    ...exportEndpoint,
    path: '/performance-reports/asin-performance/export',
    summary: 'All products that match with their figures, as CSV or XLSX',
    query: v.pipe(v.strictObject({ ...listQuery, ...exportQuery(asinFigureNames) }), inOrder()),
    errors: reads.errors,
  }),
}
