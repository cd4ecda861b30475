import type { CreatePayloadInput } from '#features/launches/launch-schema.ts'

const matches = ['BROAD', 'PHRASE', 'EXACT'] as const
type Match = (typeof matches)[number]

/** How many different keywords of each match type the 100 products have; an ad group holds 1000. */
export type Spread = Readonly<Record<Match, number>>

/** As many as there can be. */
export const widest: Spread = { BROAD: 1000, PHRASE: 1000, EXACT: 1000 }
/** Fewer, since each is kept out of every earlier phase: two batches of keywords, and two of negatives. */
export const usual: Spread = { BROAD: 1000, PHRASE: 400, EXACT: 100 }

/** Every keyword of a spread, once, as the seller writes it. */
export function keywordsOf(spread: Spread) {
  return matches
    .flatMap(matchType => Array.from({ length: spread[matchType] }, () => matchType))
    .map((matchType, n) => ({ keyword: `beach towel ${n}`, matchType, bid: (50 + (n % 50)) / 100 }))
}

/** A funnel for products with 50 keywords each, of which some are the same. */
export function largePayload(
  products: readonly { asin: string; sku: string }[],
  spread: Spread,
): Partial<CreatePayloadInput> {
  const keywords = keywordsOf(spread)
  return {
    template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
    setupMode: 'GUIDED',
    keywordMatchType: 'EXACT',
    includeHighImpact: true,
    products: products.map((product, p) => ({
      ...product,
      keywords: Array.from({ length: 50 }, (_, k) => keywords[(p * 50 + k) % keywords.length]).filter(k => !!k),
    })),
    negativeKeywords: [{ keyword: 'free', matchType: 'NEGATIVE_PHRASE' }, { keyword: 'used towel' }],
  }
}
