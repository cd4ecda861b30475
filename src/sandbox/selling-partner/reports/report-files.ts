import iconv from 'iconv-lite'
import { gzipSync } from 'node:zlib'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { Product } from '../../core/model.ts'
import { fulfilmentChannelOf } from '../operations/operation.ts'
import type { ReportSubject } from './report-subject.ts'
import { salesAndTraffic } from './sales-and-traffic.ts'

const listingColumns =
  'item-name item-description listing-id seller-sku price quantity open-date image-url item-is-marketplace product-id-type zshop-shipping-fee item-note item-condition zshop-category1 zshop-browse-path zshop-storefront-feature asin1 asin2 asin3 will-ship-internationally expedited-shipping zshop-boldface product-id bid-for-featured-placement add-delete pending-quantity fulfillment-channel merchant-shipping-group status'.split(
    ' ',
  )

const inventoryColumns =
  'sku fnsku asin product-name condition your-price mfn-listing-exists mfn-fulfillable-quantity afn-listing-exists afn-warehouse-quantity afn-fulfillable-quantity afn-unsellable-quantity afn-reserved-quantity afn-total-quantity per-unit-volume afn-inbound-working-quantity afn-inbound-shipped-quantity afn-inbound-receiving-quantity'.split(
    ' ',
  )

const productsOf = ({ books, sellerId, marketplaceId }: ReportSubject): Product[] =>
  [...books.products.values()].filter(
    product => product.sellerId === sellerId && product.marketplaceId === marketplaceId,
  )

const priceText = (product: Product): string => {
  const currency = marketplaceByAmazonId(product.marketplaceId)?.currency ?? 'USD'
  return fromMicros(product.priceMicros).toFixed(currencyDigits(currency))
}

const table = (columns: readonly string[], rows: readonly Record<string, string | number>[]): string =>
  [columns, ...rows.map(row => columns.map(column => String(row[column] ?? '').replace(/[\t\r\n]/g, ' ')))]
    .map(cells => cells.join('\t'))
    .join('\r\n')
    .concat('\r\n')

const listingRow = (product: Product): Record<string, string | number> => ({
  'item-name': product.title,
  'listing-id': `0301X${product.fnsku.slice(3)}`,
  'seller-sku': product.sku,
  price: priceText(product),
  // Goods in the marketplace's own warehouse carry no quantity in this file.
  quantity: '',
  'open-date': '2024-03-01 01:00:00 PST',
  'item-is-marketplace': 'y',
  'product-id-type': 1,
  'item-condition': 11,
  asin1: product.asin,
  'product-id': product.asin,
  'fulfillment-channel': fulfilmentChannelOf(product.marketplaceId),
  'merchant-shipping-group': 'Default',
  status: product.fulfillable > 0 ? 'Active' : 'Inactive',
})

const inventoryRow = (product: Product): Record<string, string | number> => ({
  sku: product.sku,
  fnsku: product.fnsku,
  asin: product.asin,
  'product-name': product.title,
  condition: 'New',
  'your-price': priceText(product),
  'mfn-listing-exists': 'No',
  'afn-listing-exists': 'Yes',
  'afn-warehouse-quantity': product.fulfillable + product.unfulfillable + product.reserved,
  'afn-fulfillable-quantity': product.fulfillable,
  'afn-unsellable-quantity': product.unfulfillable,
  'afn-reserved-quantity': product.reserved,
  'afn-total-quantity':
    product.fulfillable +
    product.unfulfillable +
    product.reserved +
    product.inboundWorking +
    product.inboundShipped +
    product.inboundReceiving,
  'per-unit-volume': 0.05,
  'afn-inbound-working-quantity': product.inboundWorking,
  'afn-inbound-shipped-quantity': product.inboundShipped,
  'afn-inbound-receiving-quantity': product.inboundReceiving,
})

/** Writers of the report types that can be asked for. */
const writers: Record<string, (subject: ReportSubject) => string> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: subject => table(listingColumns, productsOf(subject).map(listingRow)),
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: subject => table(inventoryColumns, productsOf(subject).map(inventoryRow)),
  GET_SALES_AND_TRAFFIC_REPORT: salesAndTraffic,
}

export const isReportType = (reportType: string): boolean => reportType in writers

/** JSON files and the files of Europe come compressed, the others plain: a reader must look, not assume. */
export const isCompressed = (reportType: string, marketplaceId: string): boolean =>
  reportType === 'GET_SALES_AND_TRAFFIC_REPORT' || marketplaceByAmazonId(marketplaceId)?.region === 'EU'

/** Character set of the tab-separated files: each region keeps its own. JSON is always UTF-8. */
const charsetOf = (subject: ReportSubject): string => {
  if (subject.reportType === 'GET_SALES_AND_TRAFFIC_REPORT') return 'utf8'
  const facts = marketplaceByAmazonId(subject.marketplaceId)
  if (facts?.key === 'JP') return 'Shift_JIS'
  return facts?.region === 'EU' ? 'windows-1252' : 'utf8'
}

/** The bytes of a report's file as they lie in the store. Throws on a type it does not know. */
export const reportFile = (subject: ReportSubject): Buffer => {
  const write = writers[subject.reportType]
  if (!write) throw new Error(`no such report: ${subject.reportType}`)
  const bytes = iconv.encode(write(subject), charsetOf(subject))
  return isCompressed(subject.reportType, subject.marketplaceId) ? gzipSync(bytes) : bytes
}
