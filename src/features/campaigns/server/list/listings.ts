import { type RawBuilder, sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import type { campaignListEndpoints as endpoints } from '../../contract.ts'
import { contains, filtersOf, type Listing, stateIs } from '../sql/read-page.ts'

type Query<K extends keyof typeof endpoints> =
  EndpointParsed<(typeof endpoints)[K]> extends { query: infer Q } ? Q : never
type Filters<Q> = Omit<Q, 'page' | 'size' | 'sortBy' | 'sortDir' | 'dateFrom' | 'dateTo'>

type Filter = RawBuilder<unknown> | false | undefined

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

interface Contents {
  adGroupId?: number | undefined
  campaignId?: number | undefined
  state: string
}

/** What is in campaigns and ad groups, of these filters. */
function inside<E extends 'ad' | 'target'>(entity: E, q: Contents, ...filters: Filter[]): Listing<E> {
  return {
    entity,
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    filters: filtersOf(inAdGroup(q.adGroupId), inCampaign(q.campaignId), stateIs(q.state), ...filters),
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
  const isNamed = Boolean(q.name) && sql`strpos(lower(concat_ws(' ', t.asin, t.sku)), lower(${q.name})) > 0`
  return inside('ad', q, isNamed, ofAdType(q.type))
}

/** Keywords that pass the filter. */
export function keywordsListing(q: Filters<Query<'keywords'>>): Listing<'target'> {
  const isOfMatchType = q.matchType !== undefined && sql`t.match_type = ${q.matchType}`
  return inside('target', q, sql`t.kind = 'KEYWORD'`, contains('text', q.keywordText), isOfMatchType, ofAdType(q.type))
}

/** Product targets and automatic groups that pass the filter. */
export function targetsListing(q: Filters<Query<'targets'>>): Listing<'target'> {
  const isOfKind = q.type === undefined ? sql`t.kind <> 'KEYWORD'` : sql`t.kind = ${q.type}`
  return inside('target', q, isOfKind, contains('text', q.name))
}
