import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { EntityName } from '../../contract.ts'
import type { Owner } from '../sql/entity-sql.ts'

export interface ChangeOutside {
  campaignId: number
  campaignName: string
  groupId: string
  entity: EntityName
  entityId: number
  field: string
  before: unknown
  after: unknown
  at: Date
  /** Whether the changes of its group are all of this campaign. */
  isWhole: boolean
}

/** The ledger is read so far back. */
const most = 2000

/**
 * What was changed at the marketplace itself since a moment, of campaigns that are managed here: launched, given a target
 * ACOS or ever changed by somebody. Newest first.
 */
export async function changesOutside(tx: Db, { merchantId, profileId }: Owner, since: Date): Promise<ChangeOutside[]> {
  const { rows } = await sql<ChangeOutside>`
    with recent as (select * from entity_change where merchant_id = ${merchantId} and profile_id = ${profileId}
        order by id desc limit ${most}),
      found as (select r.*, count(*) over (partition by group_id) as all_of,
          count(*) over (partition by group_id, campaign_id) as of_campaign
        from recent r where r.at >= ${since} and r.origin = 'MARKETPLACE' and r.field is not null)
    select f.campaign_id as "campaignId", c.name as "campaignName", f.group_id as "groupId", f.entity, f.entity_id as "entityId",
      f.field, f.before, f.after, f.at, f.all_of = f.of_campaign as "isWhole"
    from found f join campaign c on c.merchant_id = ${merchantId} and c.id = f.campaign_id
    where c.launched_at is not null or c.target_acos is not null
      or exists (select from entity_change u where u.merchant_id = ${merchantId} and u.campaign_id = c.id and u.origin <> 'MARKETPLACE')
    order by f.id desc`.execute(tx)
  return rows
}

export interface RunningAd {
  adId: number
  amazonId: string
  asin: string | null
  sku: string | null
  campaignId: number
  campaignName: string
}

/** The ads of products of an account that are enabled with their ad group and campaign; at most as many as requested. */
export async function runningAds(tx: Db, { merchantId, profileId }: Owner, limit: number): Promise<RunningAd[]> {
  const { rows } = await sql<RunningAd>`select a.id as "adId", a.amazon_id as "amazonId", a.asin, a.sku,
      c.id as "campaignId", c.name as "campaignName"
    from product_ad a
    join ad_group g on g.merchant_id = a.merchant_id and g.id = a.ad_group_id and g.state = 'ENABLED' and g.gone_at is null
    join campaign c on c.merchant_id = a.merchant_id and c.id = a.campaign_id and c.state = 'ENABLED' and c.gone_at is null
    where a.merchant_id = ${merchantId} and a.profile_id = ${profileId} and a.state = 'ENABLED' and a.gone_at is null
      and a.ad_type = 'SPONSORED_PRODUCTS' and a.amazon_id not like 'new:%'
    order by c.id, a.id limit ${limit}`.execute(tx)
  return rows
}

/** When anything of these advertising accounts was last changed, by anybody; those never changed are missing. */
export async function lastChanges(tx: Db, owners: readonly Owner[]): Promise<Map<number, Date>> {
  if (!owners.length) return new Map()
  const ofMerchant = (merchantId: number, own: readonly Owner[]) => sql`(
      select o.profile_id as "profileId", last.at
      from unnest(${own.map(one => one.profileId)}::bigint[]) as o(profile_id) cross join lateral (
        select c.at from entity_change c where c.merchant_id = ${merchantId} and c.profile_id = o.profile_id
        order by c.at desc limit 1) last)`
  // Each merchant is named on its own: no server has the changes of all.
  const parts = [...Map.groupBy(owners, one => one.merchantId)].map(([merchantId, own]) => ofMerchant(merchantId, own))
  const { rows } = await sql<{ profileId: number; at: Date }>`${sql.join(parts, sql` union all `)}`.execute(tx)
  return new Map(rows.map(({ profileId, at }) => [profileId, at]))
}
