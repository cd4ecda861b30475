const functionWords = new Set('a an the of for with and in für mit und der die das zu para con de y'.split(' '))

/** A word without its plural, since the marketplace treats plurals as close variants. Non-Latin words stay unchanged. */
function singular(word: string): string {
  if (!/^[\p{Script=Latin}]{4,}$/u.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(sses|shes|ches|xes)$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word.endsWith('en') ? word.slice(0, -1) : word
}

/** The words of a search or keyword as they are compared: lower case, no punctuation, no plurals, no function words. */
export function matchWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '' && !functionWords.has(word))
    .map(singular)
}

export type MatchType = 'BROAD' | 'PHRASE' | 'EXACT' | 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE'

/**
 * Whether a keyword matches a search. Exact: the same words in the same order. Phrase: its words in a row within the
 * search. Broad: all its words in any order. Both sides come from `matchWords`, so plurals make no difference.
 */
export function keywordMatches(matchType: MatchType, keyword: readonly string[], search: readonly string[]): boolean {
  if (matchType.endsWith('EXACT'))
    return keyword.length === search.length && keyword.every((word, i) => word === search[i])
  if (keyword.length === 0) return false
  return matchType.endsWith('PHRASE')
    ? search.some((_, start) => keyword.every((word, i) => search[start + i] === word))
    : keyword.every(word => search.includes(word))
}
