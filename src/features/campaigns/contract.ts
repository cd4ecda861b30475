import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { day, pageOf, queryId } from '#shared/query-schemas.ts'
import { ad, adGroup, campaign, negative, target } from '#features/structure/contract.ts'
import * as query from './list-queries.ts'

const negativeRow = v.object({
  ...negative.entries,
  campaignName: v.string(),
  /** Null for those of a whole campaign. */
  adGroupName: v.nullable(v.string()),
  adType: v.string(),
})
export type NegativeRow = v.InferOutput<typeof negativeRow>

const figures = v.object(figureEntries)
export type RowFigures = v.InferOutput<typeof figures>

const campaignRow = v.object({ ...campaign.entries, ...figureEntries })
export type CampaignRow = v.InferOutput<typeof campaignRow>
const adGroupRow = v.object({ ...adGroup.entries, ...figureEntries })
export type AdGroupRow = v.InferOutput<typeof adGroupRow>
const adRow = v.object({ ...ad.entries, ...figureEntries })
export type AdRow = v.InferOutput<typeof adRow>
const targetRow = v.object({ ...target.entries, ...figureEntries })
export type TargetRow = v.InferOutput<typeof targetRow>

const days = { currency: v.string(), dateFrom: day, dateTo: day, freshness }
/** A page of rows with the sums of all that match, not only of the page. */
const figuresPage = <S extends v.GenericSchema>(row: S) =>
  v.object({ ...pageOf(row).entries, ...days, totals: figures })
/** A point for every day of the range. */
const chart = v.object({ ...days, points: v.array(v.object({ date: day, ...figureEntries })) })
export type CampaignChart = v.InferOutput<typeof chart>

const lists = { method: 'GET', access: 'subscription', errors: ['RULE_VIOLATED'] } as const

export const campaignListEndpoints = {
  campaigns: defineEndpoint({
    ...lists,
    path: '/campaign/cm',
    summary: 'Campaigns of the current marketplace with their figures',
    query: query.campaignsQuery,
    response: figuresPage(campaignRow),
  }),
  adGroups: defineEndpoint({
    ...lists,
    path: '/adgroups/cm',
    summary: 'Ad groups with their figures',
    query: query.adGroupsQuery,
    response: figuresPage(adGroupRow),
  }),
  ads: defineEndpoint({
    ...lists,
    path: '/ads/cm',
    summary: 'Advertised products with their figures',
    query: query.adsQuery,
    response: figuresPage(adRow),
  }),
  keywords: defineEndpoint({
    ...lists,
    path: '/keywords/cm',
    summary: 'Keywords with their figures',
    query: query.keywordsQuery,
    response: figuresPage(targetRow),
  }),
  targets: defineEndpoint({
    ...lists,
    path: '/targets/cm',
    summary: 'Product targets and automatic groups with their figures',
    query: query.targetsQuery,
    response: figuresPage(targetRow),
  }),
  negatives: defineEndpoint({
    ...lists,
    path: '/negatives/cm',
    summary: 'Negative keywords and targets',
    query: query.negativesQuery,
    response: pageOf(negativeRow),
  }),
  campaignChart: defineEndpoint({
    ...lists,
    path: '/campaign/cm/chart',
    summary: 'The figures of the campaigns that match, day by day',
    query: query.campaignChartQuery,
    response: chart,
  }),
  adGroupChart: defineEndpoint({
    ...lists,
    path: '/adgroups/cm/chart',
    summary: 'The figures of the ad groups that match, day by day',
    query: query.adGroupChartQuery,
    response: chart,
  }),
  oneAdGroupChart: defineEndpoint({
    ...lists,
    path: '/adgroups/:id/chart',
    summary: 'The figures of one ad group, day by day',
    params: v.strictObject({ id: queryId }),
    query: query.rangeQuery,
    response: chart,
    errors: [...lists.errors, 'NOT_FOUND'],
  }),
}
