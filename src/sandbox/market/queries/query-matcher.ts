import type { Expression } from '../../core/model/store.ts'
import { keywordMeets, type MatchType, matchWords } from './matching.ts'
import type { Term, TermBook } from './queries.ts'
import { type Good, relevance } from './listing.ts'

const AUTO_REACH = 30
const BROAD_REACH = 40

/** Finds the searches and pages that keywords and targets meet in one marketplace. */
export interface Reach {
  keyword(text: string, matchType: MatchType): readonly Term[]
  expression(expression: readonly Expression[], goods: readonly Good[]): readonly Term[]
}

const matchTypeOf: Record<string, MatchType> = {
  KEYWORD_BROAD_MATCH: 'BROAD',
  KEYWORD_PHRASE_MATCH: 'PHRASE',
  KEYWORD_EXACT_MATCH: 'EXACT',
}

/** Searches an automatic target meets, by how close they are to the products; the best known first. */
const closeness: Record<string, (fit: number, term: Term) => boolean> = {
  QUERY_HIGH_REL_MATCHES: (fit, term) => term.kind !== 'page' && fit >= 0.55,
  QUERY_BROAD_REL_MATCHES: (fit, term) => term.kind !== 'page' && fit < 0.55 && fit > 0.01,
}
const autoNames: Record<string, string> = {
  CLOSE_MATCH: 'QUERY_HIGH_REL_MATCHES',
  LOOSE_MATCH: 'QUERY_BROAD_REL_MATCHES',
  SUBSTITUTES: 'ASIN_SUBSTITUTE_RELATED',
  COMPLEMENTS: 'ASIN_ACCESSORY_RELATED',
}

const byVolume = (a: Term, b: Term): number => b.volume - a.volume

export const createReach = (book: TermBook): Reach => {
  const byWord = Map.groupBy(
    book.terms.flatMap(term => (term.kind === 'page' ? [] : [...new Set(term.words)].map(word => ({ word, term })))),
    entry => entry.word,
  )
  const pages = new Map(book.terms.filter(term => term.kind === 'page').map(term => [term.text, term]))
  const found = new Map<string, readonly Term[]>()
  const pagesOf = (categoryIds: readonly string[]): Term[] =>
    categoryIds.flatMap(id => (book.byCategory.get(id) ?? []).filter(term => term.kind === 'page'))
  const complementsOf = (goods: readonly Good[]): string[] => {
    const own = new Set(goods.map(good => good.product.categoryId))
    return [...new Set(book.categories.filter(category => own.has(category.id)).flatMap(c => [...c.complements]))]
  }

  // By the text as it was entered: big accounts bid on the same texts a thousand times.
  const byText = new Map<string, readonly Term[]>()
  const keyword = (text: string, matchType: MatchType): readonly Term[] => {
    const key = `${matchType}|${text}`
    let terms = byText.get(key)
    if (!terms) byText.set(key, (terms = termsOf(text, matchType)))
    return terms
  }
  const termsOf = (text: string, matchType: MatchType): readonly Term[] => {
    const words = matchWords(text)
    const key = `${matchType}|${words.join(' ')}`
    const known = found.get(key)
    if (known) return known
    const candidates = byWord.get(words[0] ?? '')?.map(entry => entry.term) ?? []
    const met = candidates
      .filter(term => keywordMeets(matchType, words, term.words))
      .sort(byVolume)
      .slice(0, BROAD_REACH)
    const itself = met.some(term => keywordMeets('EXACT', words, term.words)) ? null : book.rare(words, text)
    const all = itself ? [...met, itself] : met
    found.set(key, all)
    return all
  }

  const one = (part: Expression, goods: readonly Good[]): readonly Term[] => {
    const type = autoNames[part.type] ?? part.type
    const matchType = matchTypeOf[type]
    if (matchType) return keyword(part.value ?? '', matchType)
    const close = closeness[type]
    if (close) {
      const categoryIds = [...new Set(goods.map(good => good.product.categoryId))]
      const fitOf = (term: Term): number => Math.max(...goods.map(good => relevance(term, good)))
      return categoryIds
        .flatMap(id => book.byCategory.get(id) ?? [])
        .filter(term => close(fitOf(term), term))
        .sort(byVolume)
        .slice(0, AUTO_REACH)
    }
    if (type === 'ASIN_SUBSTITUTE_RELATED') return pagesOf([...new Set(goods.map(good => good.product.categoryId))])
    if (type === 'ASIN_ACCESSORY_RELATED') return pagesOf(complementsOf(goods)).slice(0, AUTO_REACH)
    if (type === 'ASIN_CATEGORY_SAME_AS' || type.startsWith('PAT_CATEGORY')) return pagesOf([part.value ?? ''])
    if (type === 'ASIN_SAME_AS' || type === 'ASIN_EXPANDED_FROM' || type === 'PAT_ASIN') {
      const page = pages.get((part.value ?? '').toLowerCase())
      return page ? [page] : []
    }
    return []
  }

  return { keyword, expression: (parts, goods) => parts.flatMap(part => one(part, goods)) }
}
