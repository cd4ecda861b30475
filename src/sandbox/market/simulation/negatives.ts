import { hourIndexOf } from '../local-hours.ts'
import { type MatchType, matchWords } from '../queries/matching.ts'
import type { Query } from '../queries/queries.ts'
import type { Serving } from './serving-windows.ts'
import { getOrMake } from '../get-or-make.ts'

/** The hour from which negatives block a query; Infinity when none does. */
export type BlockedFrom = (query: Query) => number

interface NegativeKeyword extends Serving {
  keywordText: string
  matchType: MatchType
}
interface NegativeTarget extends Serving {
  expression: readonly { type: string; value?: unknown }[]
}

/** The earliest hour for each key. A lookup per query then replaces a walk through thousands of negatives. */
function earliest(entries: readonly (readonly [key: string, from: number])[]): Map<string, number> {
  const byKey = new Map<string, number>()
  for (const [key, from] of entries) byKey.set(key, Math.min(from, byKey.get(key) ?? from))
  return byKey
}

const enabled = <T extends Serving>(negatives: readonly T[]): T[] =>
  negatives.filter(negative => negative.state === 'ENABLED')

function blockedPages(negatives: readonly NegativeTarget[]): Map<string, number> {
  return earliest(
    enabled(negatives).flatMap(({ expression, createdAt }) =>
      expression
        .filter(({ type, value }) => /^asin_?same_?as$/i.test(type) && typeof value === 'string')
        .map(({ value }) => [(value as string).toLowerCase(), hourIndexOf(createdAt)] as const),
    ),
  )
}

/** The words of a query as negatives match them: all together, and every run of consecutive words. */
interface Phrases {
  whole: string
  runs: readonly string[]
}
const phrasesByQuery = new WeakMap<Query, Phrases>()
function phrasesOf({ words }: Query): Phrases {
  const runs = words.flatMap((_, start) =>
    words.slice(start).map((__, i) => words.slice(start, start + i + 1).join(' ')),
  )
  return { whole: words.join(' '), runs }
}

/** Which queries and pages the negatives of a campaign and its ad group block, however many negatives there are. */
export function createNegativeFilter(
  negativeKeywords: readonly NegativeKeyword[],
  negativeTargets: readonly NegativeTarget[],
): BlockedFrom {
  const keywords = enabled(negativeKeywords).map(({ matchType, keywordText, createdAt }) => ({
    matchType,
    phrase: matchWords(keywordText).join(' '),
    from: hourIndexOf(createdAt),
  }))
  const ofType = (matchType: MatchType): Map<string, number> =>
    earliest(keywords.filter(one => one.matchType === matchType).map(one => [one.phrase, one.from] as const))
  const [exact, phrase, page] = [ofType('NEGATIVE_EXACT'), ofType('NEGATIVE_PHRASE'), blockedPages(negativeTargets)]
  phrase.delete('')
  return query => {
    if (query.kind === 'page') return page.get(query.text) ?? Number.POSITIVE_INFINITY
    if (keywords.length === 0) return Number.POSITIVE_INFINITY
    const { whole, runs } = getOrMake(phrasesByQuery, query, phrasesOf)
    let from = exact.get(whole) ?? Number.POSITIVE_INFINITY
    for (const run of runs) from = Math.min(from, phrase.get(run) ?? Number.POSITIVE_INFINITY)
    return from
  }
}
