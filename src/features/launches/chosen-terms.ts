import { blockedBy, termOf } from '#shared/keyword-rules.ts'
import type { CreatePayload, LaunchDraft } from './launch-schema.ts'

type Keyword = CreatePayload['keywords'][number]
type Target = CreatePayload['productTargets'][number]

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
