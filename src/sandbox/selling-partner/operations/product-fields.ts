import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { Product, Store } from '../../core/model/store.ts'
import type { SpRequest } from './operation.ts'

/** The products of one marketplace, in the order of the store; those of one seller if it is given. */
export function productsIn(store: Store, marketplaceId: string, sellerId?: string): Product[] {
  return [...store.products.values()].filter(
    product => product.marketplaceId === marketplaceId && (sellerId ?? product.sellerId) === product.sellerId,
  )
}

export const productsOf = ({ store, seller }: SpRequest, marketplaceId: string): Product[] =>
  productsIn(store, marketplaceId, seller.sellerId)

export const newListing = {
  fulfillable: 0,
  reserved: 0,
  unfulfillable: 0,
  inboundWorking: 0,
  inboundShipped: 0,
  inboundReceiving: 0,
  eligibility: 'ELIGIBLE',
  eligibilityMessage: null,
} as const

export function totalQuantityOf(product: Product): number {
  const { fulfillable, reserved, unfulfillable, inboundWorking, inboundShipped, inboundReceiving } = product
  return fulfillable + reserved + unfulfillable + inboundWorking + inboundShipped + inboundReceiving
}

/** The main image. Paths are relative to the emulator's own address. */
export function imageOf({ world }: SpRequest, { imageUrl }: Product) {
  return { link: imageUrl.startsWith('/') ? world.config.publicUrl + imageUrl : imageUrl, height: 500, width: 500 }
}

export const currencyOf = (marketplaceId: string): string => marketplaceByAmazonId(marketplaceId)?.currency ?? 'USD'

export const amountText = (micros: number, currency: string): string =>
  fromMicros(micros).toFixed(currencyDigits(currency))

/** An amount as most of these APIs write it. */
export function amountOf(micros: number, marketplaceId: string): { amount: string; currencyCode: string } {
  const currencyCode = currencyOf(marketplaceId)
  return { amount: amountText(micros, currencyCode), currencyCode }
}

/** Name of a product type as the marketplace writes it. The categories of the vocabulary serve as product types. */
export function productTypeOf({ categoryName }: Product): string {
  const words = categoryName.toUpperCase().match(/[A-Z]+/g)
  return words?.join('_') ?? 'PRODUCT'
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
