import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import type { SpRequest } from './operation.ts'

/** The seller's products in one marketplace, in the order of the store. */
export function productsOf({ store, seller }: SpRequest, marketplaceId: string): Product[] {
  return [...store.products.values()].filter(
    product => product.sellerId === seller.sellerId && product.marketplaceId === marketplaceId,
  )
}

/** Units in stock, reserved, unfulfillable and inbound. */
export function totalQuantityOf(product: Product): number {
  return (
    product.fulfillable +
    product.reserved +
    product.unfulfillable +
    product.inboundWorking +
    product.inboundShipped +
    product.inboundReceiving
  )
}

/** Address of a product's image. Paths are relative to the emulator's own address. */
export const imageOf = ({ publicUrl }: SpRequest, { imageUrl }: Product): string =>
  imageUrl.startsWith('/') ? publicUrl + imageUrl : imageUrl

export const currencyOf = (marketplaceId: string): string => marketplaceByAmazonId(marketplaceId)?.currency ?? 'USD'

/** An amount as text with the currency's digits. */
export const amountText = (micros: number, currency: string): string =>
  fromMicros(micros).toFixed(currencyDigits(currency))

/** An amount as most of these APIs write it. */
export function amountOf(micros: number, currencyCode: string): { amount: string; currencyCode: string } {
  return {
    amount: amountText(micros, currencyCode),
    currencyCode,
  }
}

/** Name of a product type as the marketplace writes it. The categories of the vocabulary serve as product types. */
export function productTypeOf({ categoryName }: Product): string {
  return (
    categoryName
      .toUpperCase()
      .replace(/[^A-Z]+/g, '_')
      .replace(/^_|_$/g, '') || 'PRODUCT'
  )
}

/** The marketplace's own warehouses, as each region calls them. */
export function fulfilmentChannelOf(marketplaceId: string): string {
  const marketplace = marketplaceByAmazonId(marketplaceId)
  return marketplace?.key === 'JP' ? 'AMAZON_JP' : `AMAZON_${marketplace?.region ?? 'NA'}`
}

/** A marketplace's country as ISO writes it, unlike the Ads API. */
export const isoCountryOf = (key: string | undefined): string | undefined => (key === 'UK' ? 'GB' : key)

/** A marketplace's name, such as `Amazon.co.uk`. */
export function marketplaceNameOf(marketplaceId: string): string {
  const domain = marketplaceByAmazonId(marketplaceId)?.domain ?? ''
  return `${domain.charAt(0).toUpperCase()}${domain.slice(1)}`
}
