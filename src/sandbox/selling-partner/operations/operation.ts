import { marketplaceByAmazonId, type RegionKey } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros } from '#shared/money.ts'
import type { FaultKind } from '../../core/faults.ts'
import type { Store, Product, Seller } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { RestrictedResource } from '../../login-with-amazon/token-service.ts'
import type { Market } from '../../market/market.ts'

/** One authorised request, before any operation looked at it. */
export interface SpRequest {
  seller: Seller
  region: RegionKey
  /** Decoded parts of the path. */
  path: Record<string, string>
  query: Record<string, string | string[] | undefined>
  body: unknown
  now: Date
  store: Store
  market: Market
  /** Where the sandbox itself can be reached, without a slash at the end. */
  publicUrl: string
  /** The fault that was ordered for this request, if any. */
  fault: FaultKind | null
  /** The way to write the books. */
  change: World['change']
  /** True when the request bears a restricted data token, so that buyers may be shown. */
  restricted: boolean
  /** A token of the caller's own grant that opens only these resources, and buyers' data in them. */
  restrict(resources: RestrictedResource[]): { restrictedDataToken: string; expiresIn: number }
}

export interface SpAnswer {
  status: number
  body: unknown
}

/** An operation of the Selling Partner API with its usage plan. */
export interface Operation {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** In the router's words, below the region's host. */
  url: string
  /** Requests a second that the bucket regains, and how many it holds. */
  rate: number
  burst: number
  answer(request: SpRequest): SpAnswer
}

export const ok = (body: unknown): SpAnswer => ({ status: 200, body })

/** A refusal in the API's own form. */
export function refusal(status: number, code: string, message: string, details = ''): SpAnswer {
  return {
    status,
    body: { errors: [{ code, message, details }] },
  }
}

export const invalid = (details: string): SpAnswer => refusal(400, 'InvalidInput', 'Invalid Input', details)
export const notFound = (what: string): SpAnswer => refusal(404, 'NOT_FOUND', `${what} not found.`)

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const MOST_AMOUNT = 1_000_000_000
/** True for an amount of money that somebody may ask for something. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MOST_AMOUNT
}

/** Values of a list parameter, whether joined by commas or repeated. */
export function listOf(value: string | string[] | undefined): string[] {
  return (value === undefined ? [] : [value].flat()).flatMap(part => part.split(',')).filter(part => part !== '')
}

/** The one value of a parameter. */
export function oneOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

/** The seller's marketplaces that a request names; null when it names none or one the seller has no part in. */
export function marketplacesOf(request: SpRequest): string[] | null {
  const ids = listOf(request.query.marketplaceIds)
  return ids.length > 0 && ids.every(id => request.seller.marketplaceIds.includes(id)) ? ids : null
}

/** The seller's products in one marketplace, in the books' order. */
export function productsOf(request: SpRequest, marketplaceId: string): Product[] {
  return [...request.store.products.values()].filter(
    product => product.sellerId === request.seller.sellerId && product.marketplaceId === marketplaceId,
  )
}

/** Address of a product's picture; paths are below the sandbox's own address. */
export function imageOf(request: SpRequest, product: Product): string {
  return product.imageUrl.startsWith('/') ? request.publicUrl + product.imageUrl : product.imageUrl
}

export const currencyOf = (marketplaceId: string): string => marketplaceByAmazonId(marketplaceId)?.currency ?? 'USD'

/** An amount as most of these APIs write it: text, with the currency's digits. */
export function amountOf(micros: number, currencyCode: string): { amount: string; currencyCode: string } {
  return {
    amount: fromMicros(micros).toFixed(currencyDigits(currencyCode)),
    currencyCode,
  }
}

/** A moment given by a parameter: null when it is missing, NaN when it is none. */
export function momentOf(value: string | string[] | undefined): number | null {
  const text = oneOf(value)
  return text === undefined ? null : Date.parse(text)
}

/** Name of a product type as the marketplace writes it; the vocabulary's categories stand for product types. */
export function productTypeOf(product: Product): string {
  return (
    product.categoryName
      .toUpperCase()
      .replace(/[^A-Z]+/g, '_')
      .replace(/^_|_$/g, '') || 'PRODUCT'
  )
}

/** A page token that says where the next page begins; opaque to whoever gets it. */
export const pageToken = (offset: number): string => Buffer.from(`page:${offset}`).toString('base64url')
/** Where a page begins: 0 without a token, null when the token is not ours. */
export function offsetOf(token: string | undefined): number | null {
  if (token === undefined) return 0
  const match = /^page:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())
  return match ? Number(match[1]) : null
}

/** The marketplace's own warehouses, as each region calls them. */
export function fulfilmentChannelOf(marketplaceId: string): string {
  const facts = marketplaceByAmazonId(marketplaceId)
  return facts?.key === 'JP' ? 'AMAZON_JP' : `AMAZON_${facts?.region ?? 'NA'}`
}
