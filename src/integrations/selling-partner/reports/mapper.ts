import type { z } from 'zod'
import { toMicros } from '#shared/money.ts'
import type {
  FileRow,
  InventoryFileRow,
  ListingFileRow,
  SalesAndTraffic,
  SellerReportQuestion,
  SellerReportState,
} from './vocabulary.ts'
import type { reportWire, salesAndTrafficWire } from './wire.ts'

const statuses: Record<string, SellerReportState['status']> = {
  IN_QUEUE: 'IN_QUEUE',
  IN_PROGRESS: 'IN_PROGRESS',
  DONE: 'DONE',
  CANCELLED: 'CANCELLED',
  FATAL: 'FATAL',
}

export function fromReport(wire: z.output<typeof reportWire>): SellerReportState {
  return {
    reportId: wire.reportId,
    status: statuses[wire.processingStatus] ?? 'IN_PROGRESS',
    documentId: wire.reportDocumentId ?? null,
    createdAt: new Date(wire.createdTime),
  }
}

export function toReportRequest({ type, marketplaceIds, from, to, options }: SellerReportQuestion) {
  return {
    reportType: type,
    marketplaceIds,
    ...(from && { dataStartTime: from.toISOString() }),
    ...(to && { dataEndTime: to.toISOString() }),
    ...(options && { reportOptions: options }),
  }
}

const sameMoment = (wire: string | null | undefined, requested: Date | undefined): boolean =>
  !requested || (wire ? Date.parse(wire) === requested.getTime() : false)

/** True when a report made after `since` answers this question. The reply has no options, so two requests that differ only in options match too. */
export function answersQuestion(
  wire: z.output<typeof reportWire>,
  { type, marketplaceIds, from, to }: SellerReportQuestion,
  since: number,
): boolean {
  return (
    wire.reportType === type &&
    Date.parse(wire.createdTime) >= since &&
    marketplaceIds.every(id => wire.marketplaceIds?.includes(id)) &&
    sameMoment(wire.dataStartTime, from) &&
    sameMoment(wire.dataEndTime, to)
  )
}

const textOf = (cell: string | undefined): string | null => cell?.trim() || null

/** An amount as any marketplace writes it: 1,234.56, 1.234,56 or 12,5; null when it is none. */
export function parseAmount(cell: string | undefined): number | null {
  const text = cell?.replaceAll(/[\s\u00a0]/g, '') ?? ''
  const comma = text.lastIndexOf(',') > text.lastIndexOf('.')
  // A single comma with three digits behind it groups thousands, as no price has three decimals.
  const grouped = comma && /^\d{1,3}(,\d{3})+$/.test(text)
  const plain = comma && !grouped ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
  return /^\d+(\.\d+)?$/.test(plain) ? toMicros(plain) : null
}

function countOf(cell: string | undefined): number | null {
  const text = textOf(cell)
  const count = text === null ? Number.NaN : Number(text)
  return Number.isFinite(count) ? count : null
}

/** A row of GET_MERCHANT_LISTINGS_ALL_DATA; null without a sku. */
export function fromListingRow(row: FileRow): ListingFileRow | null {
  const sku = textOf(row['seller-sku'])
  if (!sku) return null
  const channel = textOf(row['fulfillment-channel'])
  return {
    sku,
    // Older files leave asin1 empty and have the asin as product id of type 1.
    asin: textOf(row['asin1']) ?? (row['product-id-type']?.trim() === '1' ? textOf(row['product-id']) : null),
    title: textOf(row['item-name']),
    imageUrl: textOf(row['image-url']),
    priceMicros: parseAmount(row['price']),
    quantity: countOf(row['quantity']),
    fulfilledByAmazon: channel?.toUpperCase().startsWith('AMAZON') ?? false,
    status: textOf(row['status']),
  }
}

/** A row of GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA; null without a sku. */
export function fromInventoryRow(row: FileRow): InventoryFileRow | null {
  const sku = textOf(row['sku'])
  if (!sku) return null
  return {
    sku,
    asin: textOf(row['asin']),
    fnsku: textOf(row['fnsku']),
    title: textOf(row['product-name']),
    condition: textOf(row['condition']),
    priceMicros: parseAmount(row['your-price']),
    available: countOf(row['afn-fulfillable-quantity']) ?? 0,
    unfulfillable: countOf(row['afn-unsellable-quantity']) ?? 0,
    reserved: countOf(row['afn-reserved-quantity']) ?? 0,
    inboundWorking: countOf(row['afn-inbound-working-quantity']) ?? 0,
    inboundShipped: countOf(row['afn-inbound-shipped-quantity']) ?? 0,
    inboundReceiving: countOf(row['afn-inbound-receiving-quantity']) ?? 0,
    total: countOf(row['afn-total-quantity']) ?? 0,
  }
}

export function fromSalesAndTraffic(wire: z.output<typeof salesAndTrafficWire>): SalesAndTraffic {
  return {
    byDay: (wire.salesAndTrafficByDate ?? []).map(({ date, salesByDate: sales, trafficByDate: traffic }) => ({
      date,
      salesMicros: toMicros(sales.orderedProductSales?.amount ?? 0),
      currency: sales.orderedProductSales?.currencyCode ?? null,
      units: sales.unitsOrdered ?? 0,
      orderItems: sales.totalOrderItems ?? 0,
      refundedUnits: sales.unitsRefunded ?? 0,
      pageViews: traffic.pageViews ?? 0,
      sessions: traffic.sessions ?? 0,
      buyBoxPercent: traffic.buyBoxPercentage ?? null,
    })),
    byAsin: (wire.salesAndTrafficByAsin ?? []).map(({ salesByAsin: sales, trafficByAsin: traffic, ...row }) => ({
      parentAsin: row.parentAsin ?? null,
      asin: row.childAsin ?? null,
      sku: row.sku ?? null,
      salesMicros: toMicros(sales.orderedProductSales?.amount ?? 0),
      currency: sales.orderedProductSales?.currencyCode ?? null,
      units: sales.unitsOrdered ?? 0,
      pageViews: traffic.pageViews ?? 0,
      sessions: traffic.sessions ?? 0,
      buyBoxPercent: traffic.buyBoxPercentage ?? null,
    })),
  }
}
