import type { Product } from '../../core/model/store.ts'
import { createDice, fraction, hashText, mix } from '../random.ts'
import { type Term, trafficOf } from './queries.ts'

/** A product as shoppers truly see it; nobody outside the market may know. */
export interface Good {
  key: string
  product: Product
  seed: number
  /** Orders per click at the price it had when the market first saw it, for a search that fits. */
  conversion: number
  /** Factor on the clicks of a mean product. */
  appeal: number
  /** By what power orders fall when the price rises. */
  elasticity: number
  firstPriceMicros: number
  /** Orders an hour that would come without any ad. */
  organicOrders: number
  title: string
}

/** Key of a listing, as the books have it. */
export const listingKey = (sellerId: string, marketplaceId: string, sku: string): string =>
  `${sellerId}|${marketplaceId}|${sku}`

/** The truth of a product, from the seed alone but for the price it first had. */
export const createGood = (product: Product, seed: number, firstPriceMicros: number): Good => {
  const key = listingKey(product.sellerId, product.marketplaceId, product.sku)
  const goodSeed = hashText(key, seed)
  const dice = createDice(goodSeed)
  return {
    key,
    product,
    seed: goodSeed,
    conversion: 0.035 + 0.085 * dice() ** 1.3,
    appeal: 0.7 + 0.6 * dice(),
    elasticity: 1.2 + 1.3 * dice(),
    firstPriceMicros,
    organicOrders: (0.01 + 0.2 * dice() ** 3) * trafficOf(product.marketplaceId),
    title: product.title.toLowerCase(),
  }
}

/** Factor on orders of today's price against the first one. */
export const priceFactor = (good: Good): number =>
  good.product.priceMicros <= 0 ? 1 : (good.firstPriceMicros / good.product.priceMicros) ** good.elasticity

/**
 * How well a product answers a search: 1 is a plain fit, about 1.5 is gold, below 0.05 nobody buys. A feature the
 * product carries in its title helps, one it lacks harms; searches that went astray are worthless to everyone.
 */
export const relevance = (term: Term, good: Good): number => {
  if (term.categoryId !== good.product.categoryId) return term.kind === 'page' ? 0.2 : 0.03
  const luck = 0.75 + 0.5 * fraction(mix(term.seed, good.seed))
  switch (term.kind) {
    case 'head':
      return 0.75 * luck
    case 'feature':
    case 'pair': {
      const carried = term.narrowing.filter(word => good.title.includes(word)).length / term.narrowing.length
      return (0.3 + 1.0 * carried) * luck
    }
    case 'use':
      return (fraction(mix(good.seed, term.seed)) < 0.4 ? 0.12 : 1.05) * luck
    case 'own':
      return term.text.startsWith(good.product.brand.toLowerCase()) ? 1.5 * luck : 0.3
    case 'page':
      return term.text === good.product.asin.toLowerCase() ? 0 : 0.55 * luck
    case 'rival':
      return 0.3 * luck
    case 'rare':
      return 0.8 * luck
    case 'astray':
      return 0.015
  }
}
