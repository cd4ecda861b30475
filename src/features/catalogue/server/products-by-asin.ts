import type { Db } from '#server/db/tables.ts'
import { brandsListed, type InventoryRow, rowsByAsin } from './sql/inventory-rows.ts'

/** A product as other features use it; null is what the marketplace did not report. */
export type Product = InventoryRow

/**
 * A merchant's products of these ASINs in one marketplace, in a tenant's transaction. An ASIN with several skus has
 * several rows; ASINs that are unknown, or no longer listed, are missing.
 */
export function productsByAsin(
  tx: Db,
  merchantId: number,
  marketplaceId: number,
  asins: readonly string[],
): Promise<Product[]> {
  return rowsByAsin(tx, { merchantId, marketplaceId }, asins)
}

/** The brands of a merchant's products that are listed in one marketplace, once each, in a tenant's transaction. */
export const brandsOfProducts = (tx: Db, merchantId: number, marketplaceId: number): Promise<string[]> =>
  brandsListed(tx, { merchantId, marketplaceId })
