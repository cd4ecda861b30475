import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { UnitEconomics } from '../../review/break-even.ts'
import type { RunningTarget } from '../../review/notices.ts'
import type { AdvertisedFigures } from '../../plan/product-rates.ts'
import type { LaunchKey } from './launch-key.ts'

export type AddedKind = 'AD_GROUP' | 'PRODUCT_AD' | 'KEYWORD' | 'PRODUCT_TARGET' | 'NEGATIVE'

/**
 * What the account's mirror holds, live, in campaigns of a launch that the launch did not make, counted by kind. Kinds
 * without any are missing.
 */
export async function addedSince(
  tx: Db,
  { merchantId, launchId }: LaunchKey,
  profileId: number,
): Promise<{ kind: AddedKind; count: number }[]> {
  const { rows } = await sql<{ kind: AddedKind; count: number }>`
    with made as (
      select amazon_id, step from launch_item
      where merchant_id = ${merchantId} and launch_id = ${launchId} and amazon_id is not null
    ), own as (
      select c.id from campaign c join made on made.step = 'CAMPAIGNS' and made.amazon_id = c.amazon_id
      where c.merchant_id = ${merchantId} and c.profile_id = ${profileId}
    ), held as (
      select 'AD_GROUP' as kind, amazon_id, state, gone_at, merchant_id, campaign_id from ad_group
      union all select 'PRODUCT_AD', amazon_id, state, gone_at, merchant_id, campaign_id from product_ad
      union all select case kind when 'KEYWORD' then 'KEYWORD' else 'PRODUCT_TARGET' end, amazon_id, state, gone_at,
        merchant_id, campaign_id from target where kind <> 'AUTO'
      union all select 'NEGATIVE', amazon_id, state, gone_at, merchant_id, campaign_id from negative
    )
    select held.kind, count(*)::int as count from held join own on own.id = held.campaign_id
    where held.merchant_id = ${merchantId} and held.state <> 'ARCHIVED' and held.gone_at is null
      and not exists (select 1 from made where made.amazon_id = held.amazon_id)
    group by held.kind order by held.kind`.execute(tx)
  return rows
}

/** What ads of these products came to over days, both included; products without figures are missing. */
export async function advertisedFigures(
  tx: Db,
  owner: { merchantId: number; profileId: number },
  asins: readonly string[],
  days: { from: string; to: string },
): Promise<(AdvertisedFigures & { asin: string })[]> {
  const { rows } = await sql<AdvertisedFigures & { asin: string }>`
    select asin, sum(clicks)::float8 as clicks, sum(orders)::float8 as orders, sum(sales_micros)::float8 as "salesMicros"
    from ad_day
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and asin = any(${asins}::text[])
      and date between ${days.from} and ${days.to}
    group by asin`.execute(tx)
  return rows
}

interface Shop {
  merchantId: number
  marketplaceId: number
}
export interface ProductUnit extends UnitEconomics {
  productId: number
  asin: string
  sku: string
}

/** Price, cost and fees of a piece of these skus; those that the seller does not list are missing. */
export async function productUnits(
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  skus: readonly string[],
): Promise<ProductUnit[]> {
  const { rows } = await sql<ProductUnit>`
    select id as "productId", coalesce(asin, '') as asin, sku, price_micros as "priceMicros", cogs_micros as "cogsMicros",
      fees_micros as "feesMicros"
    from product where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and sku = any(${skus}::text[])
    order by sku`.execute(tx)
  return rows
}

/** What enabled campaigns of the account buy for ad groups that advertise one of these products. */
export async function runningTargets(
  tx: Db,
  { merchantId, profileId }: { merchantId: number; profileId: number },
  products: { asins: readonly string[]; skus: readonly string[] },
): Promise<RunningTarget[]> {
  const { rows } = await sql<RunningTarget>`
    select distinct t.kind, c.name as campaign,
      case t.kind when 'KEYWORD' then coalesce(t.match_type, '') else coalesce(t.expression -> 0 ->> 'type', '') end as match,
      case t.kind when 'KEYWORD' then t.text else coalesce(t.expression -> 0 ->> 'value', '') end as value
    from product_ad a
    join campaign c on c.merchant_id = a.merchant_id and c.id = a.campaign_id
    join ad_group g on g.merchant_id = a.merchant_id and g.id = a.ad_group_id
    join target t on t.merchant_id = a.merchant_id and t.ad_group_id = a.ad_group_id
    where a.merchant_id = ${merchantId} and a.profile_id = ${profileId}
      and (a.asin = any(${products.asins}::text[]) or a.sku = any(${products.skus}::text[]))
      and 'ENABLED' = all (array[a.state, c.state, g.state, t.state])
      and a.gone_at is null and c.gone_at is null and g.gone_at is null and t.gone_at is null
    order by campaign`.execute(tx)
  return rows
}
