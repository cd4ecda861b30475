import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product } from '../../core/model/store.ts'
import { bell, createRandom, fraction, hashText, mix } from '../random.ts'
import { type Query, trafficOf } from './queries.ts'

/** A product with the properties that shoppers respond to. Nobody outside the market can see them. */
export interface Listing {
  key: string
  product: Product
  seed: number
  /** Orders per click for a matching query, at the price it had when the market first saw it. */
  conversion: number
  /** Factor on the clicks of an average product. */
  appeal: number
  /** The power by which orders fall when the price rises. */
  elasticity: number
  firstPriceMicros: number
  /** What buyers pay, with coupons. */
  priceMicros: number
  /** It can neither be bought nor advertised, whatever its stock. */
  isClosed: boolean
  organicOrders: number
  /** How long its buyers take to decide, relative to the usual time. */
  slowness: number
  title: string
}

export const listingKey = ({ sellerId, marketplaceId, sku }: Product): string => `${sellerId}|${marketplaceId}|${sku}`

export function categoriesOf(listings: readonly Listing[]): string[] {
  return [...new Set(listings.map(listing => listing.product.categoryId))]
}

/** The price of something that people buy at once, in the marketplace's smallest bids. */
const USUAL_PRICE = 1250

/** Dear things are bought later, and some sellers' buyers take their time. */
function slownessOf({ sellerId, marketplaceId, priceMicros }: Product, seed: number): number {
  const least = marketplaceByAmazonId(marketplaceId)?.minBidMicros ?? 20_000
  const byPrice = (Math.max(priceMicros, least) / (USUAL_PRICE * least)) ** 0.35
  return Math.max(0.5, Math.min(2.2, byPrice * Math.exp(0.25 * bell(hashText(sellerId, seed ^ 0x6c6167)))))
}

/** The properties of a product, from the seed and the price it first had. */
export function createListing(product: Product, seed: number, firstPriceMicros: number): Listing {
  const key = listingKey(product)
  const listingSeed = hashText(key, seed)
  const random = createRandom(listingSeed)
  return {
    key,
    product,
    seed: listingSeed,
    conversion: 0.035 + 0.085 * random() ** 1.3,
    appeal: 0.7 + 0.6 * random(),
    elasticity: 1.2 + 1.3 * random(),
    firstPriceMicros,
    priceMicros: product.priceMicros,
    isClosed: false,
    organicOrders: (0.01 + 0.2 * random() ** 3) * trafficOf(product.marketplaceId),
    slowness: slownessOf(product, seed),
    title: product.title.toLowerCase(),
  }
}

/** Factor on orders per click of today's price relative to the first one. */
export const priceFactor = ({ firstPriceMicros, elasticity, priceMicros }: Listing): number =>
  priceMicros <= 0 ? 1 : (firstPriceMicros / priceMicros) ** elasticity

/** Part of the elasticity by which the price, which ads show, also changes how many click. */
const PRICE_IN_CLICKS = 0.3
/** Factor on clicks of today's price relative to the first one. */
export const priceClickFactor = (listing: Listing): number => priceFactor(listing) ** PRICE_IN_CLICKS

/**
 * What the marketplace believes of the fit where it adjusts bids: right on average, and for a pair of product and query
 * always wrong by the same factor.
 */
export const guessedFit = (fit: number, query: Query, { seed }: Listing): number =>
  fit * Math.exp(0.3 * bell(mix(query.seed ^ 0x67756573, seed)))

/**
 * How well a listing answers a query: 1 is an average fit, about 1.5 is excellent, below 0.05 nobody buys. A feature
 * in the product's title helps, a missing one hurts. Irrelevant queries are worthless to everyone.
 */
export function relevance(query: Query, { product, seed, title }: Listing): number {
  if (query.categoryId !== product.categoryId) return query.kind === 'page' ? 0.2 : 0.03
  const luck = 0.75 + 0.5 * fraction(mix(query.seed, seed))
  switch (query.kind) {
    case 'head':
      return 0.75 * luck
    case 'feature':
    case 'pair':
    case 'tail': {
      const matching = query.narrowing.filter(word => title.includes(word)).length / query.narrowing.length
      return (0.3 + 1.0 * matching) * luck
    }
    case 'use':
      return (fraction(mix(seed, query.seed)) < 0.4 ? 0.12 : 1.05) * luck
    case 'own-brand':
      return query.text.startsWith(product.brand.toLowerCase()) ? 1.5 * luck : 0.3
    case 'page':
      return query.text === product.asin.toLowerCase() ? 0 : 0.55 * luck
    case 'rival':
      return 0.3 * luck
    case 'rare':
      return 0.8 * luck
    case 'irrelevant':
      return 0.015
  }
}

/** Of several ads or listings, the one that wins most clicks for a query; null when none is relevant to it. */
export function bestMatch<T extends { listing: Listing }>(
  query: Query,
  options: readonly T[],
): { query: Query; listing: Listing; fit: number; option: T } | null {
  let best: T | null = null
  let bestFit = 0
  for (const option of options) {
    const fit = relevance(query, option.listing)
    if (fit > 0 && (!best || fit * option.listing.appeal > bestFit * best.listing.appeal))
      [best, bestFit] = [option, fit]
  }
  return best && { query, listing: best.listing, fit: bestFit, option: best }
}
