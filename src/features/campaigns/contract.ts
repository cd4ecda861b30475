import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { pageOf, queryId } from '#shared/query-schemas.ts'
import { negative } from '#features/structure/contract.ts'
import * as query from './list-queries.ts'
import * as row from './row-schemas.ts'

export type * from './row-schemas.ts'

const errors = ['RULE_VIOLATED'] as const
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
    summary: 'Negative keywords and targets',
    query: query.negativesQuery,
    response: pageOf(negative),
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
