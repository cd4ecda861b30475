import * as v from 'valibot'
import { isTargetAcos, maxNameLength } from '#shared/campaign-rules.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { day, id, pageOf, queryId, queryNumber } from '#shared/query-schemas.ts'
import * as query from './list-queries.ts'
import * as row from './row-schemas.ts'
import { biddingStrategies, MAX_AD_GROUP_NAME_LENGTH, MAX_PLACEMENT_PERCENT, placements } from './rules.ts'

export type * from './row-schemas.ts'

const errors = ['RULE_VIOLATED'] as const
const writableState = v.picklist(['ENABLED', 'PAUSED'], 'Must be ENABLED or PAUSED')
/** ARCHIVED is for good: the marketplace takes nothing back from it. */
const lastingState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'], 'Must be ENABLED, PAUSED or ARCHIVED')
export type LastingState = v.InferOutput<typeof lastingState>

const percentWords = `Must be a whole number from 0 to ${MAX_PLACEMENT_PERCENT}`
export const placementPercent = v.pipe(
  v.number(percentWords),
  v.integer(percentWords),
  v.minValue(0, percentWords),
  v.maxValue(MAX_PLACEMENT_PERCENT, percentWords),
)
const placementBids = v.pipe(
  v.array(v.strictObject({ placement: v.picklist(placements, 'Must be a placement'), percentage: placementPercent })),
  v.maxLength(placements.length, 'Name each placement once'),
  v.check(list => new Set(list.map(one => one.placement)).size === list.length, 'Name each placement once'),
)
const targetAcosMessage = 'Enter a target ACOS above 0 and up to 100, in steps of 0.1, or leave it empty for none'
export const targetAcos = v.nullable(v.pipe(v.number(targetAcosMessage), v.check(isTargetAcos, targetAcosMessage)))

export const campaignListEndpoints = {
  campaigns: defineEndpoint({
    method: 'GET',
    path: '/campaign/cm',
    access: 'subscription',
    summary: 'Campaigns of the current marketplace with their figures',
    query: query.campaignsQuery,
    response: row.figuresPage(row.campaignRow),
    errors,
  }),
  adGroups: defineEndpoint({
    method: 'GET',
    path: '/adgroups/cm',
    access: 'subscription',
    summary: 'Ad groups with their figures',
    query: query.adGroupsQuery,
    response: row.figuresPage(row.adGroupRow),
    errors,
  }),
  ads: defineEndpoint({
    method: 'GET',
    path: '/ads/cm',
    access: 'subscription',
    summary: 'Advertised products with their figures',
    query: query.adsQuery,
    response: row.figuresPage(row.adRow),
    errors,
  }),
  keywords: defineEndpoint({
    method: 'GET',
    path: '/keywords/cm',
    access: 'subscription',
    summary: 'Keywords with their figures',
    query: query.keywordsQuery,
    response: row.figuresPage(row.targetRow),
    errors,
  }),
  targets: defineEndpoint({
    method: 'GET',
    path: '/targets/cm',
    access: 'subscription',
    summary: 'Product targets and automatic groups with their figures',
    query: query.targetsQuery,
    response: row.figuresPage(row.targetRow),
    errors,
  }),
  negatives: defineEndpoint({
    method: 'GET',
    path: '/negatives/cm',
    access: 'subscription',
    summary: 'What ads never meet: negative keywords and targets',
    query: query.negativesQuery,
    response: pageOf(row.negativeRow),
    errors,
  }),
  campaignChart: defineEndpoint({
    method: 'GET',
    path: '/campaign/cm/chart',
    access: 'subscription',
    summary: 'The figures of the campaigns that match, day by day',
    query: query.campaignChartQuery,
    response: row.chart,
    errors,
  }),
  adGroupChart: defineEndpoint({
    method: 'GET',
    path: '/adgroups/cm/chart',
    access: 'subscription',
    summary: 'The figures of the ad groups that match, day by day',
    query: query.adGroupChartQuery,
    response: row.chart,
    errors,
  }),
  oneAdGroupChart: defineEndpoint({
    method: 'GET',
    path: '/adgroups/:id/chart',
    access: 'subscription',
    summary: 'The figures of one ad group, day by day',
    params: v.strictObject({ id: queryId }),
    query: query.rangeQuery,
    response: row.chart,
    errors: [...errors, 'NOT_FOUND'],
  }),
}

/** What may be changed of a campaign; what is left out stays. */
export const campaignChange = v.strictObject({
  campaignId: id,
  name: v.optional(
    v.pipe(
      v.string('Campaign name is required'),
      v.trim(),
      v.nonEmpty('Campaign name is required'),
      // Vendors have fewer, which the server checks by the account.
      v.maxLength(maxNameLength.seller, `At most ${maxNameLength.seller} characters`),
    ),
  ),
  state: v.optional(lastingState),
  budget: v.optional(v.pipe(v.number('Valid budget amount is required'), v.finite('Valid budget amount is required'))),
  biddingStrategy: v.optional(v.picklist(biddingStrategies, 'Must be a bidding strategy')),
  /** All of them: a placement that is left out is bid on without a surcharge. */
  placements: v.optional(placementBids),
  /** In percent, null for none; it stays with us, the marketplace has no such field. */
  targetAcos: v.optional(targetAcos),
  /** The last day; null for no end. */
  endDate: v.optional(v.nullable(day)),
})
export type CampaignChange = v.InferOutput<typeof campaignChange>

/** What may be changed of an ad group; what is left out stays. */
export const adGroupChange = v.strictObject({
  name: v.optional(
    v.pipe(
      v.string('Ad group name is required'),
      v.trim(),
      v.nonEmpty('Ad group name is required'),
      v.maxLength(MAX_AD_GROUP_NAME_LENGTH, `At most ${MAX_AD_GROUP_NAME_LENGTH} characters`),
    ),
  ),
  state: v.optional(lastingState),
  defaultBid: v.optional(v.pipe(v.number('Default bid is required'), v.finite('Default bid is required'))),
})
export type AdGroupChange = v.InferOutput<typeof adGroupChange>

const editErrors = ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'VERSION_CONFLICT'] as const
const ofOne = { method: 'PUT', params: v.strictObject({ id: queryId }), errors: editErrors } as const
const targetChange = {
  ...ofOne,
  query: v.strictObject({ bid: v.optional(queryNumber), state: v.optional(lastingState) }),
  response: row.target,
} as const

export const campaignEndpoints = {
  pick: defineEndpoint({
    method: 'GET',
    path: '/campaigns',
    access: 'subscription',
    summary: 'Every campaign of the current marketplace in short, by name, for pickers',
    response: v.array(
      v.object({
        id,
        amazonId: v.string(),
        name: v.string(),
        state: row.entityState,
        targetingType: v.string(),
        adType: v.string(),
      }),
    ),
    errors,
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/campaigns/:id',
    access: 'subscription',
    summary: 'One campaign whole, by our id or by the marketplace’s',
    params: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'Must be an id')) }),
    response: row.campaign,
    errors: [...errors, 'NOT_FOUND'],
  }),
  update: defineEndpoint({
    method: 'POST',
    path: '/campaign/update',
    access: 'subscription',
    summary: 'Changes a campaign (If-Match: its version) and sends the change to the marketplace',
    body: campaignChange,
    response: row.campaign,
    errors: editErrors,
  }),
  updateAdGroup: defineEndpoint({
    ...ofOne,
    path: '/adgroups/:id',
    access: 'subscription',
    summary: 'Changes the name, default bid or state of an ad group (If-Match: its version)',
    body: adGroupChange,
    response: row.adGroup,
  }),
  updateAd: defineEndpoint({
    ...ofOne,
    path: '/ads/:id',
    access: 'subscription',
    summary: 'Pauses or enables the ad of a product (If-Match: its version)',
    query: v.strictObject({ state: writableState }),
    response: row.ad,
  }),
  updateKeyword: defineEndpoint({
    ...targetChange,
    path: '/keywords/:id',
    access: 'subscription',
    summary: 'Changes the bid or state of a keyword (If-Match: its version)',
  }),
  updateTarget: defineEndpoint({
    ...targetChange,
    path: '/targets/:id',
    access: 'subscription',
    summary: 'Changes the bid or state of a target (If-Match: its version)',
  }),
}
