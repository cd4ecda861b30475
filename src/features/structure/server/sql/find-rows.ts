import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '#features/accounts/server/public.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'
import type { EntityName } from '../../contract.ts'
import { matching, type Owner, tableOf } from './entity-sql.ts'

/** Our ids by the marketplace's, of one account; rows that are not mirrored are missing. */
export async function idsOf(
  tx: Db,
  entity: EntityName,
  owner: Owner,
  amazonIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ amazonId: string; id: number }>`
    select amazon_id as "amazonId", id from ${tableOf(entity)}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and amazon_id = any(${amazonIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.amazonId, row.id]))
}

/** True when the account has a row of this id. */
export async function idExists(tx: Db, entity: EntityName, owner: Owner, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${tableOf(entity)} t where ${matching(owner, [sql`t.id = ${id}`])}`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * A subquery to join with (alias it): an account's campaigns, targets or ads as `amazon_id` and our `id`, targets and ads with
 * their `campaign_id` and `ad_group_id`.
 */
export function mirroredRows(
  entity: 'campaign' | 'target' | 'ad',
  { merchantId, profileId }: Owner,
): RawBuilder<unknown> {
  const parents = entity === 'campaign' ? sql`` : sql`, campaign_id, ad_group_id`
  return sql`(select amazon_id, id${parents} from ${tableOf(entity)}
    where merchant_id = ${merchantId} and profile_id = ${profileId})`
}

export interface CampaignOwner extends Owner {
  amazonId: string
  campaignId: number
}

/**
 * Whose these campaigns are, by the marketplace's ids; unknown ones are missing. The one statement that looks across
 * merchants: messages of the stream come through one queue and name no merchant of ours. For jobs only.
 */
export async function campaignOwners(system: Db, amazonIds: readonly string[]): Promise<CampaignOwner[]> {
  const { rows } = await sql<CampaignOwner>`
    select amazon_id as "amazonId", merchant_id as "merchantId", profile_id as "profileId", id as "campaignId"
    from campaign where amazon_id = any(${amazonIds}::text[])`.execute(system)
  return rows
}

export interface TestedCampaign extends Owner {
  campaignId: number
  amazonId: string
  name: string
  state: string
  servingStatus: string | null
  budgetMicros: Micros | null
  targetAcos: number | null
  updatedAt: Date
}

/** These campaigns, across merchants; those that are gone are missing. For jobs only. */
export async function campaignsByIds(
  system: Db,
  campaigns: readonly { merchantId: number; campaignId: number }[],
): Promise<TestedCampaign[]> {
  const { rows } = await sql<TestedCampaign>`select c.merchant_id as "merchantId", c.profile_id as "profileId",
      c.id as "campaignId", c.amazon_id as "amazonId", c.name, c.state, c.serving_status as "servingStatus",
      c.daily_budget_micros as "budgetMicros", c.target_acos::float8 as "targetAcos", c.updated_at as "updatedAt"
    from unnest(${campaigns.map(one => one.merchantId)}::bigint[], ${campaigns.map(one => one.campaignId)}::bigint[])
      as u(merchant_id, campaign_id)
    join campaign c on c.merchant_id = u.merchant_id and c.id = u.campaign_id
    where c.merchant_id = ${anyOf([...new Set(campaigns.map(one => one.merchantId))])} and c.gone_at is null`.execute(
    system,
  )
  return rows
}

/**
 * The condition that an id of rows of figures is of the ad type. Of Sponsored Products is what is not of another, so that
 * only the few rows of the others are looked up.
 */
export function isOfAdType(
  { merchantId, profileId }: Owner,
  entity: EntityName,
  id: RawBuilder<unknown>,
  adType: AdType,
): RawBuilder<unknown> {
  const others = sql`select o.id from ${tableOf(entity)} o
    where o.merchant_id = ${merchantId} and o.profile_id = ${profileId} and o.ad_type <> 'SPONSORED_PRODUCTS'`
  return adType === 'SPONSORED_PRODUCTS'
    ? sql`${id} not in (${others})`
    : sql`${id} in (${others} and o.ad_type = ${adType})`
}

/** The ad types besides Sponsored Products of which the account has, or had, any campaign. */
export async function otherAdTypes(tx: Db, { merchantId, profileId }: Owner): Promise<AdType[]> {
  const { rows } = await sql<{ adType: AdType }>`select distinct ad_type as "adType" from campaign
    where merchant_id = ${merchantId} and profile_id = ${profileId} and ad_type <> 'SPONSORED_PRODUCTS'`.execute(tx)
  return rows.map(row => row.adType)
}

/**
 * Adds campaigns that the account no longer lists but still reports metrics of, as gone and under their numbers, because
 * their money was spent all the same.
 */
export async function ensureCampaigns(
  tx: Db,
  owner: Owner,
  adType: AdType,
  missing: readonly string[],
  at: Date,
): Promise<void> {
  if (!missing.length) return
  await sql`insert into campaign (merchant_id, profile_id, amazon_id, ad_type, name, state, targeting_type, gone_at)
    select ${owner.merchantId}::bigint, ${owner.profileId}::bigint, u.id, ${adType}, 'Campaign ' || u.id, 'ARCHIVED', 'MANUAL', ${at}::timestamptz
    from unnest(${missing}::text[]) as u(id) on conflict do nothing`.execute(tx)
}

/** Which of the names a campaign of the account has already, regardless of case; archived campaigns keep theirs. */
export async function nameTaken(
  tx: Db,
  merchantId: number,
  profileId: number,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from campaign where merchant_id = ${merchantId} and profile_id = ${profileId}
      and name_lower = any(${names.map(name => name.toLowerCase())}::text[])`.execute(tx)
  const taken = new Set(rows.map(row => row.name.toLowerCase()))
  return names.filter(name => taken.has(name.toLowerCase()))
}

/**
 * Notes which campaigns of an account, by the marketplace's ids, a launch created, and gives them its target ACOS in
 * percent, in the caller's transaction. A campaign that was noted before, or has a target, keeps it.
 */
export async function saveLaunched(
  tx: Db,
  owner: Owner,
  amazonIds: readonly string[],
  targetAcos: number | null,
  at: Date,
): Promise<void> {
  await sql`update campaign set launched_at = ${at}, target_acos = coalesce(target_acos, ${targetAcos}::numeric), version = version + 1, updated_at = ${at}
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and amazon_id = any(${amazonIds}::text[])
      and launched_at is null`.execute(tx)
}
