import type { Dated, EntityState } from '../../../core/model/entity.ts'
import { hourIndexOf } from '../../local-hours.ts'
import { type MatchType, matchWords } from '../../queries/matching.ts'
import type { Term } from '../../queries/queries.ts'

/** The hour from which a search is barred, Infinity when it is not. */
export type Bar = (term: Term) => number

interface Negative extends Dated {
  state: EntityState
}
export interface NegativeWords extends Negative {
  keywordText: string
  matchType: MatchType
}
export interface NegativePages extends Negative {
  expression: readonly { type: string; value?: unknown }[]
}

/** Those of a list from the earliest on, kept by a key, so that a search asks only for what it can meet. */
const earliest = (entries: readonly (readonly [key: string, from: number])[]): Map<string, number> => {
  const byKey = new Map<string, number>()
  for (const [key, from] of entries) byKey.set(key, Math.min(from, byKey.get(key) ?? from))
  return byKey
}

const enabled = <T extends Negative>(negatives: readonly T[]): T[] =>
  negatives.filter(negative => negative.state === 'ENABLED')

const pagesOf = (negatives: readonly NegativePages[]): Map<string, number> =>
  earliest(
    enabled(negatives).flatMap(({ expression, createdAt }) =>
      expression
        .filter(({ type, value }) => /^asin_?same_?as$/i.test(type) && typeof value === 'string')
        .map(({ value }) => [(value as string).toLowerCase(), hourIndexOf(createdAt)] as const),
    ),
  )

/** A search as the negatives see it: whole, and every run of its words. Terms are few and asked about often. */
interface Phrases {
  whole: string
  runs: readonly string[]
}
const known = new WeakMap<Term, Phrases>()
const phrasesOf = (term: Term): Phrases => {
  let phrases = known.get(term)
  if (!phrases) {
    const { words } = term
    const runs = words.flatMap((_, start) =>
      words.slice(start).map((__, i) => words.slice(start, start + i + 1).join(' ')),
    )
    known.set(term, (phrases = { whole: words.join(' '), runs }))
  }
  return phrases
}

/** Which searches and pages the negatives of a campaign and its ad group keep away, however many there are. */
export const barOf = (words: readonly NegativeWords[], pages: readonly NegativePages[]): Bar => {
  const named = enabled(words).map(({ matchType, keywordText, createdAt }) => ({
    matchType,
    words: matchWords(keywordText),
    from: hourIndexOf(createdAt),
  }))
  const ofType = (matchType: MatchType): Map<string, number> =>
    earliest(named.filter(one => one.matchType === matchType).map(one => [one.words.join(' '), one.from] as const))
  const [exact, phrase, page] = [ofType('NEGATIVE_EXACT'), ofType('NEGATIVE_PHRASE'), pagesOf(pages)]
  phrase.delete('')
  return term => {
    if (term.kind === 'page') return page.get(term.text) ?? Number.POSITIVE_INFINITY
    if (named.length === 0) return Number.POSITIVE_INFINITY
    const { whole, runs } = phrasesOf(term)
    let from = exact.get(whole) ?? Number.POSITIVE_INFINITY
    for (const run of runs) from = Math.min(from, phrase.get(run) ?? Number.POSITIVE_INFINITY)
    return from
  }
}
