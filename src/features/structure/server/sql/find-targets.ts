import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './entity-sql.ts'

export type MirroredKind = 'AD_GROUP' | 'PRODUCT_AD' | 'KEYWORD' | 'PRODUCT_TARGET' | 'NEGATIVE'

/**
 * What campaigns of an account hold, live, apart from some entities, counted by kind; all by the marketplace's ids. Kinds
 * without any are missing.
 */
export async function addedTo(
  tx: Db,
  { merchantId, profileId }: Owner,
  campaignIds: readonly string[],
  existingIds: readonly string[],
): Promise<{ kind: MirroredKind; count: number }[]> {
  const own = sql`merchant_id = ${merchantId}`
  const { rows } = await sql<{ kind: MirroredKind; count: number }>`
    with held as (
      select 'AD_GROUP' as kind, amazon_id, state, gone_at, merchant_id, campaign_id from ad_group
        where ${own}
      union all select 'PRODUCT_AD', amazon_id, state, gone_at, merchant_id, campaign_id from product_ad
        where ${own}
      union all select case kind when 'KEYWORD' then 'KEYWORD' else 'PRODUCT_TARGET' end, amazon_id, state, gone_at,
        merchant_id, campaign_id from target where ${own} and kind <> 'AUTO'
      union all select 'NEGATIVE', amazon_id, state, gone_at, merchant_id, campaign_id from negative
        where ${own}
    )
    select held.kind, count(*)::int as count
    from held join campaign c on c.merchant_id = held.merchant_id and c.id = held.campaign_id
    where held.merchant_id = ${merchantId} and c.profile_id = ${profileId} and c.amazon_id = any(${campaignIds}::text[])
      and held.state <> 'ARCHIVED' and held.gone_at is null
      and not exists (select 1 from unnest(${existingIds}::text[]) as made(id) where made.id = held.amazon_id)
    group by held.kind order by held.kind`.execute(tx)
  return rows
}

/**
 * What enabled campaigns of Sponsored Products of the account aim at in ad groups that advertise one of these products: a
 * keyword's match type and text, else how the target aims and the id of what it aims at, empty for automatic targeting.
 */
export async function runningTargets(
  tx: Db,
  { merchantId, profileId }: Owner,
  { asins, skus }: { asins: readonly string[]; skus: readonly string[] },
) {
  const { rows } = await sql<{ kind: 'KEYWORD' | 'PRODUCT' | 'AUTO'; match: string; value: string; campaign: string }>`
    select distinct t.kind, c.name as campaign,
      case t.kind when 'KEYWORD' then coalesce(t.match_type, '') else coalesce(t.expression -> 0 ->> 'type', '') end as match,
      case t.kind when 'KEYWORD' then t.text else coalesce(t.expression -> 0 ->> 'value', '') end as value
    from product_ad a
    join campaign c on c.merchant_id = a.merchant_id and c.id = a.campaign_id
    join ad_group g on g.merchant_id = a.merchant_id and g.id = a.ad_group_id
    join target t on t.merchant_id = a.merchant_id and t.ad_group_id = a.ad_group_id
    where a.merchant_id = ${merchantId} and a.profile_id = ${profileId} and a.ad_type = 'SPONSORED_PRODUCTS'
      and (a.asin = any(${asins}::text[]) or a.sku = any(${skus}::text[]))
      and 'ENABLED' = all (array[a.state, c.state, g.state, t.state])
      and a.gone_at is null and c.gone_at is null and g.gone_at is null and t.gone_at is null
    order by campaign`.execute(tx)
  return rows
}
