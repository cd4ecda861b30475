import * as v from 'valibot'
import { strategies } from './bid-rules.ts'
import { money } from '#shared/money.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'

// The marketplace writes paths in two ways: `Sports > Accessories`, and `/Sports/Accessories`.
function levels(path: string): string[] {
  return path
    .split(path.startsWith('/') ? '/' : '>')
    .map(level => level.trim().toLowerCase())
    .filter(level => level !== '')
}

// What a department sells together shares its first two levels: cutlery with kitchen utensils, no yoga mats with bottles.
const SHARED_LEVELS = 2

interface NamedCategory {
  name: string
  path: string | null
}

/**
 * A check of whether a recommended category is related to products of some categories (by name): its path shares the first two
 * levels with one of theirs. Always true where that cannot be decided: the category has no path, or a product's own category is
 * not known or not among the recommended ones, which alone have paths.
 */
export function relatedCategories(
  recommended: readonly NamedCategory[],
  productCategories: readonly (string | null)[],
): (category: NamedCategory) => boolean {
  const own = productCategories.map(name => {
    const category = recommended.find(c => name !== null && c.name.toLowerCase() === name.toLowerCase())
    return category?.path ? levels(category.path).slice(0, SHARED_LEVELS).join('>') : null
  })
  if (own.includes(null)) return () => true
  return ({ path }) => path === null || own.includes(levels(path).slice(0, SHARED_LEVELS).join('>'))
}

export { amountText, chooseBid, clickCap, marketDefaultBid, ownBid, presentBid, typicalBid } from './bid-rules.ts'
export { strategies } from './bid-rules.ts'
export type { BidBounds, ChosenBid, Strategy, SuggestedBids } from './bid-rules.ts'

export const keywordMatchTypes = ['EXACT', 'BROAD', 'PHRASE'] as const
export type KeywordMatchType = (typeof keywordMatchTypes)[number]

/** A product of the marketplace: exactly 10 letters and digits, in upper case. */
export const asinSchema = v.pipe(
  v.string('An ASIN has exactly 10 letters and digits'),
  v.trim(),
  v.toUpperCase(),
  v.regex(/^[A-Z0-9]{10}$/, 'An ASIN has exactly 10 letters and digits'),
)

/** The marketplace recommends for at most 50 products at once. */
export const MAX_ASINS = 50

const asins = v.pipe(
  v.array(asinSchema, 'Select at least one product'),
  v.minLength(1, 'Select at least one product'),
  v.maxLength(MAX_ASINS, `At most ${MAX_ASINS} products at once`),
)

/** A bid by the strategy, with the range it was taken from (null where the marketplace suggests none) and why. */
export const recommendedBid = {
  bid: money,
  lowBid: v.nullable(money),
  medianBid: v.nullable(money),
  highBid: v.nullable(money),
  why: v.string(),
}
const bidFields = { ...recommendedBid, currency: v.string() }

const keywordRecommendation = v.object({
  keyword: v.string(),
  matchType: v.picklist(keywordMatchTypes),
  ...bidFields,
})
const categoryRecommendation = v.object({
  categoryId: v.string(),
  name: v.string(),
  path: v.nullable(v.string()),
  /** False where it has nothing to do with the products' own categories. */
  isRelated: v.boolean(),
  ...bidFields,
})
const productTheme = v.object({
  theme: v.string(),
  description: v.nullable(v.string()),
  /** `isOwn` marks products that the seller lists as well. */
  asinBids: v.array(v.object({ asin: v.string(), isOwn: v.boolean(), ...bidFields })),
})
export type KeywordRecommendation = v.InferOutput<typeof keywordRecommendation>
export type CategoryRecommendation = v.InferOutput<typeof categoryRecommendation>
export type ProductThemeRecommendation = v.InferOutput<typeof productTheme>

const recommended = {
  method: 'POST',
  access: 'subscription',
  errors: ['RULE_VIOLATED', 'UPSTREAM_FAILED', 'UPSTREAM_UNAUTHORIZED', 'UPSTREAM_UNAVAILABLE'],
} as const
const body = v.strictObject({ asins, strategy: v.picklist(strategies, 'Please select a campaign strategy') })

export const recommendationEndpoints = {
  keywords: defineEndpoint({
    ...recommended,
    path: '/sp/recommendations/keywords',
    summary: 'Keywords the marketplace recommends for products, strongest first, each with its bid',
    /** Without a match type: every one. */
    body: v.strictObject({ ...body.entries, matchType: v.optional(v.picklist(keywordMatchTypes)) }),
    response: v.array(keywordRecommendation),
  }),
  categories: defineEndpoint({
    ...recommended,
    path: '/sp/recommendations/categories',
    summary: 'Categories the marketplace recommends to target for products, each with its bid',
    body,
    response: v.array(categoryRecommendation),
  }),
  products: defineEndpoint({
    ...recommended,
    path: '/sp/recommendations/products',
    summary: 'Products the marketplace recommends to target, grouped by why, each with its bid',
    body,
    response: v.array(productTheme),
  }),
}
