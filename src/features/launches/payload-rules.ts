import type { CreatePayload } from './payload.ts'
import { sharesFault } from './plan/budget-shares.ts'
import { launchMessages, MAX_IN_AD_GROUP } from './payload.ts'
import { factsOfTemplate } from './templates.ts'

export interface PayloadProblem {
  /** The field of the payload that must change. */
  field: string
  message: string
}

/** One text in one spelling: case and runs of spaces do not tell keywords apart, as the marketplace sees it. */
export const normalTerm = (text: string): string => text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ')

const hasDoubles = (keys: readonly string[]): boolean => new Set(keys).size < keys.length

const productProblems = ({ products, template }: CreatePayload): PayloadProblem[] => {
  const problems: PayloadProblem[] = []
  if (!factsOfTemplate(template).multiProduct && products.length > 1)
    problems.push({
      field: 'products',
      message: 'A single-product template can only have 1 product; remove the current product first.',
    })
  if (hasDoubles(products.map(p => p.asin)))
    problems.push({
      field: 'products',
      message: 'A product with this ASIN is already selected, even with a different SKU.',
    })
  return problems
}

const onceEach = <T>(all: readonly T[], keyOf: (one: T) => string): T[] => {
  const seen = new Set<string>()
  return all.filter(one => !seen.has(keyOf(one)) && seen.add(keyOf(one)))
}

/** What was entered more than once, by the name people know it by, and whether the bids differ. */
export interface Merged {
  name: string
  bidsDiffer: boolean
}

const mergedOf = <T extends { bid: number }>(
  all: readonly T[],
  keyOf: (one: T) => string,
  nameOf: (one: T) => string,
): Merged[] =>
  [...Map.groupBy(all, keyOf).values()].flatMap(([first, ...others]) =>
    first && others.length ? [{ name: nameOf(first), bidsDiffer: others.some(one => one.bid !== first.bid) }] : [],
  )

/**
 * What a payload names more than once and is merged: the first bid counts. The flattened list repeats the products' keywords by
 * design; there only another bid is told.
 */
export const mergedRows = (payload: CreatePayload): Merged[] => {
  const keyOf = ({ keyword, matchType = payload.keywordMatchType }: CreatePayload['keywords'][number]) =>
    `${matchType} ${normalTerm(keyword)}`
  const ofProducts = payload.products.flatMap(p => p.keywords)
  const inFirst = new Map(ofProducts.map(k => [keyOf(k), k.bid]).toReversed() as [string, number][])
  const others = payload.keywords.filter(k => inFirst.get(keyOf(k)) !== k.bid)
  return [
    ...mergedOf([...ofProducts, ...others], keyOf, k => k.keyword),
    ...mergedOf(
      [...payload.products.flatMap(p => p.categories), ...payload.categories],
      c => c.id,
      c => c.name,
    ),
    ...mergedOf(
      [...payload.products.flatMap(p => p.productTargets), ...payload.productTargets],
      t => `${targetMatchOf(t, payload)} ${t.asin}`,
      t => t.asin,
    ),
  ]
}

/** Every keyword the payload names, those of its products first, doubles (same text and match type) taken once. */
export const chosenKeywords = (payload: CreatePayload): CreatePayload['keywords'] =>
  onceEach(
    [...payload.products.flatMap(p => p.keywords), ...payload.keywords],
    ({ keyword, matchType = payload.keywordMatchType }) => `${matchType} ${normalTerm(keyword)}`,
  )

/** Every category that the payload names, once each. */
export const chosenCategories = (payload: CreatePayload): CreatePayload['categories'] =>
  onceEach([...payload.products.flatMap(p => p.categories), ...payload.categories], c => c.id)

/** Every product target that the payload names, once for each match type. */
export const chosenProductTargets = (payload: CreatePayload): CreatePayload['productTargets'] =>
  onceEach(
    [...payload.products.flatMap(p => p.productTargets), ...payload.productTargets],
    t => `${targetMatchOf(t, payload)} ${t.asin}`,
  )

const targetMatchOf = ({ matchType }: CreatePayload['productTargets'][number], payload: CreatePayload) =>
  matchType ?? payload.productMatchType ?? 'PRODUCT_EXACT'

/** Every negative keyword that the payload names, once for each match type. */
export const chosenNegatives = (payload: CreatePayload): CreatePayload['negativeKeywords'] =>
  onceEach(payload.negativeKeywords, ({ keyword, matchType }) => `${matchType} ${normalTerm(keyword)}`)

/** Every run of at most `longest` words of a term: thousands of keywords meet a thousand phrases by a look-up each. */
export const wordRuns = (term: string, longest: number): string[] => {
  const words = term.split(' ')
  return words.flatMap((_, from) =>
    Array.from({ length: Math.min(longest, words.length - from) }, (_run, more) =>
      words.slice(from, from + more + 1).join(' '),
    ),
  )
}

/** A check of whether negatives keep a keyword from ever being shown: the same term, or a phrase within it. */
export const blockedBy = (
  negatives: CreatePayload['negativeKeywords'],
): ((text: string, isExact: boolean) => boolean) => {
  const exact = new Set(negatives.filter(n => n.matchType === 'NEGATIVE_EXACT').map(n => normalTerm(n.keyword)))
  const phrases = new Set(negatives.filter(n => n.matchType === 'NEGATIVE_PHRASE').map(n => normalTerm(n.keyword)))
  const longest = Math.max(0, ...[...phrases].map(phrase => phrase.split(' ').length))
  return (text, isExact) => {
    const term = normalTerm(text)
    return (isExact && exact.has(term)) || wordRuns(term, longest).some(run => phrases.has(run))
  }
}

const negativeProblems = (payload: CreatePayload): PayloadProblem[] => {
  const field = 'negativeKeywords'
  if (factsOfTemplate(payload.template).family === 'TARGET')
    return payload.negativeKeywords.length
      ? [{ field, message: 'Campaigns that target products take no negative keywords' }]
      : []
  const isBlocked = blockedBy(payload.negativeKeywords)
  return chosenKeywords(payload)
    .filter(k => isBlocked(k.keyword, (k.matchType ?? payload.keywordMatchType) === 'EXACT'))
    .map(k => ({ field, message: `“${k.keyword}” would never be shown: a negative keyword keeps it out` }))
}

const tooMany = (payload: CreatePayload): PayloadProblem[] =>
  (['BROAD', 'PHRASE', 'EXACT'] as const).flatMap(matchType => {
    const count = chosenKeywords(payload).filter(k => (k.matchType ?? payload.keywordMatchType) === matchType).length
    return overfull('keywords', 'keywords', count, ` of the ${matchType.toLowerCase()} ones`)
  })

// An ad group advertises all products, so that it takes the targets of each.
const tooManyTargets = (payload: CreatePayload): PayloadProblem[] => [
  ...overfull('categories', 'categories', chosenCategories(payload).length),
  ...(['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const).flatMap(match => {
    const count = chosenProductTargets(payload).filter(t => targetMatchOf(t, payload) === match).length
    return overfull('productTargets', 'product targets', count)
  }),
]

const overfull = (field: string, things: string, count: number, ofWhich = ''): PayloadProblem[] =>
  count > MAX_IN_AD_GROUP
    ? [
        {
          field,
          message: `An ad group holds at most ${MAX_IN_AD_GROUP} ${things}: take out ${count - MAX_IN_AD_GROUP}${ofWhich}`,
        },
      ]
    : []

const budgetProblems = (payload: CreatePayload): PayloadProblem[] => {
  const { template, budgetShares } = payload
  if (!budgetShares) return []
  const message =
    factsOfTemplate(template).family === 'FUNNEL'
      ? sharesFault(budgetShares, payload)
      : 'Only a funnel shares its budget among phases'
  return message ? [{ field: 'budgetShares', message }] : []
}

const keywordProblems = (payload: CreatePayload, needsMatchType: boolean): PayloadProblem[] => {
  const keywords = chosenKeywords(payload)
  const problems: PayloadProblem[] = []
  if (needsMatchType && !payload.keywordMatchType)
    problems.push({ field: 'keywordMatchType', message: 'Choose a keyword match type' })
  if (keywords.some(k => !(k.matchType ?? payload.keywordMatchType)))
    problems.push({ field: 'keywords', message: 'Choose a match type for every keyword' })
  if (payload.setupMode === 'GUIDED' && !keywords.length)
    problems.push({ field: 'keywords', message: 'Configure keywords for the selected product first.' })
  return [...problems, ...tooMany(payload)]
}

const targetProblems = (payload: CreatePayload): PayloadProblem[] => {
  if (payload.setupMode === 'SMART') return []
  if (!payload.productTargetType)
    return [{ field: 'productTargetType', message: 'Choose category or product targeting' }]
  if (payload.productTargetType === 'CATEGORY' && !chosenCategories(payload).length)
    return [{ field: 'categories', message: 'Configure categories for the selected product first.' }]
  if (payload.productTargetType === 'PRODUCT' && !chosenProductTargets(payload).length)
    return [{ field: 'productTargets', message: 'Configure product targets for the selected product first.' }]
  return []
}

/** What the fields demand of each other, by template and mode (product.md sections 4 and 5). Empty when all is well. */
export const payloadProblems = (payload: CreatePayload): PayloadProblem[] => {
  const problems = productProblems(payload)
  const { family } = factsOfTemplate(payload.template)
  if (!payload.campaignName.trim()) problems.push({ field: 'campaignName', message: launchMessages.campaignName })
  problems.push(...budgetProblems(payload), ...negativeProblems(payload))
  if (family === 'TARGET') return [...problems, ...targetProblems(payload), ...tooManyTargets(payload)]
  if (family === 'FUNNEL') return [...problems, ...keywordProblems(payload, payload.setupMode === 'GUIDED')]
  if (!payload.automationMode)
    problems.push({ field: 'automationMode', message: 'Choose automatic or manual targeting' })
  if (payload.automationMode === 'MANUAL') problems.push(...keywordProblems(payload, true))
  return problems
}
