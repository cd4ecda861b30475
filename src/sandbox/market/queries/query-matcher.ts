import type { Store, Expression } from '../../core/model/store.ts'
import { categoriesOf, type Listing, relevance } from './listing.ts'
import { keywordMatches, type MatchType, matchWords } from './matching.ts'
import { createQueryIndex, type Query, type QueryIndex } from './queries.ts'
import { fraction, hashText, mix } from '../random.ts'
import { getOrMake } from '../get-or-make.ts'

const AUTO_LIMIT = 30
const BROAD_LIMIT = 40
/** Of searches that hardly anybody types, a target reaches more. */
const TAIL_LIMIT = 120

export type QueryMatcher = ReturnType<typeof createQueryMatcher>
export type QueriesOf = ReturnType<typeof createQueriesOf>

/** The queries of a marketplace. Made on first use, and again when the number of products changes. */
export function createQueriesOf(store: Store, seed: number, options: { tail?: boolean } = {}) {
  const cache = new Map<string, { size: number; index: QueryIndex; matcher: QueryMatcher }>()
  return (marketplaceId: string) => {
    const products = [...store.products.values()].filter(product => product.marketplaceId === marketplaceId)
    let entry = cache.get(marketplaceId)
    if (entry?.size !== products.length) {
      const index = createQueryIndex(marketplaceId, products, seed, options)
      entry = { size: products.length, index, matcher: createQueryMatcher(index) }
      cache.set(marketplaceId, entry)
    }
    return entry
  }
}

const keywordTypes: Record<string, MatchType> = {
  KEYWORD_BROAD_MATCH: 'BROAD',
  KEYWORD_PHRASE_MATCH: 'PHRASE',
  KEYWORD_EXACT_MATCH: 'EXACT',
}

/** Which queries an automatic target matches, by their relevance to the listings. */
const autoTypes: Record<string, (fit: number, query: Query) => boolean> = {
  QUERY_HIGH_REL_MATCHES: (fit, query) => query.kind !== 'page' && fit >= 0.55,
  QUERY_BROAD_REL_MATCHES: (fit, query) => query.kind !== 'page' && fit < 0.55 && fit > 0.01,
}
/** Names that some endpoints use for the same types. */
const aliases: Record<string, string> = {
  CLOSE_MATCH: 'QUERY_HIGH_REL_MATCHES',
  LOOSE_MATCH: 'QUERY_BROAD_REL_MATCHES',
  SUBSTITUTES: 'ASIN_SUBSTITUTE_RELATED',
  COMPLEMENTS: 'ASIN_ACCESSORY_RELATED',
}

const byVolume = (a: Query, b: Query): number => b.volume - a.volume

/** The queries that a target reaches: of the usual ones those with most volume, of the others a part that is the same each time. */
function reached(queries: readonly Query[], limit: number, target: string): Query[] {
  const usual = queries
    .filter(query => query.kind !== 'tail')
    .sort(byVolume)
    .slice(0, limit)
  const tail = queries.filter(query => query.kind === 'tail')
  if (tail.length === 0) return usual
  const own = hashText(target, 0)
  return [...usual, ...tail.toSorted((a, b) => mix(a.seed, own) - mix(b.seed, own)).slice(0, TAIL_LIMIT)]
}

/** Broad keywords also meet searches for the same thing by another name: so many of them. */
const LOOSE = 0.15
const isLoose = (index: QueryIndex, words: readonly string[], query: Query): boolean => {
  if (query.kind !== 'tail' || fraction(mix(query.seed, hashText(words.join(' '), 1))) >= LOOSE) return false
  const category = index.categories.find(one => one.id === query.categoryId)
  return category?.heads.some(head => matchWords(head).join(' ') === words.join(' ')) ?? false
}

export function createQueryMatcher(index: QueryIndex) {
  const byWord = Map.groupBy(
    index.queries.flatMap(query =>
      query.kind === 'page' ? [] : [...new Set(query.words)].map(word => ({ word, query })),
    ),
    entry => entry.word,
  )
  const hasTail = index.queries.some(query => query.kind === 'tail')
  const pages = new Map(index.queries.filter(query => query.kind === 'page').map(query => [query.text, query]))
  const pagesOf = (categoryIds: readonly string[]): Query[] =>
    categoryIds.flatMap(id => (index.byCategory.get(id) ?? []).filter(query => query.kind === 'page'))

  // Cached by the text as entered and by its words: large accounts bid on the same texts a thousand times.
  const byText = new Map<string, readonly Query[]>()
  const byWords = new Map<string, readonly Query[]>()
  const byKeyword = (text: string, matchType: MatchType): readonly Query[] =>
    getOrMake(byText, `${matchType}|${text}`, () => {
      const words = matchWords(text)
      return getOrMake(byWords, `${matchType}|${words.join(' ')}`, () => findKeyword(words, text, matchType))
    })
  const findKeyword = (words: readonly string[], text: string, matchType: MatchType): readonly Query[] => {
    const matching = (byWord.get(words[0] ?? '') ?? [])
      .map(entry => entry.query)
      .filter(query => keywordMatches(matchType, words, query.words))
    if (matchType === 'BROAD' && hasTail)
      matching.push(
        ...index.queries.filter(
          query => isLoose(index, words, query) && !keywordMatches(matchType, words, query.words),
        ),
      )
    const matches = reached(matching, BROAD_LIMIT, `${matchType}|${words.join(' ')}`)
    const hasExact = matches.some(query => keywordMatches('EXACT', words, query.words))
    const rare = hasExact ? null : index.rareQuery(words, text)
    return rare ? [...matches, rare] : matches
  }

  const byPart = (part: Expression, listings: readonly Listing[]): readonly Query[] => {
    const type = aliases[part.type] ?? part.type
    const keywordType = keywordTypes[type]
    if (keywordType) return byKeyword(part.value ?? '', keywordType)
    const isClose = autoTypes[type]
    if (isClose) {
      const bestFit = (query: Query): number => Math.max(...listings.map(listing => relevance(query, listing)))
      const close = categoriesOf(listings)
        .flatMap(id => index.byCategory.get(id) ?? [])
        .filter(query => isClose(bestFit(query), query))
      return reached(close, AUTO_LIMIT, type)
    }
    if (type === 'ASIN_SUBSTITUTE_RELATED') return pagesOf(categoriesOf(listings))
    if (type === 'ASIN_ACCESSORY_RELATED')
      return pagesOf(index.complements(categoriesOf(listings))).slice(0, AUTO_LIMIT)
    if (type === 'ASIN_CATEGORY_SAME_AS' || type.startsWith('PAT_CATEGORY')) return pagesOf([part.value ?? ''])
    if (type === 'ASIN_SAME_AS' || type === 'ASIN_EXPANDED_FROM' || type === 'PAT_ASIN') {
      const page = pages.get((part.value ?? '').toLowerCase())
      return page ? [page] : []
    }
    return []
  }

  const byExpression = (parts: readonly Expression[], listings: readonly Listing[]): readonly Query[] =>
    parts.flatMap(part => byPart(part, listings))
  return { byKeyword, byExpression }
}
