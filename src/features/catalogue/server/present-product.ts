import { type Micros, fromMicros } from '#shared/money.ts'
import type { InventoryProduct } from '../contract.ts'
import { shownPicture } from './picture-rules.ts'
import type { InventoryRow } from './sql/inventory-rows.ts'

const money = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** A row as the contract shows it. `currency` is the marketplace's, for rows without a price. */
export const presentProduct = (
  row: InventoryRow,
  currency: string,
  imageHosts: readonly string[],
): InventoryProduct => {
  const inbound = [row.inboundWorking, row.inboundShipped, row.inboundReceived].filter(n => n !== null)
  return {
    productId: row.productId,
    asin: row.asin,
    sku: row.sku,
    title: row.title,
    brand: row.brand,
    category: row.category,
    customerPrice: money(row.priceMicros),
    customerCurrency: row.currency ?? currency,
    availability: row.availability,
    bestSellerRank: row.bestSellerRank,
    imageUrl: shownPicture(row.imageUrl, imageHosts),
    spEligibilityStatus: row.eligibilityStatus,
    spEligibilityMessage: row.eligibilityMessage,
    fnsku: row.fnsku,
    condition: row.condition,
    available: row.available,
    reservedQuantity: row.reserved,
    unfulfillableQuantity: row.unfulfillable,
    totalReservedQuantity: row.reserved,
    // No call that we make tells it.
    pendingRemovalQuantity: null,
    inboundQuantity: inbound.length ? inbound.reduce((sum, n) => sum + n, 0) : null,
    inboundWorking: row.inboundWorking,
    inboundShipped: row.inboundShipped,
    inboundReceived: row.inboundReceived,
    cogs: money(row.cogsMicros),
  }
}
