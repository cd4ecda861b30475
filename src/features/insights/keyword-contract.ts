import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { metricNames } from '#shared/metrics.ts'
import { money } from '#shared/money.ts'
import {
  day,
  dayRange,
  dayRangeMessage,
  id,
  isDayRange,
  moment,
  pageOf,
  paging,
  sortDir,
} from '#shared/query-schemas.ts'
import { keywordTests, searchTerm, searchTermSorts } from '#features/search-terms/contract.ts'
import { negative, target } from '#features/structure/contract.ts'

/** What follows from a row: an act with its new bid, where it has one. */
const act = v.object({
  kind: v.picklist(['PAUSE', 'LOWER_BID', 'RAISE_BID', 'NONE']),
  bid: v.nullable(money),
})
export type KeywordAct = v.InferOutput<typeof act>

const keyword = v.object({
  ...target.entries,
  ...figureEntries,
  campaignName: v.string(),
  adGroupName: v.string(),
  /** What a click costs at most: the keyword's own bid, or that of its ad group. */
  effectiveBid: v.nullable(money),
  /** In percent. ACCOUNT: the campaign has none, so the account's own ACOS stands in. */
  targetAcos: v.nullable(v.number()),
  targetFrom: v.nullable(v.picklist(['CAMPAIGN', 'ACCOUNT'])),
  /** What a click may cost at the target: target × value of an order × orders per click. */
  maxCpc: v.nullable(money),
  act,
})
export type KeywordRow = v.InferOutput<typeof keyword>

const verdict = v.object({
  test: v.picklist(keywordTests),
  /** In percent; null for what is counted and not concluded: too few impressions. */
  confidence: v.nullable(v.number()),
  /** Orders per click of its products, in percent, and how many clicks without an order that makes sure. */
  productCvr: v.number(),
  clicksNeeded: v.number(),
  /** The price of an order, and what may be spent without one: price × target. */
  price: v.nullable(money),
  spendAllowed: money,
  /** The ACOS above which it is too dear, and the break-even ACOS in it; in percent. */
  acosLimit: v.nullable(v.number()),
  breakEvenAcos: v.nullable(v.number()),
  /** Fewer impressions than these. */
  impressionsNeeded: v.number(),
})
const underperforming = v.object({ ...keyword.entries, verdict })
export type UnderperformingRow = v.InferOutput<typeof underperforming>

const negativeImpact = v.object({
  id,
  version: v.number(),
  text: v.string(),
  kind: v.picklist(['KEYWORD', 'PRODUCT']),
  matchType: v.nullable(v.string()),
  /** The product or brand, as the marketplace has it; null of a keyword. */
  expression: negative.entries.expression,
  adType: v.string(),
  campaignId: id,
  campaignName: v.string(),
  /** Null: for the whole campaign. */
  adGroupId: v.nullable(id),
  adGroupName: v.nullable(v.string()),
  addedAt: moment,
  /** The person's name; null where it was no person of yours, see `origin`. */
  addedBy: v.nullable(v.string()),
  origin: v.picklist(['USER', 'MARKETPLACE', 'LAUNCH', 'RULE']),
  daysActive: v.number(),
  /** The settled days before it, and what the search terms that it keeps away did in them. */
  before: v.object({
    dateFrom: day,
    dateTo: day,
    days: v.number(),
    terms: v.number(),
    clicks: v.number(),
    orders: v.number(),
    cost: money,
    sales: money,
  }),
  /** Clicks a day of the campaign now for one then; null when it had none. */
  trafficIndex: v.nullable(v.number()),
  /** Gross profit of the orders that did not come, already taken off; at an assumed margin where costs are missing. */
  forgone: money,
  marginPercent: v.number(),
  isMarginAssumed: v.boolean(),
  /** Saved or redirected: between these two with 90 % confidence, and the middle. Below 0: the orders were worth more. */
  savedLow: money,
  saved: money,
  savedHigh: money,
  /** Held to the campaign's budget for these days. */
  isCapped: v.boolean(),
})
export type NegativeImpact = v.InferOutput<typeof negativeImpact>

const orderedBy = <const T extends readonly string[]>(columns: T, usual: T[number]) => ({
  sortBy: v.optional(v.picklist(columns, 'Must be a column of the row'), usual),
  sortDir,
})
const ranged = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.strictObject({ ...dayRange, ...entries }),
    v.check(query => isDayRange(query), dayRangeMessage),
  )
/** The days that count; null while no figures were imported. */
const settled = v.nullable(v.object({ dateFrom: day, dateTo: day }))
const reads = { method: 'GET', access: 'subscription', errors: ['RULE_VIOLATED'] } as const
const file = { ...exportEndpoint, errors: ['RULE_VIOLATED'] } as const

export const keywordSorts = metricNames
export const underperformingSorts = [...metricNames, 'confidence'] as const
export const impactSorts = [
  'saved',
  'savedLow',
  'savedHigh',
  'addedAt',
  'daysActive',
  'cost',
  'clicks',
  'orders',
] as const

const termsOrder = orderedBy(searchTermSorts, 'sales')
const keywordsOrder = orderedBy(keywordSorts, 'sales')
export const verdictColumns = ['test', 'confidence', 'clicksNeeded', 'acosLimit'] as const
const underOrder = {
  /** Without it: what fails a test of its sales. STARVED is a list of its own, because its cure is the opposite. */
  test: v.optional(v.picklist(keywordTests, 'Must be NO_SALE, TOO_DEAR or STARVED')),
  ...orderedBy(underperformingSorts, 'cost'),
}
const impactOrder = orderedBy(impactSorts, 'saved')

export const keywordColumns = [
  'text',
  'matchType',
  'campaignName',
  'adGroupName',
  'state',
  'bid',
  'maxCpc',
  ...metricNames,
] as const
export const impactColumns = [
  'text',
  'matchType',
  'campaignName',
  'adGroupName',
  'addedAt',
  'addedBy',
  'daysActive',
  'cost',
  'clicks',
  'orders',
  'savedLow',
  'saved',
  'savedHigh',
] as const

const path = '/keyword-performance'
export const keywordEndpoints = {
  topTerms: defineEndpoint({
    ...reads,
    path: `${path}/top-search-terms`,
    summary: 'The search terms that brought orders, best first, with what covers them',
    query: ranged({ ...paging, ...termsOrder }),
    response: v.object({
      ...pageOf(searchTerm).entries,
      currency: v.string(),
      dateFrom: day,
      dateTo: day,
      totals: v.object(figureEntries),
      freshness,
    }),
  }),
  topKeywords: defineEndpoint({
    ...reads,
    path: `${path}/top-keywords`,
    summary: 'The keywords and targets that were clicked, best first, with what a click of each may cost',
    query: ranged({ ...paging, ...keywordsOrder }),
    response: v.object({
      ...pageOf(keyword).entries,
      currency: v.string(),
      dateFrom: day,
      dateTo: day,
      totals: v.object(figureEntries),
      freshness,
    }),
  }),
  underperforming: defineEndpoint({
    ...reads,
    path: `${path}/underperforming-keywords`,
    summary: 'Running keywords and targets that fail a test by their settled days, with the test and its confidence',
    query: ranged({ ...paging, ...underOrder }),
    response: v.object({
      ...pageOf(underperforming).entries,
      currency: v.string(),
      days: settled,
      /** How many fail each test of their sales. */
      counts: v.object({ NO_SALE: v.number(), TOO_DEAR: v.number() }),
      freshness,
    }),
  }),
  negativeImpact: defineEndpoint({
    ...reads,
    path: `${path}/negative-keyword-impact`,
    summary:
      'What each negative saved or redirected, as a range, by what its terms cost in the 30 settled days before it',
    query: ranged({ ...paging, ...impactOrder }),
    response: v.object({
      ...pageOf(negativeImpact).entries,
      currency: v.string(),
      days: settled,
      /** Negatives without a before: it is not known when they were added, or the figures begin too late. */
      withoutDate: v.number(),
      freshness,
    }),
  }),
  exportKeywords: defineEndpoint({
    ...file,
    path: `${path}/top-keywords/export`,
    summary: 'The keywords and targets that were clicked, as CSV or XLSX',
    query: ranged({ ...keywordsOrder, ...exportQuery(keywordColumns) }),
  }),
  exportUnderperforming: defineEndpoint({
    ...file,
    path: `${path}/underperforming-keywords/export`,
    summary: 'The keywords and targets that fail a test, as CSV or XLSX',
    query: ranged({ ...underOrder, ...exportQuery([...verdictColumns, ...keywordColumns]) }),
  }),
  exportImpact: defineEndpoint({
    ...file,
    path: `${path}/negative-keyword-impact/export`,
    summary: 'What the negatives saved or redirected, as CSV or XLSX',
    query: ranged({ ...impactOrder, ...exportQuery(impactColumns) }),
  }),
}
