import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Product } from '../../core/model/store.ts'
import { codeOf, createRandom, fraction, hashText, mix, normal } from '../random.ts'
import type { CategoryWords, Language } from '../vocabulary.ts'
import { languageOf } from '../vocabulary.ts'
import { matchWords } from './matching.ts'

export type QueryKind =
  | 'head'
  | 'feature'
  | 'use'
  | 'pair'
  | 'irrelevant'
  | 'rival'
  | 'own-brand'
  | 'page'
  | 'rare'
  | 'tail'

/** What shoppers type, or a product page they look at, with properties that nobody outside the market can see. */
export interface Query {
  text: string
  words: readonly string[]
  kind: QueryKind
  categoryId: string
  /** Words of the vocabulary that narrow it down. Empty for a bare product name. */
  narrowing: readonly string[]
  seed: number
  /** Searches (or page views) in an average hour. */
  volume: number
  /** What rivals bid on average. */
  rivalBidMicros: number
  /** How alike their bids are: the power by which the odds of winning follow the bid. */
  winPower: number
  /** The power by which the price of a click follows a bid far above theirs. */
  priceSlope: number
  /** Share of the orders after an ad that would have come without it. */
  loyalty: number
}

export type QueryIndex = ReturnType<typeof createQueryIndex>

const volumeOf: Record<QueryKind, number> = {
  head: 12,
  feature: 3,
  use: 1.8,
  pair: 0.8,
  irrelevant: 2.5,
  rival: 1.2,
  'own-brand': 0.5,
  page: 2.2,
  rare: 0.08,
  tail: 0.03,
}
const traffic: Record<string, number> = { US: 1, DE: 0.7, JP: 0.7, CA: 0.3, MX: 0.25 }
/** How busy a marketplace is relative to the United States. */
export const trafficOf = (marketplaceId: string): number =>
  traffic[marketplaceByAmazonId(marketplaceId)?.key ?? ''] ?? 0.2
export const RIVAL_PAGES = 14

/** A rival's product in a category. The same arguments always give the same ASIN. */
export function rivalAsin(marketplaceId: string, categoryId: string, index: number, seed: number): string {
  return `B0${codeOf(hashText(`${marketplaceId}|${categoryId}|${index}`, seed), 8)}`
}

/** Words for a category that the vocabulary lacks, from the titles of its products. */
function wordsFromProducts(products: readonly Product[]): CategoryWords {
  const first = products[0] as Product
  const titleWords = products
    .flatMap(product => product.title.toLowerCase().split(/[\s,–-]+/))
    .filter(word => word.length > 2)
  return {
    id: first.categoryId,
    name: first.categoryName,
    path: first.categoryName,
    heads: [first.categoryName.toLowerCase()],
    features: [...new Set(titleWords)].slice(0, 8),
    uses: [],
    irrelevant: [],
    price: products.reduce((sum, product) => sum + product.priceMicros, 0) / products.length / 1e6,
    complements: [],
  }
}

type QueryDraft = Pick<Query, 'text' | 'kind' | 'narrowing'>

function searchesOf(words: CategoryWords, language: Language, brands: readonly string[], seed: number): QueryDraft[] {
  return words.heads.flatMap(head => {
    const withEach = (kind: QueryKind, list: readonly string[], join: (word: string) => string): QueryDraft[] =>
      list.map(word => ({ text: join(word), kind, narrowing: [word] }))
    const pairs = words.features.flatMap((a, i) =>
      words.features
        .slice(i + 1)
        .filter(b => fraction(hashText(`${head}${a}${b}`, seed)) < 0.35)
        .map((b): QueryDraft => {
          const text = language.feature(a, language.feature(b, head))
          return { text, kind: 'pair', narrowing: [a, b] }
        }),
    )
    const rivals = language.rivals.filter(rival => fraction(hashText(`${head}${rival}`, seed)) < 0.4)
    return [
      { text: head, kind: 'head' as const, narrowing: [] },
      ...withEach('feature', words.features, word => language.feature(word, head)),
      ...withEach('use', words.uses, word => language.use(head, word)),
      ...pairs,
      ...withEach('irrelevant', words.irrelevant, word => language.feature(word, head)),
      ...withEach('rival', rivals, word => `${word} ${head}`),
      ...withEach('own-brand', brands, word => `${word.toLowerCase()} ${head}`),
    ]
  })
}

/** Searches that hardly anybody types: three words of the vocabulary together, and words that anybody adds to anything. */
function tailOf(words: CategoryWords, language: Language, usualTexts: ReadonlySet<string>): QueryDraft[] {
  const drafts = new Map<string, QueryDraft>()
  const add = (text: string, narrowing: readonly string[]): void => {
    if (!usualTexts.has(text) && !drafts.has(text)) drafts.set(text, { text, kind: 'tail', narrowing })
  }
  for (const head of words.heads)
    for (const one of words.features) {
      const text = language.feature(one, head)
      for (const extra of language.extras) add(`${text} ${extra}`, [one])
      for (const use of words.uses) add(language.use(text, use), [one])
      for (const two of words.features)
        if (one !== two) {
          const both = language.feature(two, text)
          add(both, [one, two])
          for (const use of words.uses) add(language.use(both, use), [one, two])
        }
    }
  return [...drafts.values()]
}

/**
 * The queries and product pages of a marketplace. Their volumes and rivals' bids depend on the seed alone. With a tail,
 * hundreds of searches more in each category, of which few bring a click in a week.
 */
export function createQueryIndex(
  marketplaceId: string,
  products: readonly Product[],
  seed: number,
  { tail = false }: { tail?: boolean } = {},
) {
  const minBidMicros = marketplaceByAmazonId(marketplaceId)?.minBidMicros ?? 20_000
  const language = languageOf(marketplaceId)
  const scale = trafficOf(marketplaceId)
  const productsByCategory = Map.groupBy(products, product => product.categoryId)
  const missing = [...productsByCategory].filter(([id]) => !language.categories.some(category => category.id === id))
  const categories = [...language.categories, ...missing.map(([, list]) => wordsFromProducts(list))]
  const queryOf = (draft: QueryDraft, words: CategoryWords): Query => {
    const querySeed = hashText(`${marketplaceId}|${draft.text}`, seed)
    const random = createRandom(querySeed)
    const bid = words.price * 1e6 * 0.034 * Math.exp(0.35 * normal(random)) * (draft.kind === 'head' ? 1.25 : 1)
    return {
      ...draft,
      words: draft.kind === 'page' ? [draft.text] : matchWords(draft.text),
      categoryId: words.id,
      seed: querySeed,
      volume: volumeOf[draft.kind] * scale * Math.exp(0.7 * normal(random)),
      rivalBidMicros: Math.max(bid, minBidMicros * 3),
      winPower: 1.3 + 2.2 * fraction(mix(querySeed, 0x77696e)),
      loyalty:
        (draft.kind === 'own-brand' ? 0.4 : 0.05) +
        (draft.kind === 'own-brand' ? 0.3 : 0.1) * fraction(mix(querySeed, 0x6c6f79)),
      priceSlope: 0.5 + 0.25 * fraction(mix(querySeed, 0x736c6f)),
    }
  }
  const byCategory = new Map<string, Query[]>()
  for (const words of categories) {
    const listed = productsByCategory.get(words.id) ?? []
    const brands = [...new Set(listed.map(product => product.brand))]
    const asins = [
      ...Array.from({ length: RIVAL_PAGES }, (_, i) => rivalAsin(marketplaceId, words.id, i, seed)),
      ...new Set(listed.map(product => product.asin)),
    ]
    const pages = asins.map((asin): QueryDraft => ({ text: asin.toLowerCase(), kind: 'page', narrowing: [] }))
    const searches = searchesOf(words, language, brands, seed)
    const usualTexts = new Set(searches.map(one => one.text))
    const drafts = [...searches, ...(tail ? tailOf(words, language, usualTexts) : []), ...pages]
    byCategory.set(
      words.id,
      drafts.map(draft => queryOf(draft, words)),
    )
  }
  return {
    language,
    categories,
    queries: [...byCategory.values()].flat(),
    byCategory,
    /** Categories bought together with these, without duplicates. */
    complements: (ids: readonly string[]): string[] => [
      ...new Set(categories.filter(category => ids.includes(category.id)).flatMap(category => category.complements)),
    ],
    /** The query that a keyword describes though hardly anybody types it; null when nothing like it is sold here. */
    rareQuery(words: readonly string[], text: string): Query | null {
      const category = categories.find(({ name, heads }) =>
        [name, ...heads].some(head => matchWords(head).some(word => word.length > 1 && words.includes(word))),
      )
      return category ? queryOf({ text: text.toLowerCase(), kind: 'rare', narrowing: [] }, category) : null
    },
  }
}
