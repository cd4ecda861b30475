import * as v from 'valibot'
import { adFields, adGroupFields, campaignFields, negativeFields, targetFields } from '#features/structure/contract.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { sortNames } from '#shared/fields.ts'
import { metricNames } from '#shared/metrics.ts'
import { dayRange, dayRangeMessage, isDayRange, paging, queryBoolean, queryId, sortDir } from '#shared/query-schemas.ts'
import { servingKinds } from '#shared/serving-status.ts'
import { figureFilter } from './figure-filter.ts'

const name = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters')))

export const matchTypes = ['EXACT', 'PHRASE', 'BROAD'] as const
/** A kind of serving status, or STOPPED: enabled, and yet not shown. */
export const servingFilters = ['STOPPED', ...servingKinds] as const

const stateFilter = v.picklist(['ALL', 'ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'], 'Must be a state or ALL')

const adType = v.picklist(adTypes, 'Must be an ad type')

const state = v.optional(stateFilter, 'ALL')
const matchType = v.optional(v.picklist(matchTypes, 'Must be a match type'))

function sorted<const C extends string>(columns: readonly C[], by: C) {
  return {
    sortBy: v.optional(v.picklist(columns, 'Must be a column of the row'), by),
    sortDir,
  }
}

export const campaignColumns = [...sortNames(campaignFields), ...metricNames]
export const adGroupColumns = [...sortNames(adGroupFields), ...metricNames]
export const adColumns = [...sortNames(adFields), ...metricNames]
export const targetColumns = [...sortNames(targetFields), ...metricNames]
const negativeColumns = sortNames(negativeFields)
export type RowColumn =
  | (typeof campaignColumns)[number]
  | (typeof adGroupColumns)[number]
  | (typeof adColumns)[number]
  | (typeof targetColumns)[number]

/** A query with days, which are checked together. */
const ranged = <E extends v.ObjectEntries>(entries: E) =>
  v.pipe(
    v.strictObject({ ...dayRange, ...entries }),
    v.check(query => isDayRange(query), dayRangeMessage),
  )

/** Only what belongs to this campaign or ad group, by our ids. */
const parents = { campaignId: v.optional(queryId), adGroupId: v.optional(queryId) }
/** What every list of rows with figures can be narrowed to. */
const common = {
  state,
  /** Why rows are shown or not; STOPPED: enabled, and yet not shown. */
  serving: v.optional(v.picklist(servingFilters, 'Must be a reason why ads are shown or not')),
  /** By figures of the days: `acos>40,orders<=0`. */
  figures: v.optional(figureFilter),
}
const campaignFilter = {
  ...common,
  name,
  adType: v.optional(adType),
  campaignId: parents.campaignId,
}
const adGroupFilter = { ...campaignFilter, ...parents }
const campaignsFilter = {
  ...campaignFilter,
  targetingType: v.optional(v.picklist(['AUTO', 'MANUAL'], 'Must be AUTO or MANUAL')),
  /** The marketplace's id; NONE: in no portfolio. */
  portfolioId: v.optional(v.pipe(v.string(), v.maxLength(40, 'At most 40 characters'))),
  /** Only those that a launch of the last three days created. */
  launched: v.optional(queryBoolean),
  /** Only those that advertise this product. */
  asin: v.optional(v.pipe(v.string(), v.regex(/^[A-Z0-9]{10}$/, 'Must be an ASIN of 10 characters'))),
}

export const rangeQuery = ranged({})
export const campaignsQuery = ranged({ ...paging, ...campaignsFilter, ...sorted(campaignColumns, 'cost') })
export const campaignChartQuery = ranged(campaignsFilter)
export const adGroupsQuery = ranged({ ...paging, ...adGroupFilter, ...sorted(adGroupColumns, 'cost') })
export const adGroupChartQuery = ranged(adGroupFilter)
export const adsQuery = ranged({
  ...paging,
  ...parents,
  ...common,
  name,
  type: v.optional(adType),
  ...sorted(adColumns, 'cost'),
})
export const keywordsQuery = ranged({
  ...paging,
  ...parents,
  ...common,
  keywordText: name,
  matchType,
  type: v.optional(adType),
  ...sorted(targetColumns, 'cost'),
})
export const targetsQuery = ranged({
  ...paging,
  ...parents,
  ...common,
  name,
  type: v.optional(v.picklist(['PRODUCT', 'AUTO', 'AUDIENCE'], 'Must be PRODUCT, AUTO or AUDIENCE')),
  adType: v.optional(adType),
  ...sorted(targetColumns, 'cost'),
})
export const negativesQuery = v.strictObject({
  ...paging,
  /** With an ad group only its own; the campaign's hold for it too. */
  ...parents,
  /** CAMPAIGN: only those that hold for a whole campaign; AD_GROUP: only those of one ad group. */
  level: v.optional(v.picklist(['CAMPAIGN', 'AD_GROUP'], 'Must be CAMPAIGN or AD_GROUP')),
  adType: v.optional(adType),
  kind: v.optional(v.picklist(['KEYWORD', 'PRODUCT'], 'Must be KEYWORD or PRODUCT')),
  /** Those that the marketplace has, has not accepted yet, or has rejected. */
  syncState: v.optional(v.picklist(['SYNCED', 'PENDING', 'FAILED'], 'Must be SYNCED, PENDING or FAILED')),
  name,
  state: v.optional(
    v.picklist([...stateFilter.options, 'NOT_ARCHIVED'], 'Must be a state, NOT_ARCHIVED or ALL'),
    'ALL',
  ),
  sortBy: v.optional(v.picklist(negativeColumns, 'Must be a column of the row'), 'text'),
  sortDir: v.optional(v.picklist(['asc', 'desc']), 'asc'),
})
