import type { Micros } from '#shared/money.ts'

export type SellerReportType =
  | 'GET_MERCHANT_LISTINGS_ALL_DATA'
  | 'GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA'
  | 'GET_SALES_AND_TRAFFIC_REPORT'

export interface SellerReportQuestion {
  type: SellerReportType
  /** Files of listings hold one marketplace each. */
  marketplaceIds: readonly string[]
  from?: Date
  to?: Date
  options?: Record<string, string>
}

export interface SellerReportState {
  reportId: string
  /** CANCELLED also means that there was nothing to report. */
  status: 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'CANCELLED' | 'FATAL'
  documentId: string | null
  createdAt: Date
}

/** A row of a table file, by canonical header; unknown headers keep their own name. */
export type FileRow = Record<string, string>

export interface ListingFileRow {
  sku: string
  asin: string | null
  title: string | null
  imageUrl: string | null
  /** In the marketplace's currency, which the file does not name. */
  priceMicros: Micros | null
  quantity: number | null
  fulfilledByAmazon: boolean
  status: string | null
}

export interface InventoryFileRow {
  sku: string
  asin: string | null
  fnsku: string | null
  title: string | null
  condition: string | null
  priceMicros: Micros | null
  available: number
  unfulfillable: number
  reserved: number
  inboundWorking: number
  inboundShipped: number
  inboundReceiving: number
  total: number
}

export interface SalesAndTraffic {
  byDay: {
    date: string
    salesMicros: Micros
    currency: string | null
    units: number
    orderItems: number
    refundedUnits: number
    pageViews: number
    sessions: number
    buyBoxPercent: number | null
  }[]
  byAsin: {
    parentAsin: string | null
    asin: string | null
    sku: string | null
    salesMicros: Micros
    currency: string | null
    units: number
    pageViews: number
    sessions: number
    buyBoxPercent: number | null
  }[]
}
