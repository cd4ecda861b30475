import * as v from 'valibot'
import { adFields, adGroupFields, campaignFields, negativeFields, targetFields } from '#features/structure/contract.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { sortNames } from '#shared/fields.ts'
import { metricNames } from '#shared/metrics.ts'
import { day, paging, queryId, sortDir } from '#shared/query-schemas.ts'

const name = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters')))

const stateFilter = v.picklist(['ALL', 'ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'], 'Must be a state or ALL')

const adType = v.picklist(adTypes, 'Must be an ad type')

/** Both days included; without them the last 30. */
const range = { dateFrom: v.optional(day), dateTo: v.optional(day) }
const state = v.optional(stateFilter, 'ALL')

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
    v.strictObject({ ...range, ...entries }),
    v.check(
      query => isGoodRange(query),
      'The first day must not come after the last, and at most 400 days can be asked for',
    ),
  )
function isGoodRange({ dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined }): boolean {
  return !dateFrom || !dateTo || (dateFrom <= dateTo && Date.parse(dateTo) - Date.parse(dateFrom) < 400 * 86_400_000)
}

/** Only what belongs to this campaign or ad group, by our ids. */
const parents = { campaignId: v.optional(queryId), adGroupId: v.optional(queryId) }
const campaignFilter = { name, state, adType: v.optional(adType), campaignId: parents.campaignId }
const adGroupFilter = { ...campaignFilter, ...parents }

export const rangeQuery = ranged({})
export const campaignsQuery = ranged({ ...paging, ...campaignFilter, ...sorted(campaignColumns, 'cost') })
export const campaignChartQuery = ranged(campaignFilter)
export const adGroupsQuery = ranged({ ...paging, ...adGroupFilter, ...sorted(adGroupColumns, 'cost') })
export const adGroupChartQuery = ranged(adGroupFilter)
export const adsQuery = ranged({
  ...paging,
  ...parents,
  name,
  state,
  type: v.optional(adType),
  ...sorted(adColumns, 'cost'),
})
export const keywordsQuery = ranged({
  ...paging,
  ...parents,
  state,
  keywordText: name,
  matchType: v.optional(v.picklist(['EXACT', 'PHRASE', 'BROAD'], 'Must be a match type')),
  type: v.optional(adType),
  ...sorted(targetColumns, 'cost'),
})
export const targetsQuery = ranged({
  ...paging,
  ...parents,
  state,
  name,
  type: v.optional(v.picklist(['PRODUCT', 'AUTO'], 'Must be PRODUCT or AUTO')),
  ...sorted(targetColumns, 'cost'),
})
export const negativesQuery = v.strictObject({
  ...paging,
  /** With an ad group only its own; the campaign's hold for it too. */
  ...parents,
  /** CAMPAIGN: only those that hold for a whole campaign; AD_GROUP: only those of one ad group. */
  level: v.optional(v.picklist(['CAMPAIGN', 'AD_GROUP'], 'Must be CAMPAIGN or AD_GROUP')),
  name,
  state,
  sortBy: v.optional(v.picklist(negativeColumns, 'Must be a column of the row'), 'text'),
  sortDir: v.optional(v.picklist(['asc', 'desc']), 'asc'),
})
