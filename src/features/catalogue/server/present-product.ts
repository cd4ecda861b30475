import { type Micros, fromMicros } from '#shared/money.ts'
import type { InventoryProduct } from '../contract.ts'
import type { InventoryRow } from './sql/inventory-rows.ts'

const money = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))

/** A row as the contract shows it. `currency` is the marketplace's, for rows without a price. */
export function presentProduct(row: InventoryRow, currency: string, imageHosts: readonly string[]): InventoryProduct {
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
    imageUrl: allowedPicture(row.imageUrl, imageHosts),
    spEligibilityStatus: row.eligibilityStatus,
    spEligibilityMessage: row.eligibilityMessage,
    fnsku: row.fnsku,
    condition: row.condition,
    available: row.available,
    reservedQuantity: row.reserved,
    unfulfillableQuantity: row.unfulfillable,
    totalReservedQuantity: row.reserved,
    // No call of ours returns it.
    pendingRemovalQuantity: null,
    inboundQuantity: inbound.length ? inbound.reduce((sum, n) => sum + n, 0) : null,
    inboundWorking: row.inboundWorking,
    inboundShipped: row.inboundShipped,
    inboundReceived: row.inboundReceived,
    cogs: money(row.cogsMicros),
  }
}

/**
 * The address of a picture that a page may show, or null: the content security policy allows pictures from these hosts
 * only. A host may begin with `*.`, as in the policy.
 */
export function allowedPicture(address: string | null, hosts: readonly string[]): string | null {
  const url = address === null ? null : URL.parse(address)
  return url && hosts.some(host => covers(host, url)) ? address : null
}

function covers(host: string, url: URL): boolean {
  const any = host.match(/^(https?:)\/\/\*\.(.+)$/)
  if (any) return url.protocol === any[1] && url.host.endsWith(`.${any[2]}`)
  return URL.parse(host)?.origin === url.origin
}
