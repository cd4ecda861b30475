import type { Micros } from '#shared/money.ts'

/** Amounts are micros of the currency next to them. */
export interface Participation {
  marketplaceId: string
  countryCode: string
  name: string
  currency: string
  language: string | null
  storeName: string | null
  participating: boolean
  suspendedListings: boolean
}

/** Stock of one sku in the marketplace's warehouses. */
export interface InventorySummary {
  sku: string
  asin: string | null
  fnsku: string | null
  title: string | null
  condition: string | null
  available: number
  inboundWorking: number
  inboundShipped: number
  inboundReceiving: number
  reserved: number
  researching: number
  unfulfillable: number
  total: number
  updatedAt: Date | null
}

/** One sku as listed in one marketplace. */
export interface Listing {
  sku: string
  marketplaceId: string
  asin: string | null
  fnsku: string | null
  title: string | null
  imageUrl: string | null
  productType: string | null
  condition: string | null
  buyable: boolean
  discoverable: boolean
  priceMicros: Micros | null
  currency: string | null
  /** Stock the seller ships from; null where it is the marketplace's to ship. */
  merchantQuantity: number | null
  fulfilledByAmazon: boolean
  issues: { code: string; severity: string; message: string }[]
}

export interface CatalogItem {
  asin: string
  title: string | null
  brand: string | null
  category: string | null
  imageUrl: string | null
  /** Best rank in its narrowest category, null when unranked. */
  bestSellerRank: number | null
}

/** Sales of everything, advertised or not, in one interval. */
export interface OrderMetrics {
  from: string
  to: string
  units: number
  orderItems: number
  orders: number
  salesMicros: Micros
  currency: string | null
}

export interface FeesQuestion {
  id: { sku: string } | { asin: string }
  marketplaceId: string
  priceMicros: Micros
  currency: string
  fulfilledByAmazon: boolean
}

export type FeesEstimate =
  | { ok: true; totalMicros: Micros; currency: string | null; parts: { type: string; micros: Micros }[] }
  | { ok: false; code: string; message: string }
