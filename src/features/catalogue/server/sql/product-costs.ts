import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Micros } from '#shared/money.ts'

export interface ProductCost {
  /** What one unit costs the seller; null until the user enters it. */
  cogsMicros: Micros | null
  /** What the marketplace keeps of a sale, by its estimate; null when it gave none. */
  feesMicros: Micros | null
}

/**
 * Cost and fees per unit of a merchant's products in one marketplace, by ASIN. Where several skus of an ASIN differ, the
 * highest counts, so that profit is rather too low than too high.
 */
export async function productCosts(
  tx: Db,
  merchantId: number,
  marketplaceId: number,
): Promise<Map<string, ProductCost>> {
  const { rows } = await sql<ProductCost & { asin: string }>`
    select asin, max(cogs_micros) as "cogsMicros", max(fees_micros) as "feesMicros" from product
    where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and asin is not null group by asin`.execute(
    tx,
  )
  return new Map(rows.map(({ asin, ...cost }) => [asin, cost]))
}

/** Price, cost and fees of a piece of these skus, by sku; those that the seller does not list in the marketplace are missing. */
export async function unitEconomics(
  tx: Db,
  { merchantId, marketplaceId }: { merchantId: number; marketplaceId: number },
  skus: readonly string[],
) {
  const { rows } = await sql<
    ProductCost & { productId: number; asin: string; sku: string; priceMicros: Micros | null }
  >`select id as "productId", coalesce(asin, '') as asin, sku, price_micros as "priceMicros", cogs_micros as "cogsMicros",
      fees_micros as "feesMicros"
    from product where merchant_id = ${merchantId} and marketplace_id = ${marketplaceId} and sku = any(${skus}::text[])
    order by sku`.execute(tx)
  return rows
}
