import type { CreatePayload, LaunchDraft } from './launch-schema.ts'

type Keyword = CreatePayload['keywords'][number]
type Target = CreatePayload['productTargets'][number]

/** One spelling for each text: the marketplace ignores case and runs of spaces when it compares keywords. */
export const normalTerm = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')

// The lists of a draft are read at every keystroke, and their items stay the same objects.
const terms = new WeakMap<object, string>()
function termOf(item: { keyword: string }): string {
  const term = terms.get(item) ?? normalTerm(item.keyword)
  terms.set(item, term)
  return term
}

/** A product target's match type, by its own or the launch's setting. */
export const targetMatchOf = ({ matchType }: Target, { productMatchType }: LaunchDraft) =>
  matchType ?? productMatchType ?? 'PRODUCT_EXACT'

/** What makes two rows of a list the same. */
export function keysOf(draft: LaunchDraft) {
  return {
    keywords: (k: Keyword) => `${k.matchType ?? draft.keywordMatchType} ${termOf(k)}`,
    categories: ({ id }: CreatePayload['categories'][number]) => id,
    productTargets: (t: Target) => `${targetMatchOf(t, draft)} ${t.asin}`,
  }
}

/** The first item of each key, in their order. */
export function onceEach<T>(all: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>()
  return all.filter(item => !seen.has(keyOf(item)) && seen.add(keyOf(item)))
}

/** Every row that a launch lists, those of its products first; some may be the same. */
export function listedRows({ products, keywords, categories, productTargets }: LaunchDraft) {
  const ofProducts = products ?? []
  return {
    keywords: [...ofProducts.flatMap(p => p.keywords), ...(keywords ?? [])],
    categories: [...ofProducts.flatMap(p => p.categories), ...(categories ?? [])],
    productTargets: [...ofProducts.flatMap(p => p.productTargets), ...(productTargets ?? [])],
  }
}

/** Every keyword that a launch names, those of its products first; each text and match type once. */
export const chosenKeywords = (draft: LaunchDraft): Keyword[] =>
  onceEach(listedRows(draft).keywords, keysOf(draft).keywords)
/** Every category that a launch names, once each. */
export const chosenCategories = (draft: LaunchDraft): CreatePayload['categories'] =>
  onceEach(listedRows(draft).categories, keysOf(draft).categories)
/** Every product target that a launch names, once for each match type. */
export const chosenProductTargets = (draft: LaunchDraft): Target[] =>
  onceEach(listedRows(draft).productTargets, keysOf(draft).productTargets)
/** Every negative keyword that a launch names, once for each match type. */
export const chosenNegatives = ({ negativeKeywords }: LaunchDraft): CreatePayload['negativeKeywords'] =>
  onceEach(negativeKeywords ?? [], n => `${n.matchType} ${termOf(n)}`)

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
export function blockedBy(negatives: CreatePayload['negativeKeywords']): IsBlocked {
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

/** The chosen keywords that a negative of the launch prevents from ever being shown, each text once. */
export function blockedKeywords(draft: LaunchDraft): string[] {
  const { negativeKeywords, keywordMatchType } = draft
  if (!negativeKeywords?.length) return []
  const isBlocked = blockedBy(negativeKeywords)
  const blocked = listedRows(draft).keywords.filter(k =>
    isBlocked(k.keyword, (k.matchType ?? keywordMatchType) === 'EXACT'),
  )
  return [...new Set(blocked.map(k => k.keyword))]
}
