import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product, Store } from '../../core/model/store.ts'
import type { Market } from '../../market/market.ts'
import { amountText, currencyOf, fulfilmentChannelOf, totalQuantityOf } from '../operations/product-fields.ts'
import { listingColumns, listingHeader } from './listing-headers.ts'

/** What a report is about, and what its file is written from. */
export interface ReportSubject {
  reportType: string
  sellerId: string
  marketplaceId: string
  from: Date
  to: Date
  options: Record<string, string>
  store: Store
  market: Market
}

const inventoryColumns =
  'sku fnsku asin product-name condition your-price mfn-listing-exists mfn-fulfillable-quantity afn-listing-exists afn-warehouse-quantity afn-fulfillable-quantity afn-unsellable-quantity afn-reserved-quantity afn-total-quantity per-unit-volume afn-inbound-working-quantity afn-inbound-shipped-quantity afn-inbound-receiving-quantity'.split(
    ' ',
  )

/** The seller's products that a report is about. */
export function productsIn({ store, sellerId, marketplaceId }: ReportSubject): Product[] {
  return [...store.products.values()].filter(
    product => product.sellerId === sellerId && product.marketplaceId === marketplaceId,
  )
}

const priceText = ({ marketplaceId, priceMicros }: Product): string =>
  amountText(priceMicros, currencyOf(marketplaceId))

function table(
  columns: readonly string[],
  rows: readonly Record<string, string | number>[],
  header: readonly string[] = columns,
): string {
  return [header, ...rows.map(row => columns.map(column => String(row[column] ?? '').replace(/[\t\r\n]/g, ' ')))]
    .map(cells => cells.join('\t'))
    .join('\r\n')
    .concat('\r\n')
}

function listingRow(product: Product): Record<string, string | number> {
  return {
    'item-name': product.title,
    'listing-id': `0301X${product.fnsku.slice(3)}`,
    'seller-sku': product.sku,
    price: priceText(product),
    // Products in the marketplace's own warehouses have no quantity in this file.
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
  }
}

function inventoryRow(product: Product): Record<string, string | number> {
  return {
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
    'afn-total-quantity': totalQuantityOf(product),
    'per-unit-volume': 0.05,
    'afn-inbound-working-quantity': product.inboundWorking,
    'afn-inbound-shipped-quantity': product.inboundShipped,
    'afn-inbound-receiving-quantity': product.inboundReceiving,
  }
}

/** The seller's listings. The header is translated where the real one is. */
export function listingsFile(subject: ReportSubject): string {
  const country = marketplaceByAmazonId(subject.marketplaceId)?.key ?? ''
  return table(listingColumns, productsIn(subject).map(listingRow), listingHeader(country))
}

/** The seller's listings in four columns. */
export function openListingsFile(subject: ReportSubject): string {
  return table(
    ['sku', 'asin', 'price', 'quantity'],
    productsIn(subject).map(product => ({
      sku: product.sku,
      asin: product.asin,
      price: priceText(product),
      quantity: '',
    })),
  )
}

/** Stock in the marketplace's warehouses. */
export function inventoryFile(subject: ReportSubject): string {
  return table(inventoryColumns, productsIn(subject).map(inventoryRow))
}
