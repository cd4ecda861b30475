import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { metricNames } from '#shared/metrics.ts'
import {
  day,
  dayRange,
  dayRangeMessage,
  id,
  isDayRange,
  pageOf,
  paging,
  queryId,
  queryInt,
  sortDir,
} from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'

export {
  acosLimit,
  clicksNeeded,
  judgeKeyword,
  type JudgedSums,
  type KeywordStandard,
  type KeywordTest,
  keywordTests,
  maxCpcMicros,
  spendAllowed,
  type Verdict,
  verdictThresholds,
} from './keyword-verdicts.ts'
export { clicksToBeSure, expectedCvr, isAsin } from './rules.ts'

/** NEW: neither an exact keyword nor a negative is there for the term. */
export const coverages = ['NEW', 'KEYWORD', 'NEGATIVE'] as const
export type Coverage = (typeof coverages)[number]

/** A clause that covers a term or brought it in. */
const clause = v.object({ id, text: v.string(), matchType: v.nullable(v.string()), kind: v.string() })

export const searchTerm = v.object({
  term: v.string(),
  /** TERM: words. PRODUCT: the page of a product, by its ASIN. */
  kind: v.picklist(['TERM', 'PRODUCT']),
  campaignId: id,
  campaignName: v.string(),
  adGroupId: id,
  adGroupName: v.string(),
  adType: v.string(),
  ...figureEntries,
  currency: v.string(),
  coverage: v.picklist(coverages),
  /** The keyword or negative that covers the term; null where it is NEW. */
  coveredBy: v.nullable(
    v.object({ ...clause.entries, adGroupId: v.nullable(id), campaignId: id, campaignName: v.string() }),
  ),
  /** Which keywords, targets or automatic groups brought the term in; at most three. */
  matchedBy: v.array(clause),
  /** How likely negating would be a mistake, in percent, by the settled days; null for a term with orders or without clicks. */
  mistakeChance: v.nullable(v.number()),
  /** How many clicks without an order the term needs for that chance to fall below 10 %. */
  clicksToBeSure: v.number(),
  /** Its clicks on days that no longer change: those that the chance is worked out from. */
  settledClicks: v.number(),
})
export type SearchTerm = v.InferOutput<typeof searchTerm>

export const searchTermSorts = ['term', ...metricNames] as const
export const searchTermWordSorts = ['words', 'terms', 'waste', ...metricNames] as const

const filter = {
  searchTermName: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters'))),
  /** Only terms that contain these words in a row: "free shipping" finds "free shipping bottle", not "freedom". */
  words: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters'))),
  campaignId: v.optional(queryId),
  adType: v.optional(v.picklist(['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'], 'Must be an ad type')),
  coverage: v.optional(v.picklist(coverages, 'Must be NEW, KEYWORD or NEGATIVE')),
  /** WITH: only terms with orders; WITHOUT: only those without. */
  orders: v.optional(v.picklist(['WITH', 'WITHOUT'], 'Must be WITH or WITHOUT')),
  minClicks: v.optional(queryInt),
  ...dayRange,
}
const order = {
  sortBy: v.optional(v.picklist(searchTermSorts, 'Must be a column of the row'), 'cost'),
  sortDir,
}

const page = v.object({
  ...pageOf(searchTerm).entries,
  currency: v.string(),
  dateFrom: day,
  dateTo: day,
  /** Sums of all terms that match. Terms without a click are not reported, so impressions are fewer than the ad group's. */
  totals: v.object(figureEntries),
  freshness,
})

export const searchTermWord = v.object({
  words: v.string(),
  /** How many different terms contain them. */
  terms: v.number(),
  ...figureEntries,
  /** Spent on those of the terms that brought no order. */
  waste: money,
})
export type SearchTermWord = v.InferOutput<typeof searchTermWord>

/** The columns of exported terms besides the metrics, in the usual order. */
export const searchTermColumns = {
  term: { label: 'Search term', unit: 'text' },
  campaignName: { label: 'Campaign', unit: 'text' },
  adGroupName: { label: 'Ad group', unit: 'text' },
  adType: { label: 'Ad type', unit: 'text' },
  coverage: { label: 'Coverage', unit: 'text' },
  coveredBy: { label: 'Covered by', unit: 'text' },
  matchedBy: { label: 'Matched by', unit: 'text' },
  mistakeChance: { label: 'Mistake to negate', unit: 'percent' },
  clicksToBeSure: { label: 'Clicks to be sure', unit: 'count' },
} as const

export const searchTermEndpoints = {
  ofAdGroup: defineEndpoint({
    method: 'GET',
    path: '/ads/search-terms/ad-group/:adGroupId',
    access: 'subscription',
    summary: 'What shoppers searched before they saw the ads of one ad group, with figures',
    params: v.strictObject({ adGroupId: queryId }),
    query: v.pipe(
      v.strictObject({ ...paging, ...filter, ...order }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: page,
    errors: ['RULE_VIOLATED', 'NOT_FOUND'],
  }),
  ofAccount: defineEndpoint({
    method: 'GET',
    path: '/search-terms/cm',
    access: 'subscription',
    summary: 'The search terms of all ad groups with figures, and whether a keyword or negative covers them',
    query: v.pipe(
      v.strictObject({ ...paging, ...filter, adGroupId: v.optional(queryId), ...order }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: page,
    errors: ['RULE_VIOLATED'],
  }),
  file: defineEndpoint({
    ...exportEndpoint,
    path: '/search-terms/cm/export',
    summary: 'All search terms that match, as CSV or XLSX',
    query: v.pipe(
      v.strictObject({
        ...filter,
        adGroupId: v.optional(queryId),
        ...order,
        ...exportQuery([...Object.keys(searchTermColumns), ...metricNames]),
      }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    errors: ['RULE_VIOLATED'],
  }),
  words: defineEndpoint({
    method: 'GET',
    path: '/search-terms/words',
    access: 'subscription',
    summary: 'Words, or runs of two or three words, summed over all search terms that contain them',
    query: v.pipe(
      v.strictObject({
        ...paging,
        ...filter,
        adGroupId: v.optional(queryId),
        length: v.optional(v.pipe(queryInt, v.minValue(1, 'Must be 1 to 3'), v.maxValue(3, 'Must be 1 to 3')), 1),
        sortBy: v.optional(v.picklist(searchTermWordSorts, 'Must be a column of the row'), 'waste'),
        sortDir,
      }),
      v.check(q => isDayRange(q), dayRangeMessage),
    ),
    response: v.object({
      ...pageOf(searchTermWord).entries,
      currency: v.string(),
      dateFrom: day,
      dateTo: day,
      freshness,
    }),
    errors: ['RULE_VIOLATED'],
  }),
}

export {
  type Harvested,
  harvestEndpoints,
  type HarvestItem,
  harvestMatchTypes,
  MAX_HARVEST,
  type SuggestedBid,
} from './harvest-contract.ts'
