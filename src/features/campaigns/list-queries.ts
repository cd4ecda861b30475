import * as v from 'valibot'
import { adFields, adGroupFields, campaignFields, negativeFields, targetFields } from '#features/structure/contract.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { sortNames } from '#shared/fields.ts'
import { metricNames } from '#shared/metrics.ts'
import { day, paging, queryId, sortDir } from '#shared/query-schemas.ts'

const name = v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters')))

export const stateFilter = v.picklist(['ALL', 'ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'], 'Must be a state or ALL')
export type StateFilter = v.InferOutput<typeof stateFilter>

const adType = v.picklist(adTypes, 'Must be an ad type')
export const matchType = v.picklist(['EXACT', 'PHRASE', 'BROAD'], 'Must be a match type')

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
export const negativeColumns = sortNames(negativeFields)
export type RowColumn =
  | (typeof campaignColumns)[number]
  | (typeof adGroupColumns)[number]
  | (typeof adColumns)[number]
  | (typeof targetColumns)[number]

interface Range {
  dateFrom?: string | undefined
  dateTo?: string | undefined
}
const goodRange = ({ dateFrom, dateTo }: Range): boolean =>
  !dateFrom || !dateTo || (dateFrom <= dateTo && Date.parse(dateTo) - Date.parse(dateFrom) < 400 * 86_400_000)
const rangeWords = 'The first day must not come after the last, and at most 400 days can be asked for'

const campaignFilter = {
  name,
  state,
  adType: v.optional(adType),
  /** Only this campaign, by our id. */
  campaignId: v.optional(queryId),
  ...range,
}
const adGroupFilter = { ...campaignFilter, adGroupId: v.optional(queryId) }

export const campaignsQuery = v.pipe(
  v.strictObject({ ...paging, ...campaignFilter, ...sorted(campaignColumns, 'cost') }),
  v.check(q => goodRange(q), rangeWords),
)
export const campaignChartQuery = v.pipe(
  v.strictObject(campaignFilter),
  v.check(q => goodRange(q), rangeWords),
)
export const adGroupsQuery = v.pipe(
  v.strictObject({ ...paging, ...adGroupFilter, ...sorted(adGroupColumns, 'cost') }),
  v.check(q => goodRange(q), rangeWords),
)
export const adGroupChartQuery = v.pipe(
  v.strictObject(adGroupFilter),
  v.check(q => goodRange(q), rangeWords),
)
export const rangeQuery = v.pipe(
  v.strictObject(range),
  v.check(q => goodRange(q), rangeWords),
)
export const adsQuery = v.pipe(
  v.strictObject({
    ...paging,
    adGroupId: v.optional(queryId),
    campaignId: v.optional(queryId),
    name,
    state,
    type: v.optional(adType),
    ...range,
    ...sorted(adColumns, 'cost'),
  }),
  v.check(q => goodRange(q), rangeWords),
)
const targetFilter = { adGroupId: v.optional(queryId), campaignId: v.optional(queryId), state, ...range }
export const keywordsQuery = v.pipe(
  v.strictObject({
    ...paging,
    ...targetFilter,
    keywordText: name,
    matchType: v.optional(matchType),
    type: v.optional(adType),
    ...sorted(targetColumns, 'cost'),
  }),
  v.check(q => goodRange(q), rangeWords),
)
export const targetsQuery = v.pipe(
  v.strictObject({
    ...paging,
    ...targetFilter,
    name,
    type: v.optional(v.picklist(['PRODUCT', 'AUTO'], 'Must be PRODUCT or AUTO')),
    ...sorted(targetColumns, 'cost'),
  }),
  v.check(q => goodRange(q), rangeWords),
)
export const negativesQuery = v.strictObject({
  ...paging,
  campaignId: v.optional(queryId),
  /** With it only the ad group's own; the campaign's hold for it too. */
  adGroupId: v.optional(queryId),
  /** CAMPAIGN: only those that hold for a whole campaign; AD_GROUP: only those of one ad group. */
  level: v.optional(v.picklist(['CAMPAIGN', 'AD_GROUP'], 'Must be CAMPAIGN or AD_GROUP')),
  name,
  state,
  sortBy: v.optional(v.picklist(negativeColumns, 'Must be a column of the row'), 'text'),
  sortDir: v.optional(v.picklist(['asc', 'desc']), 'asc'),
})
