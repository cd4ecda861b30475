import * as v from 'valibot'
import { asinSchema, keywordMatchTypes, strategies } from '#features/recommendations/contract.ts'
import { isTargetAcos } from '#shared/campaign-rules.ts'
import { budgetShares } from './plan/budget-shares.ts'
import { namePatternFault } from './plan/plan-names.ts'
import { templates } from './templates.ts'

/** What a launch is refused with, in product.md's own words. */
export const launchMessages = {
  template: 'Please select a campaign template',
  strategy: 'Please select a campaign strategy',
  campaignName: 'Campaign name is required',
  budget: 'Valid budget amount is required',
  targetAcos: 'Valid target ACOS is required',
  products: 'At least one product is required',
} as const

export const setupModes = ['SMART', 'GUIDED'] as const
export const automationModes = ['AUTO', 'MANUAL'] as const
export const productTargetTypes = ['CATEGORY', 'PRODUCT'] as const
export const productMatchTypes = ['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const

export const MAX_CAMPAIGN_NAME = 100
/** The marketplace takes keywords of at most 80 characters and 10 words. */
export const MAX_KEYWORD_CHARACTERS = 80
export const MAX_KEYWORD_WORDS = 10
/** A negative phrase has fewer words; a negative exact as many as a keyword. */
export const MAX_NEGATIVE_PHRASE_WORDS = 4
export const negativeMatchTypes = ['NEGATIVE_EXACT', 'NEGATIVE_PHRASE'] as const
export type NegativeMatchType = (typeof negativeMatchTypes)[number]
export const MAX_PRODUCTS = 100
/** What one ad group holds at most of each kind. */
export const MAX_IN_AD_GROUP = 1000

// Pages and sheets hide them in what is copied: control characters, soft hyphens, blanks of no width.
const unseen = /(?!\s)[\p{Cc}\u00AD\u200B\u2060\uFEFF]/u
const isSeen = (text: string): boolean => !unseen.test(text)

// Letters and digits of any script, and the few signs that the marketplace's page of limits names; no ™, no <, no emoji.
const strange = /[^\p{Cc}\u00AD\u200B\u2060\uFEFF\p{L}\p{M}\p{N}\s\p{Join_Control}\u00AE\u3001-\u303F\u30FB&[\]'".+-]/gu
// A full stop neither begins nor ends a keyword, hyphens and pluses stand between letters, quotation marks in pairs.
const isWellPlaced = (text: string): boolean =>
  !/^\.|\.$|(^|\s)[-+]|[-+](\s|$)/.test(text) && text.split('"').length % 2 === 1

/** The text of a keyword, positive or negative, as the marketplace takes it: for the field, the step and the server alike. */
export const keywordText = v.pipe(
  v.string('Enter the keyword'),
  v.trim(),
  v.nonEmpty('Enter the keyword'),
  v.check(isSeen, 'A keyword has a character that cannot be seen: type it anew'),
  v.check(text => Array.from(text).length <= MAX_KEYWORD_CHARACTERS, 'A keyword has at most 80 characters'),
  v.check(text => text.split(/\s+/).length <= MAX_KEYWORD_WORDS, 'A keyword has at most 10 words'),
  v.check(
    text => text.search(strange) < 0,
    ({ input }) =>
      `The marketplace takes no ${[...new Set(input.match(strange))].slice(0, 5).join(' ')} in keywords: take it out`,
  ),
  v.check(isWellPlaced, 'A keyword has a . - + or " where the marketplace takes none: take it out'),
)
const bid = v.pipe(
  v.number('Enter a bid'),
  v.finite('Enter a bid'),
  v.minValue(0, 'A bid must be at least 0'),
  // Beyond every marketplace's limit, and well below what micros can hold.
  v.maxValue(1_000_000, 'No marketplace takes so high a bid'),
)

const keyword = v.strictObject({
  keyword: keywordText,
  /** Absent: the campaign's keywordMatchType. */
  matchType: v.optional(v.picklist(keywordMatchTypes, 'Choose a match type')),
  bid,
})
const negativeKeyword = v.pipe(
  v.strictObject({ keyword: keywordText, matchType: v.optional(v.picklist(negativeMatchTypes), 'NEGATIVE_EXACT') }),
  v.check(
    ({ keyword: text, matchType }) =>
      matchType === 'NEGATIVE_EXACT' || text.split(/\s+/).length <= MAX_NEGATIVE_PHRASE_WORDS,
    'A negative phrase has at most 4 words',
  ),
)
const category = v.strictObject({
  id: v.pipe(v.string('Choose a category'), v.regex(/^\d{1,20}$/, 'Choose a category')),
  name: v.pipe(v.string(), v.maxLength(500)),
  bid,
})
const productTarget = v.strictObject({
  asin: asinSchema,
  /** Absent: the campaign's productMatchType. */
  matchType: v.optional(v.picklist(productMatchTypes, 'Choose Product Exact or Product Similar')),
  bid,
})
const listOf = <S extends v.GenericSchema>(item: S, max = MAX_IN_AD_GROUP) =>
  v.optional(v.pipe(v.array(item), v.maxLength(max, `At most ${max} at once`)), [])

const product = v.strictObject({
  asin: asinSchema,
  sku: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40)),
  keywords: listOf(keyword),
  categories: listOf(category),
  productTargets: listOf(productTarget),
})

// 50 for each of 100 products.
const MAX_KEYWORDS = 5000

const missing: Record<string, string> = launchMessages
const entries = {
  template: v.picklist(templates, launchMessages.template),
  strategy: v.picklist(strategies, launchMessages.strategy),
  setupMode: v.picklist(setupModes, 'Choose smart or guided setup'),
  campaignName: v.pipe(
    v.string(launchMessages.campaignName),
    v.trim(),
    v.nonEmpty(launchMessages.campaignName),
    v.maxLength(MAX_CAMPAIGN_NAME, `Campaign name must be at most ${MAX_CAMPAIGN_NAME} characters long`),
    // Cells of a sheet come with the tab between them, and the marketplace takes none.
    v.transform(name => name.replace(/\s+/g, ' ')),
    v.check(isSeen, 'Campaign name has a character that cannot be seen: type it anew'),
  ),
  /** How the campaigns are named; absent: `{prefix} | {campaignName} | {phase} | {match type}`. */
  namePattern: v.optional(
    v.pipe(
      v.string('Enter a pattern'),
      v.check(
        pattern => namePatternFault(pattern) === null,
        ({ input }) => namePatternFault(input) ?? '',
      ),
    ),
  ),
  /** Total daily budget in the profile's currency. */
  budget: v.pipe(
    v.number(launchMessages.budget),
    v.finite(launchMessages.budget),
    v.gtValue(0, launchMessages.budget),
    v.maxValue(1_000_000_000, launchMessages.budget),
  ),
  /** Percent. */
  targetAcos: v.pipe(v.number(launchMessages.targetAcos), v.check(isTargetAcos, launchMessages.targetAcos)),
  products: v.pipe(
    v.array(product, launchMessages.products),
    v.minLength(1, launchMessages.products),
    v.maxLength(MAX_PRODUCTS, `At most ${MAX_PRODUCTS} products at once`),
  ),
  /** Keywords of all products and of the campaign, flattened. Those of `products` count as well. */
  keywords: listOf(keyword, MAX_KEYWORDS),
  /** Kept out of every ad group, beside what the phases keep out of each other. */
  negativeKeywords: listOf(negativeKeyword),
  categories: listOf(category),
  productTargets: listOf(productTarget),
  /** Percent of the daily budget by phase; absent: the usual split. Funnels only. */
  budgetShares: v.optional(budgetShares),
  includeHighImpact: v.optional(v.boolean(), false),
  /** False leaves the Ranking phase of a funnel out; the other phases share its part of the budget. */
  includeRanking: v.optional(v.boolean(), true),
  /** Terms with the seller's own brand, and with competitors' brands, get a campaign each. Funnels and keyword templates. */
  separateBrandTerms: v.optional(v.boolean(), false),
  automationMode: v.optional(v.picklist(automationModes, 'Choose automatic or manual targeting')),
  keywordMatchType: v.optional(v.picklist(keywordMatchTypes, 'Choose a keyword match type')),
  productTargetType: v.optional(v.picklist(productTargetTypes, 'Choose category or product targeting')),
  productMatchType: v.optional(v.picklist(productMatchTypes, 'Choose Product Exact or Product Similar')),
}

/** The create payload. A field that is missing altogether is refused in the same words as one that is wrong. */
export const createPayload = v.strictObject(entries, issue => {
  const key = /^"(.*)"$/.exec(issue.expected ?? '')?.[1]
  if (key && missing[key]) return missing[key]
  return issue.expected === 'never' ? `Unknown field ${issue.received}` : 'The campaign is missing a setting'
})
export type CreatePayload = v.InferOutput<typeof createPayload>
export type CreatePayloadInput = v.InferInput<typeof createPayload>
