import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, pageOf, queryId, queryNumber } from '#shared/query-schemas.ts'
import * as query from './list-queries.ts'
import * as row from './row-schemas.ts'
import { biddingStrategies, MAX_NAME_LENGTH } from './rules.ts'

export type * from './row-schemas.ts'

const errors = ['RULE_VIOLATED', 'SUBSCRIPTION_REQUIRED'] as const
const writableState = v.picklist(['ENABLED', 'PAUSED'], 'Must be ENABLED or PAUSED')

export const campaignListEndpoints = {
  campaigns: defineEndpoint({
    method: 'GET',
    path: '/campaign/cm',
    summary: 'Campaigns of the current marketplace with their figures',
    query: query.campaignsQuery,
    response: row.figuresPage(row.campaignRow),
    errors,
  }),
  adGroups: defineEndpoint({
    method: 'GET',
    path: '/adgroups/cm',
    summary: 'Ad groups with their figures',
    query: query.adGroupsQuery,
    response: row.figuresPage(row.adGroupRow),
    errors,
  }),
  ads: defineEndpoint({
    method: 'GET',
    path: '/ads/cm',
    summary: 'Advertised products with their figures',
    query: query.adsQuery,
    response: row.figuresPage(row.adRow),
    errors,
  }),
  keywords: defineEndpoint({
    method: 'GET',
    path: '/keywords/cm',
    summary: 'Keywords with their figures',
    query: query.keywordsQuery,
    response: row.figuresPage(row.targetRow),
    errors,
  }),
  targets: defineEndpoint({
    method: 'GET',
    path: '/targets/cm',
    summary: 'Product targets and automatic groups with their figures',
    query: query.targetsQuery,
    response: row.figuresPage(row.targetRow),
    errors,
  }),
  negatives: defineEndpoint({
    method: 'GET',
    path: '/negatives/cm',
    summary: 'What ads never meet: negative keywords and targets',
    query: query.negativesQuery,
    response: pageOf(row.negativeRow),
    errors,
  }),
  campaignChart: defineEndpoint({
    method: 'GET',
    path: '/campaign/cm/chart',
    summary: 'The figures of the campaigns that match, day by day',
    query: query.campaignChartQuery,
    response: row.chart,
    errors,
  }),
  adGroupChart: defineEndpoint({
    method: 'GET',
    path: '/adgroups/cm/chart',
    summary: 'The figures of the ad groups that match, day by day',
    query: query.adGroupChartQuery,
    response: row.chart,
    errors,
  }),
  oneAdGroupChart: defineEndpoint({
    method: 'GET',
    path: '/adgroups/:id/chart',
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
      v.maxLength(MAX_NAME_LENGTH, `At most ${MAX_NAME_LENGTH} characters`),
    ),
  ),
  state: v.optional(writableState),
  budget: v.optional(v.pipe(v.number('Valid budget amount is required'), v.finite('Valid budget amount is required'))),
  biddingStrategy: v.optional(v.picklist(biddingStrategies, 'Must be a bidding strategy')),
})
export type CampaignChange = v.InferOutput<typeof campaignChange>

const targetChange = {
  method: 'PUT',
  params: v.strictObject({ id: queryId }),
  query: v.strictObject({ bid: v.optional(queryNumber), state: v.optional(writableState) }),
  response: row.target,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'VERSION_CONFLICT'],
} as const

export const campaignEndpoints = {
  pick: defineEndpoint({
    method: 'GET',
    path: '/campaigns',
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
    summary: 'One campaign whole, by our id or by the marketplace’s',
    params: v.strictObject({ id: v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'Must be an id')) }),
    response: row.campaign,
    errors: [...errors, 'NOT_FOUND'],
  }),
  update: defineEndpoint({
    method: 'POST',
    path: '/campaign/update',
    summary: 'Changes a campaign (If-Match: its version) and sends the change to the marketplace',
    body: campaignChange,
    response: row.campaign,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED', 'VERSION_CONFLICT'],
  }),
  updateKeyword: defineEndpoint({
    ...targetChange,
    path: '/keywords/:id',
    summary: 'Changes the bid or state of a keyword (If-Match: its version)',
  }),
  updateTarget: defineEndpoint({
    ...targetChange,
    path: '/targets/:id',
    summary: 'Changes the bid or state of a target (If-Match: its version)',
  }),
}
