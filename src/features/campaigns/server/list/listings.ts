import { type RawBuilder, sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import type { campaignListEndpoints as endpoints } from '../../contract.ts'
import { parseFigureFilter } from '../../figure-filter.ts'
import { matching, type Owner } from '#features/structure/server/public.ts'
import { contains, filtersOf, type Listing, type ListingFilter, servingIs, stateIs } from '../sql/listing.ts'

type Query<K extends keyof typeof endpoints> =
  EndpointParsed<(typeof endpoints)[K]> extends { query: infer Q } ? Q : never
type Filters<Q> = Omit<Q, 'page' | 'size' | 'sortBy' | 'sortDir' | 'dateFrom' | 'dateTo'>

type Filter = ListingFilter | false | undefined

const inCampaign = (id: number | undefined) => id !== undefined && sql`t.campaign_id = ${id}`
const inAdGroup = (id: number | undefined) => id !== undefined && sql`t.ad_group_id = ${id}`
const ofAdType = (adType: string | undefined) => adType !== undefined && sql`t.ad_type = ${adType}`

/** What every list of rows with figures can be narrowed to. */
interface Common {
  state: string
  serving?: Query<'campaigns'>['serving']
  figures?: string | undefined
}
/** A subquery of the archived campaigns' ids. */
const endedCampaigns = ({ merchantId, profileId }: Owner) =>
  sql`select o.id from campaign o where o.merchant_id = ${merchantId} and o.profile_id = ${profileId} and o.state = 'ARCHIVED'`

/** A subquery of the ids of archived ad groups and of those in archived campaigns. */
const endedAdGroups = (owner: Owner) => sql`
  select o.id from ad_group o
    where o.merchant_id = ${owner.merchantId} and o.profile_id = ${owner.profileId} and o.state = 'ARCHIVED'
  union all select o.id from ad_group o
    where o.merchant_id = ${owner.merchantId} and o.campaign_id = any(array(${endedCampaigns(owner)}))`

/**
 * The state that a row in campaigns and ad groups has for a seller: what is archived ends all that is in it, although that
 * keeps a state of its own at the marketplace.
 */
function stateWithin(state: string, parent: 'campaign' | 'adGroup'): Filter {
  const own = stateIs(state)
  return (
    own &&
    (owner => {
      const isEnded =
        parent === 'campaign'
          ? sql`t.campaign_id in (${endedCampaigns(owner)})`
          : sql`t.ad_group_id in (${endedAdGroups(owner)})`
      return state === 'ARCHIVED' ? sql`(${own} or ${isEnded})` : sql`${own} and ${isEnded} is not true`
    })
  )
}

/**
 * How many targets of a kind have a state within what they are in: those with the state of their own from an index, and what is
 * archived by its ad group or campaign apart, which is less work than to ask of each whether it is.
 */
function countWithin(state: string, isOfKind: RawBuilder<unknown>): Listing['counted'] {
  const own = stateIs(state)
  if (!own) return undefined
  const isArchived = state === 'ARCHIVED'
  // Only the ad groups may choose the index: the list of them would be gone through for each row of another.
  return owner => sql`((select count(*) from target t where ${matching(owner, [isOfKind, own])})
    ${isArchived ? sql`+` : sql`-`} (select count(*) filter (where ${isOfKind} and ${isArchived ? sql`not ${own}` : own}) from target t
      where t.merchant_id = ${owner.merchantId} and t.ad_group_id = any(array(${endedAdGroups(owner)}))))`
}
const conditionsOf = ({ figures }: Common) => (figures ? (parseFigureFilter(figures) ?? []) : [])

const launchedDays = 3

/** Campaigns that pass the filter. */
export function campaignsListing(q: Filters<Query<'campaigns'>>, now: Date): Listing<'campaign'> {
  const launchedSince = new Date(now.getTime() - launchedDays * 86_400_000)
  const filters = filtersOf(
    q.campaignId !== undefined && sql`t.id = ${q.campaignId}`,
    stateIs(q.state),
    servingIs(q.serving),
    contains('name_lower', q.name),
    ofAdType(q.adType),
    q.targetingType !== undefined && sql`t.targeting_type = ${q.targetingType}`,
    inPortfolio(q.portfolioId),
    q.launched === true && sql`t.launched_at > ${launchedSince}`,
    q.asin !== undefined && advertises(q.asin),
  )
  return {
    entity: 'campaign',
    few: q.campaignId !== undefined || q.launched === true || q.asin !== undefined,
    conditions: conditionsOf(q),
    filters,
    isWhole: !filters.length,
    isSearch: Boolean(q.name),
  }
}

// A Sponsored Brands ad shows several products.
const advertises = (asin: string): RawBuilder<unknown> => sql`(t.merchant_id, t.id) in (
  select a.merchant_id, a.campaign_id from product_ad a where a.asin = ${asin} or a.asins ? ${asin})`

const inPortfolio = (id: string | undefined): Filter =>
  id !== undefined && (id === 'NONE' ? sql`t.portfolio_amazon_id is null` : sql`t.portfolio_amazon_id = ${id}`)

interface Contents extends Common {
  name?: string | undefined
  keywordText?: string | undefined
  adGroupId?: number | undefined
  campaignId?: number | undefined
}

/**
 * What is in a campaign, by its ad groups: of targets and ads they have an index, and the campaign has none. A planner that
 * may choose reads all keywords of the account.
 */
export const insideCampaign = (id: number | undefined): ListingFilter | false =>
  id !== undefined &&
  (({ merchantId }) => sql`t.ad_group_id = any(array(
    select g.id from ad_group g where g.merchant_id = ${merchantId} and g.campaign_id = ${id}))`)

/** What is in campaigns and ad groups, of these filters; of targets those that have the sums. */
function inside<E extends 'ad' | 'target'>(
  entity: E,
  q: Contents,
  part: { sums: 'keyword' | 'otherTarget'; is: RawBuilder<unknown> } | null,
  ...filters: Filter[]
): Listing<E> {
  const narrowed = filtersOf(
    inAdGroup(q.adGroupId),
    insideCampaign(q.campaignId),
    stateWithin(q.state, 'adGroup'),
    servingIs(q.serving),
    ...filters,
  )
  const isByState = q.state !== 'ALL' && narrowed.length === 1
  return {
    entity,
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    conditions: conditionsOf(q),
    ...(part && { sums: part.sums, ...(isByState && { counted: countWithin(q.state, part.is) }) }),
    isWhole: !narrowed.length,
    isSearch: Boolean(q.name ?? q.keywordText),
    filters: filtersOf(part?.is, ...narrowed),
  }
}

/** Ad groups that pass the filter. */
export function adGroupsListing(q: Filters<Query<'adGroups'>>): Listing<'adGroup'> {
  const filters = filtersOf(
    q.adGroupId !== undefined && sql`t.id = ${q.adGroupId}`,
    inCampaign(q.campaignId),
    stateWithin(q.state, 'campaign'),
    servingIs(q.serving),
    contains('name_lower', q.name),
    ofAdType(q.adType),
  )
  return {
    entity: 'adGroup',
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    conditions: conditionsOf(q),
    filters,
    isWhole: !filters.length,
    isSearch: Boolean(q.name),
  }
}

/** Advertised products that pass the filter; `name` looks in the ad's name, its products and its sku. */
export function adsListing(q: Filters<Query<'ads'>>): Listing<'ad'> {
  const isNamed =
    Boolean(q.name) && sql`strpos(lower(concat_ws(' ', t.name, t.asin, t.sku, t.asins)), lower(${q.name})) > 0`
  return inside('ad', q, null, isNamed, ofAdType(q.type))
}

/** Search in keywords' texts: among the account's different texts first, which are far fewer. */
const hasText = (text: string | undefined): Filter =>
  Boolean(text) &&
  (({ merchantId, profileId }, met) =>
    met === 'IN_ORDER'
      ? contains('text_lower', text) || sql`true`
      : sql`t.text_lower = any(array(select k.text_lower from keyword_text k
    where k.merchant_id = ${merchantId} and k.profile_id = ${profileId} and strpos(k.text_lower, lower(${text})) > 0))`)

/** Keywords that pass the filter. */
export function keywordsListing(q: Filters<Query<'keywords'>>): Listing<'target'> {
  const isOfMatchType = q.matchType !== undefined && sql`t.match_type = ${q.matchType}`
  const keywords = { sums: 'keyword', is: sql`t.kind = 'KEYWORD'` } as const
  return inside('target', q, keywords, hasText(q.keywordText), isOfMatchType, ofAdType(q.type))
}

/** Product targets and automatic groups that pass the filter. */
export function targetsListing(q: Filters<Query<'targets'>>): Listing<'target'> {
  const others = { sums: 'otherTarget', is: sql`t.kind <> 'KEYWORD'` } as const
  const isOfKind = q.type !== undefined && sql`t.kind = ${q.type}`
  return inside('target', q, others, isOfKind, contains('text_lower', q.name), ofAdType(q.adType))
}
