import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { UnitEconomics } from '../../review/break-even.ts'
import type { RunningTarget } from '../../review/notices.ts'

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
export const productUnits = async (
  tx: Db,
  { merchantId, marketplaceId }: Shop,
  skus: readonly string[],
): Promise<ProductUnit[]> => {
  const { rows } = await sql<ProductUnit>`
    select id as "productId", coalesce(asin, '') as asin, sku, price_micros as "priceMicros", cogs_micros as "cogsMicros",
      fees_micros as "feesMicros"
    from product where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and sku = any(${skus}::text[])
    order by sku`.execute(tx)
  return rows
}

/** What enabled campaigns of the account buy for ad groups that advertise one of these products. */
export const runningTargets = async (
  tx: Db,
  { merchantId, profileId }: { merchantId: number; profileId: number },
  products: { asins: readonly string[]; skus: readonly string[] },
): Promise<RunningTarget[]> => {
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
