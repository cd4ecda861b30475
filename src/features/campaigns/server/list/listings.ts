import { sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import type { campaignListEndpoints as endpoints } from '../../contract.ts'
import { contains, filtersOf, type Listing, stateIs } from '../sql/read-page.ts'

type Query<K extends keyof typeof endpoints> =
  EndpointParsed<(typeof endpoints)[K]> extends { query: infer Q } ? Q : never
type Filters<Q> = Omit<Q, 'page' | 'size' | 'sortBy' | 'sortDir' | 'dateFrom' | 'dateTo'>

const inCampaign = (id: number | undefined) => id !== undefined && sql`t.campaign_id = ${id}`
const inAdGroup = (id: number | undefined) => id !== undefined && sql`t.ad_group_id = ${id}`
// Only campaigns have an ad type: what belongs to a campaign is found by its.
const ofAdType = (adType: string | undefined) =>
  adType !== undefined &&
  sql`exists (select 1 from campaign c where c.merchant_id = t.merchant_id and c.id = t.campaign_id and c.ad_type = ${adType})`

/** Campaigns that pass the filter. */
export function campaignsListing(q: Filters<Query<'campaigns'>>): Listing<'campaign'> {
  return {
    entity: 'campaign',
    few: q.campaignId !== undefined,
    filters: filtersOf(
      q.campaignId !== undefined && sql`t.id = ${q.campaignId}`,
      stateIs(q.state),
      contains('name', q.name),
      q.adType !== undefined && sql`t.ad_type = ${q.adType}`,
    ),
  }
}

/** Ad groups that pass the filter. */
export function adGroupsListing(q: Filters<Query<'adGroups'>>): Listing<'adGroup'> {
  return {
    entity: 'adGroup',
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    filters: filtersOf(
      q.adGroupId !== undefined && sql`t.id = ${q.adGroupId}`,
      inCampaign(q.campaignId),
      stateIs(q.state),
      contains('name', q.name),
      ofAdType(q.adType),
    ),
  }
}

/** Advertised products that pass the filter; `name` looks in asin and sku. */
export function adsListing(q: Filters<Query<'ads'>>): Listing<'ad'> {
  return {
    entity: 'ad',
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    filters: filtersOf(
      inAdGroup(q.adGroupId),
      inCampaign(q.campaignId),
      stateIs(q.state),
      Boolean(q.name) && sql`strpos(lower(concat_ws(' ', t.asin, t.sku)), lower(${q.name})) > 0`,
      ofAdType(q.type),
    ),
  }
}

/** Keywords that pass the filter. */
export function keywordsListing(q: Filters<Query<'keywords'>>): Listing<'target'> {
  return {
    entity: 'target',
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    filters: filtersOf(
      sql`t.kind = 'KEYWORD'`,
      inAdGroup(q.adGroupId),
      inCampaign(q.campaignId),
      stateIs(q.state),
      contains('text', q.keywordText),
      q.matchType !== undefined && sql`t.match_type = ${q.matchType}`,
      ofAdType(q.type),
    ),
  }
}

/** Product targets and automatic groups that pass the filter. */
export function targetsListing(q: Filters<Query<'targets'>>): Listing<'target'> {
  return {
    entity: 'target',
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    filters: filtersOf(
      q.type === undefined ? sql`t.kind <> 'KEYWORD'` : sql`t.kind = ${q.type}`,
      inAdGroup(q.adGroupId),
      inCampaign(q.campaignId),
      stateIs(q.state),
      contains('text', q.name),
    ),
  }
}
