const functionWords = new Set([
  'a',
  'an',
  'the',
  'of',
  'for',
  'with',
  'and',
  'in',
  'für',
  'mit',
  'und',
  'der',
  'die',
  'das',
  'zu',
  'para',
  'con',
  'de',
  'y',
])

/** One word without its plural, as the marketplace sees close variants. Words not written in Latin stay as they are. */
const singular = (word: string): string => {
  if (!/^[\p{Script=Latin}]{4,}$/u.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word.endsWith('en') ? word.slice(0, -1) : word
}

/** The words of a search or a keyword as matching sees them: lower case, no punctuation, no plurals, no function words. */
export const matchWords = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !functionWords.has(word))
    .map(singular)

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, i) => word === b[i])

const containsRun = (words: readonly string[], run: readonly string[]): boolean =>
  run.length > 0 && words.some((_, start) => run.every((word, i) => words[start + i] === word))

const containsAll = (words: readonly string[], wanted: readonly string[]): boolean =>
  wanted.length > 0 && wanted.every(word => words.includes(word))

export type MatchType = 'BROAD' | 'PHRASE' | 'EXACT' | 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE'

/**
 * True when a keyword meets a search. Exact: the same words in the same order; phrase: its words in a row within the
 * search; broad: all its words in any order. Both sides come from `matchWords`, so plurals make no difference.
 */
export const keywordMeets = (matchType: MatchType, keyword: readonly string[], search: readonly string[]): boolean => {
  if (matchType === 'EXACT' || matchType === 'NEGATIVE_EXACT') return equal(keyword, search)
  if (matchType === 'PHRASE' || matchType === 'NEGATIVE_PHRASE') return containsRun(search, keyword)
  return containsAll(search, keyword)
}
