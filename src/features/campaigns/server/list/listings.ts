import { sql } from 'kysely'
import type { EndpointParsed } from '#shared/define-endpoint.ts'
import type { campaignListEndpoints as endpoints } from '../../contract.ts'
import { parseFigureFilter } from '../../figure-filter.ts'
import { countTargets, type Owner } from '#features/structure/server/public.ts'
import {
  contains,
  filtersFor,
  filtersOf,
  type Listing,
  type ListingFilter,
  servingIs,
  stateIs,
} from '../sql/listing.ts'

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
/** A subquery of the ids of archived campaigns or ad groups. */
const archived = ({ merchantId, profileId }: Owner, table: 'campaign' | 'ad_group') =>
  sql`(select o.id from ${sql.table(table)} o where o.merchant_id = ${merchantId} and o.profile_id = ${profileId} and o.state = 'ARCHIVED')`

/**
 * The state that a row in campaigns and ad groups has for a seller: what is archived ends all that is in it, although that
 * keeps a state of its own at the marketplace.
 */
function stateWithin(state: string, parent: 'campaign' | 'adGroup'): Filter {
  const own = stateIs(state)
  return (
    own &&
    (owner => {
      const inCampaign = sql`t.campaign_id in ${archived(owner, 'campaign')}`
      const isEnded =
        parent === 'campaign' ? inCampaign : sql`(${inCampaign} or t.ad_group_id in ${archived(owner, 'ad_group')})`
      return state === 'ARCHIVED' ? sql`(${own} or ${isEnded})` : sql`${own} and ${isEnded} is not true`
    })
  )
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
const advertises =
  (asin: string): ListingFilter =>
  ({ merchantId }) =>
    sql`t.id in (select a.campaign_id from product_ad a
      where a.merchant_id = ${merchantId} and (a.asin = ${asin} or a.asins ? ${asin}))`

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

/** What is in campaigns and ad groups, of these filters. */
function inside<E extends 'ad' | 'target'>(entity: E, q: Contents, ...filters: Filter[]): Listing<E> {
  const narrowed = filtersOf(
    inAdGroup(q.adGroupId),
    insideCampaign(q.campaignId),
    stateWithin(q.state, 'adGroup'),
    servingIs(q.serving),
    ...filters,
  )
  return {
    entity,
    few: q.adGroupId !== undefined || q.campaignId !== undefined,
    conditions: conditionsOf(q),
    isWhole: !narrowed.length,
    isSearch: Boolean(q.name ?? q.keywordText),
    filters: narrowed,
  }
}

/** Targets that have these sums; `columns` says which of them by what they are counted by. */
function targetsWith(
  sums: 'keyword' | 'otherTarget',
  q: Contents,
  columns: Record<string, string | undefined>,
  ...filters: Filter[]
): Listing<'target'> {
  const isOf = (row: 't' | 'c') =>
    filtersOf(
      sums === 'keyword' ? sql`${sql.ref(`${row}.kind`)} = 'KEYWORD'` : sql`${sql.ref(`${row}.kind`)} <> 'KEYWORD'`,
      ...Object.entries(columns).map(
        ([name, value]) => value !== undefined && sql`${sql.ref(`${row}.${name}`)} = ${value}`,
      ),
    )
  const [isOfKind, ...others] = isOf('t')
  const listing = inside('target', q, ...others, ...filters)
  const own = [...filtersOf(isOfKind), ...listing.filters]
  const isCounted = !listing.few && q.serving === undefined && !filtersOf(...filters).length
  const state = q.state !== 'ALL' && sql`c.state = ${q.state}`
  return {
    ...listing,
    sums,
    filters: own,
    ...(isCounted && { counted: owner => countTargets(owner, filtersFor(owner, own), filtersOf(...isOf('c'), state)) }),
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
  return inside('ad', q, contains('text_lower', q.name), ofAdType(q.type))
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
  return targetsWith('keyword', q, { match_type: q.matchType, ad_type: q.type }, hasText(q.keywordText))
}

/** Product targets and automatic groups that pass the filter. */
export function targetsListing(q: Filters<Query<'targets'>>): Listing<'target'> {
  return targetsWith('otherTarget', q, { kind: q.type, ad_type: q.adType }, contains('text_lower', q.name))
}
