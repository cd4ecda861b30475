import { roundToUnit, smallestUnitMicros } from '#shared/money.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Expression } from '../../core/model/store.ts'
import type { BidRange, Market } from '../market.ts'
import { hashText } from '../random.ts'
import type { Reach } from './query-matcher.ts'
import { RIVAL_PAGES, type Term, type TermBook } from './queries.ts'
import { type Good, relevance } from './listing.ts'

const best = (term: Term, goods: readonly Good[]): number => Math.max(0, ...goods.map(good => relevance(term, good)))

/** Searches that the products answer, by how many buyers they promise. */
export const keywordIdeasOf = (
  book: TermBook,
  goods: readonly Good[],
  most: number,
): { text: string; score: number }[] => {
  const categoryIds = [...new Set(goods.map(good => good.product.categoryId))]
  return categoryIds
    .flatMap(id => book.byCategory.get(id) ?? [])
    .filter(term => term.kind !== 'page')
    .map(term => ({ text: term.text, score: term.volume * best(term, goods) }))
    .filter(idea => idea.score > 0.02)
    .sort((a, b) => b.score - a.score || a.text.localeCompare(b.text))
    .slice(0, most)
}

/** Categories of the products first, then those bought together with them. */
export const categoryIdeasOf = (book: TermBook, goods: readonly Good[]): ReturnType<Market['categoryIdeas']> => {
  const own = [...new Set(goods.map(good => good.product.categoryId))]
  const near = book.categories
    .filter(category => own.includes(category.id))
    .flatMap(category => [...category.complements])
  return [...new Set([...own, ...near])].flatMap(id => {
    const words = book.categories.find(category => category.id === id)
    if (!words) return []
    // The pages that matter are a handful of the thousands a category holds.
    const asinCount = 800 + (hashText(id, RIVAL_PAGES) % 24_000)
    return [{ categoryId: id, name: words.name, path: words.path, asinCount }]
  })
}

/** Pages worth standing on, in the two themes the marketplace speaks of. */
export const productIdeasOf = (
  book: TermBook,
  goods: readonly Good[],
  most: number,
): ReturnType<Market['productIdeas']> => {
  const own = new Set(goods.map(good => good.product.asin))
  const asinsOf = (categoryIds: readonly string[]): string[] =>
    categoryIds
      .flatMap(id => book.byCategory.get(id) ?? [])
      .filter(term => term.kind === 'page' && !own.has(term.text.toUpperCase()))
      .sort((a, b) => b.volume - a.volume)
      .map(term => term.text.toUpperCase())
      .slice(0, Math.min(most, RIVAL_PAGES * 2))
  const categoryIds = [...new Set(goods.map(good => good.product.categoryId))]
  const near = book.categories.filter(category => categoryIds.includes(category.id)).flatMap(c => [...c.complements])
  return [
    { theme: 'SUBSTITUTES', description: 'Products that shoppers compare with yours', asins: asinsOf(categoryIds) },
    {
      theme: 'COMPLEMENTS',
      description: 'Products that shoppers buy together with yours',
      asins: asinsOf([...new Set(near)]),
    },
  ].filter(idea => idea.asins.length > 0)
}

/** What rivals pay where the expression leads, weighted by traffic; null when it leads nowhere. */
export const suggestedBidOf = (
  marketplaceId: string,
  reach: Reach,
  goods: readonly Good[],
  expression: Expression,
): BidRange | null => {
  const marketplace = marketplaceByAmazonId(marketplaceId)
  const terms = reach.expression([expression], goods)
  const volume = terms.reduce((sum, term) => sum + term.volume, 0)
  if (!marketplace || volume === 0) return null
  const typical = terms.reduce((sum, term) => sum + term.rivalBidMicros * term.volume, 0) / volume
  // The closer the match, the more rivals pay for it.
  const closeness = /EXACT|CLOSE|HIGH_REL/.test(expression.type) ? 1.05 : /PHRASE/.test(expression.type) ? 0.95 : 0.85
  const rounded = (micros: number): number =>
    Math.min(
      marketplace.maxBidMicros,
      Math.max(
        marketplace.minBidMicros,
        roundToUnit(micros, marketplace.currency),
        smallestUnitMicros(marketplace.currency),
      ),
    )
  const median = typical * closeness
  return { lowMicros: rounded(median * 0.72), medianMicros: rounded(median), highMicros: rounded(median * 1.4) }
}
