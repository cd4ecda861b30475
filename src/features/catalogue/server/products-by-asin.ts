import type { Db } from '#server/db/tables.ts'
import { type InventoryRow, rowsByAsin } from './sql/inventory-rows.ts'

/** A product as the other features use it; null is what the marketplace did not tell. */
export type Product = InventoryRow

/**
 * A merchant's products of these ASINs in one marketplace, in a tenant's transaction. An ASIN with several skus has
 * several rows; ASINs that are unknown, or no longer listed, are missing.
 */
export const productsByAsin = (
  tx: Db,
  merchantId: number,
  marketplaceId: number,
  asins: readonly string[],
): Promise<Product[]> => rowsByAsin(tx, { merchantId, marketplaceId }, asins)
