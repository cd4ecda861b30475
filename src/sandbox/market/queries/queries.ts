import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product } from '../../core/model/store.ts'
import { createDice, fraction, hashText, mix, normal } from '../random.ts'
import { matchWords } from './matching.ts'
import type { CategoryWords, Language } from '../vocabulary/category-words.ts'
import { languageOf } from '../vocabulary/vocabulary.ts'

export type TermKind = 'head' | 'feature' | 'use' | 'pair' | 'astray' | 'rival' | 'own' | 'page' | 'rare'

/** What shoppers type, or a product page they look at, with its truth. */
export interface Term {
  text: string
  words: readonly string[]
  kind: TermKind
  categoryId: string
  /** Words of the vocabulary that narrow it down; empty for the bare name. */
  narrowing: readonly string[]
  seed: number
  /** Searches (or page views) an hour in a mean hour of a mean day. */
  volume: number
  /** What rivals typically bid for a click. */
  rivalBidMicros: number
}

/** All searches and pages of one marketplace. */
export interface TermBook {
  language: Language
  categories: readonly CategoryWords[]
  terms: readonly Term[]
  byCategory: ReadonlyMap<string, readonly Term[]>
  /** Adds the search that a keyword names though hardly anybody types it; null when it names nothing sold here. */
  rare(words: readonly string[], text: string): Term | null
}

const volumeOf: Record<TermKind, number> = {
  head: 12,
  feature: 3,
  use: 1.8,
  pair: 0.8,
  astray: 2.5,
  rival: 1.2,
  own: 0.5,
  page: 2.2,
  rare: 0.08,
}
const traffic: Record<string, number> = { US: 1, DE: 0.7, JP: 0.7, CA: 0.3, MX: 0.25 }
/** How busy a marketplace is; the United States are 1. */
export const trafficOf = (marketplaceId: string): number =>
  traffic[marketplaceByAmazonId(marketplaceId)?.key ?? ''] ?? 0.2
/** Pages of rivals' products in each category. */
export const RIVAL_PAGES = 14

/** A rival's product of a category; the same for everyone who asks. */
export const rivalAsin = (marketplaceId: string, categoryId: string, index: number, seed: number): string => {
  const alphabet = '0123456789ABCDEFGHJKLMNPQRSTVWXYZ'
  const hash = hashText(`${marketplaceId}|${categoryId}|${index}`, seed)
  return `B0${Array.from({ length: 8 }, (_, i) => alphabet[mix(hash, i) % alphabet.length]).join('')}`
}

/** Words of a category that the vocabulary does not know, from the titles of its products. */
const wordsFromProducts = (products: readonly Product[]): CategoryWords => {
  const first = products[0] as Product
  const titles = products
    .flatMap(product => product.title.toLowerCase().split(/[\s,–-]+/))
    .filter(word => word.length > 2)
  return {
    id: first.categoryId,
    name: first.categoryName,
    path: first.categoryName,
    heads: [first.categoryName.toLowerCase()],
    features: [...new Set(titles)].slice(0, 8),
    uses: [],
    astray: [],
    price: products.reduce((sum, product) => sum + product.priceMicros, 0) / products.length / 1e6,
    complements: [],
  }
}

type Draft = Pick<Term, 'text' | 'kind' | 'narrowing'>

const searchesOf = (words: CategoryWords, language: Language, brands: readonly string[], seed: number): Draft[] =>
  words.heads.flatMap(head => {
    const named = (kind: TermKind, list: readonly string[], join: (word: string) => string): Draft[] =>
      list.map(word => ({ text: join(word), kind, narrowing: [word] }))
    const pairs = words.features.flatMap((a, i) =>
      words.features
        .slice(i + 1)
        .filter(b => fraction(hashText(`${head}${a}${b}`, seed)) < 0.35)
        .map((b): Draft => ({ text: language.feature(a, language.feature(b, head)), kind: 'pair', narrowing: [a, b] })),
    )
    const rivals = language.rivals.filter(rival => fraction(hashText(`${head}${rival}`, seed)) < 0.4)
    return [
      { text: head, kind: 'head' as const, narrowing: [] },
      ...named('feature', words.features, word => language.feature(word, head)),
      ...named('use', words.uses, word => language.use(head, word)),
      ...pairs,
      ...named('astray', words.astray, word => language.feature(word, head)),
      ...named('rival', rivals, word => `${word} ${head}`),
      ...named('own', brands, word => `${word.toLowerCase()} ${head}`),
    ]
  })

/** The searches and product pages of a marketplace, with volumes and rivals' bids that depend on the seed alone. */
export const createTermBook = (marketplaceId: string, products: readonly Product[], seed: number): TermBook => {
  const facts = marketplaceByAmazonId(marketplaceId)
  const language = languageOf(marketplaceId)
  const scale = trafficOf(marketplaceId)
  const unknown = [...Map.groupBy(products, product => product.categoryId).entries()].filter(
    ([id]) => !language.categories.some(category => category.id === id),
  )
  const categories = [...language.categories, ...unknown.map(([, list]) => wordsFromProducts(list))]
  const finish = (draft: Draft, words: CategoryWords): Term => {
    const termSeed = hashText(`${marketplaceId}|${draft.text}`, seed)
    const dice = createDice(termSeed)
    const bid = words.price * 1e6 * 0.034 * Math.exp(0.35 * normal(dice)) * (draft.kind === 'head' ? 1.25 : 1)
    return {
      ...draft,
      words: draft.kind === 'page' ? [draft.text] : matchWords(draft.text),
      categoryId: words.id,
      seed: termSeed,
      volume: volumeOf[draft.kind] * scale * Math.exp(0.7 * normal(dice)),
      rivalBidMicros: Math.max(bid, (facts?.minBidMicros ?? 20_000) * 3),
    }
  }
  const byCategory = new Map<string, Term[]>()
  for (const words of categories) {
    const own = products.filter(product => product.categoryId === words.id)
    const brands = [...new Set(own.map(product => product.brand))]
    const asins = [
      ...Array.from({ length: RIVAL_PAGES }, (_, i) => rivalAsin(marketplaceId, words.id, i, seed)),
      ...new Set(own.map(product => product.asin)),
    ]
    const pages = asins.map((asin): Draft => ({ text: asin.toLowerCase(), kind: 'page', narrowing: [] }))
    byCategory.set(
      words.id,
      [...searchesOf(words, language, brands, seed), ...pages].map(draft => finish(draft, words)),
    )
  }
  const rare = (words: readonly string[], text: string): Term | null => {
    const home = categories.find(category =>
      [category.name, ...category.heads].some(head =>
        matchWords(head).some(word => word.length > 1 && words.includes(word)),
      ),
    )
    return home ? finish({ text: text.toLowerCase(), kind: 'rare', narrowing: [] }, home) : null
  }
  return { language, categories, terms: [...byCategory.values()].flat(), byCategory, rare }
}
