import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product, Store } from '../../core/model/store.ts'
import type { Market } from '../../market/create-market.ts'
import { amountOf, fulfilmentChannelOf, productsIn, totalQuantityOf } from '../operations/product-fields.ts'

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

const listingColumns =
  'item-name item-description listing-id seller-sku price quantity open-date image-url item-is-marketplace product-id-type zshop-shipping-fee item-note item-condition zshop-category1 zshop-browse-path zshop-storefront-feature asin1 asin2 asin3 will-ship-internationally expedited-shipping zshop-boldface product-id bid-for-featured-placement add-delete pending-quantity fulfillment-channel merchant-shipping-group status'
const inventoryColumns =
  'sku fnsku asin product-name condition your-price mfn-listing-exists mfn-fulfillable-quantity afn-listing-exists afn-warehouse-quantity afn-fulfillable-quantity afn-unsellable-quantity afn-reserved-quantity afn-total-quantity per-unit-volume afn-inbound-working-quantity afn-inbound-shipped-quantity afn-inbound-receiving-quantity'

/** German and Japanese headers of listings are translated, all others English. */
const headersByCountry: Record<string, Record<string, string>> = {
  DE: {
    'item-name': 'Artikelbezeichnung',
    'item-description': 'Artikelbeschreibung',
    'listing-id': 'Angebotsnummer',
    'seller-sku': 'Händler-SKU',
    price: 'Preis',
    quantity: 'Menge',
    'open-date': 'Erstellungsdatum',
    'item-is-marketplace': 'Artikel ist Marketplace-Angebot',
    'product-id-type': 'Produkt-ID-Typ',
    'item-note': 'Anmerkung zum Artikel',
    'item-condition': 'Artikelzustand',
    asin1: 'ASIN 1',
    asin2: 'ASIN 2',
    asin3: 'ASIN 3',
    'will-ship-internationally': 'Internationaler Versand',
    'expedited-shipping': 'Expressversand',
    'product-id': 'Produkt-ID',
    'add-delete': 'Hinzufügen-Löschen',
    'pending-quantity': 'Anzahl Bestellungen',
    'fulfillment-channel': 'Versand-Kanal',
    'merchant-shipping-group': 'Händlerversandgruppe',
    status: 'Status',
  },
  JP: {
    'item-name': '商品名',
    'listing-id': '出品ID',
    'seller-sku': '出品者SKU',
    price: '価格',
    quantity: '数量',
    'open-date': '出品日',
    'product-id-type': '商品IDタイプ',
    'item-note': 'コンディション説明',
    'item-condition': 'コンディション',
    'will-ship-internationally': '国外へ配送可',
    'expedited-shipping': '迅速な配送',
    'product-id': '商品ID',
    'pending-quantity': '在庫数(保留中)',
    'fulfillment-channel': 'フルフィルメント・チャンネル',
    status: 'ステータス',
  },
}

/** A file of the seller's products, with these columns; `headers` names those that are translated. */
function table(
  { store, marketplaceId, sellerId }: ReportSubject,
  columnNames: string,
  rowOf: (product: Product) => Record<string, string | number>,
  headers: Record<string, string> = {},
): string {
  const columns = columnNames.split(' ')
  const rows = productsIn(store, marketplaceId, sellerId).map(product => {
    const row = rowOf(product)
    return columns.map(column => String(row[column] ?? '').replace(/[\t\r\n]/g, ' '))
  })
  return [columns.map(column => headers[column] ?? column), ...rows].map(cells => `${cells.join('\t')}\r\n`).join('')
}

const priceOf = ({ marketplaceId, priceMicros }: Product): string => amountOf(priceMicros, marketplaceId).amount

function listingsFile(subject: ReportSubject): string {
  const rowOf = (product: Product) => ({
    'item-name': product.title,
    'listing-id': `0301X${product.fnsku.slice(3)}`,
    'seller-sku': product.sku,
    price: priceOf(product),
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
  })
  const country = marketplaceByAmazonId(subject.marketplaceId)?.key ?? ''
  return table(subject, listingColumns, rowOf, headersByCountry[country])
}

function openListingsFile(subject: ReportSubject): string {
  return table(subject, 'sku asin price quantity', product => ({
    sku: product.sku,
    asin: product.asin,
    price: priceOf(product),
  }))
}

function inventoryFile(subject: ReportSubject): string {
  return table(subject, inventoryColumns, product => ({
    sku: product.sku,
    fnsku: product.fnsku,
    asin: product.asin,
    'product-name': product.title,
    condition: 'New',
    'your-price': priceOf(product),
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
  }))
}

export const flatFiles: Readonly<Record<string, (subject: ReportSubject) => string>> = {
  GET_MERCHANT_LISTINGS_ALL_DATA: listingsFile,
  GET_FLAT_FILE_OPEN_LISTINGS_DATA: openListingsFile,
  GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA: inventoryFile,
  GET_FBA_MYI_ALL_INVENTORY_DATA: inventoryFile,
}
