import * as v from 'valibot'

// What the marketplace accepts as a keyword, and which keyword keeps which away.

/** The marketplace takes keywords of at most 80 characters and 10 words. */
const MAX_KEYWORD_CHARACTERS = 80
const MAX_KEYWORD_WORDS = 10
/** A negative phrase has fewer words; a negative exact as many as a keyword. */
export const MAX_NEGATIVE_PHRASE_WORDS = 4
export const negativeMatchTypes = ['NEGATIVE_EXACT', 'NEGATIVE_PHRASE'] as const
export type NegativeMatchType = (typeof negativeMatchTypes)[number]

// Web pages and sheets hide these in copied text: control characters, soft hyphens, spaces without width.
const invisible = /(?!\s)[\p{Cc}\u00AD\u200B\u2060\uFEFF]/u
/** Whether a text has only characters that people can see. */
export const isVisible = (text: string): boolean => !invisible.test(text)

// The marketplace accepts letters and digits of any script and a few signs; no ™, no <, no emoji.
const forbidden =
  /[^\p{Cc}\u00AD\u200B\u2060\uFEFF\p{L}\p{M}\p{N}\s\p{Join_Control}\u00AE\u3001-\u303F\u30FB&[\]'".+-]/gu
// A keyword does not begin or end with a full stop, has hyphens and pluses only inside words, and quotation marks in pairs.
const isWellPlaced = (text: string): boolean =>
  !/^\.|\.$|(^|\s)[-+]|[-+](\s|$)/.test(text) && text.split('"').length % 2 === 1

/** The text of a keyword, positive or negative, as the marketplace accepts it. */
export const keywordText = v.pipe(
  v.string('Enter the keyword'),
  v.trim(),
  v.nonEmpty('Enter the keyword'),
  v.check(isVisible, 'A keyword has an invisible character: type it again'),
  v.check(text => Array.from(text).length <= MAX_KEYWORD_CHARACTERS, 'A keyword has at most 80 characters'),
  v.check(text => text.split(/\s+/).length <= MAX_KEYWORD_WORDS, 'A keyword has at most 10 words'),
  v.check(
    text => text.search(forbidden) < 0,
    ({ input }) =>
      `The marketplace accepts no ${[...new Set(input.match(forbidden))].slice(0, 5).join(' ')} in keywords: remove it`,
  ),
  v.check(isWellPlaced, 'A keyword has a . - + or " where the marketplace accepts none: remove it'),
)
/** Whether a negative keyword has no more words than its match type may have. */
export const isShortEnough = (text: string, matchType: NegativeMatchType): boolean =>
  matchType === 'NEGATIVE_EXACT' || text.trim().split(/\s+/).length <= MAX_NEGATIVE_PHRASE_WORDS
export const negativePhraseMessage = `A negative phrase has at most ${MAX_NEGATIVE_PHRASE_WORDS} words`

/** One spelling for each text: the marketplace ignores case and runs of spaces when it compares keywords. */
export const normalTerm = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')

// The lists of a draft are read at every keystroke, and their items stay the same objects.
const terms = new WeakMap<object, string>()
/** The one spelling of an item’s keyword. */
export function termOf(item: { keyword: string }): string {
  const term = terms.get(item) ?? normalTerm(item.keyword)
  terms.set(item, term)
  return term
}

interface NegativeTerm {
  keyword: string
  matchType: NegativeMatchType
}

/** Every run of at most `longest` words of a term, so that thousands of keywords can be looked up in thousands of phrases. */
export function wordRuns(term: string, longest: number): string[] {
  const words = term.split(' ')
  return words.flatMap((_, from) =>
    Array.from({ length: Math.min(longest, words.length - from) }, (_run, more) =>
      words.slice(from, from + more + 1).join(' '),
    ),
  )
}

type IsBlocked = (text: string, isExact: boolean) => boolean
const checks = new WeakMap<object, IsBlocked>()

/**
 * A check of whether negatives prevent a keyword from ever being shown: the same term, or a phrase within it. It is called at
 * every keystroke with a thousand keywords and a thousand phrases, so each text is checked against the same list once.
 */
export function blockedBy(negatives: readonly NegativeTerm[]): IsBlocked {
  const cached = checks.get(negatives)
  if (cached) return cached
  const exact = new Set(negatives.filter(n => n.matchType === 'NEGATIVE_EXACT').map(termOf))
  const phrases = new Set(negatives.filter(n => n.matchType === 'NEGATIVE_PHRASE').map(termOf))
  const longest = Math.max(0, ...[...phrases].map(phrase => phrase.split(' ').length))
  const check: IsBlocked = (text, isExact) => {
    const term = normalTerm(text)
    return (isExact && exact.has(term)) || wordRuns(term, longest).some(run => phrases.has(run))
  }
  const answers = new Map<string, boolean>()
  const isBlocked: IsBlocked = (text, isExact) => {
    const key = `${isExact} ${text}`
    const answer = answers.get(key) ?? check(text, isExact)
    answers.set(key, answer)
    return answer
  }
  checks.set(negatives, isBlocked)
  return isBlocked
}
