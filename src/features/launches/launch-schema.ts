import * as v from 'valibot'
import { asinSchema, keywordMatchTypes, strategies } from '#features/recommendations/contract.ts'
import { isTargetAcos } from '#shared/campaign-rules.ts'
import {
  isShortEnough,
  isVisible,
  keywordText,
  negativeMatchTypes,
  negativePhraseMessage,
} from '#shared/keyword-rules.ts'
import { budgetShares } from './plan/budget-shares.ts'
import { namePatternProblem } from './plan/plan-names.ts'
import { templates } from './templates.ts'

/** What is wrong when a required field is missing; the product's specification fixes these sentences. */
export const launchMessages = {
  template: 'Please select a campaign template',
  strategy: 'Please select a campaign strategy',
  campaignName: 'Campaign name is required',
  budget: 'Valid budget amount is required',
  targetAcos: 'Valid target ACOS is required',
  products: 'At least one product is required',
} as const

export const productMatchTypes = ['PRODUCT_EXACT', 'PRODUCT_SIMILAR'] as const

export const MAX_CAMPAIGN_NAME = 100
export const MAX_PRODUCTS = 100
/** One ad group holds at most this many of each kind. */
export const MAX_IN_AD_GROUP = 1000

const bid = v.pipe(
  v.number('Enter a bid'),
  v.finite('Enter a bid'),
  v.minValue(0, 'A bid must be at least 0'),
  // Above the limits of every marketplace, and well below what micros can hold.
  v.maxValue(1_000_000, 'This bid is higher than any marketplace accepts'),
)

export const listItems = {
  keyword: v.strictObject({
    keyword: keywordText,
    /** Absent: the campaign's keywordMatchType. */
    matchType: v.optional(v.picklist(keywordMatchTypes, 'Choose a match type')),
    bid,
  }),
  category: v.strictObject({
    id: v.pipe(v.string('Choose a category'), v.regex(/^\d{1,20}$/, 'Choose a category')),
    name: v.pipe(v.string(), v.maxLength(500)),
    bid,
  }),
  productTarget: v.strictObject({
    asin: asinSchema,
    /** Absent: the campaign's productMatchType. */
    matchType: v.optional(v.picklist(productMatchTypes, 'Choose Product Exact or Product Similar')),
    bid,
  }),
  negativeKeyword: v.pipe(
    v.strictObject({ keyword: keywordText, matchType: v.optional(v.picklist(negativeMatchTypes), 'NEGATIVE_EXACT') }),
    v.check(({ keyword, matchType }) => isShortEnough(keyword, matchType), negativePhraseMessage),
  ),
}

const listOf = <S extends v.GenericSchema>(item: S, max = MAX_IN_AD_GROUP) =>
  v.optional(v.pipe(v.array(item), v.maxLength(max, `At most ${max} at once`)), [])

const targetLists = {
  categories: listOf(listItems.category),
  productTargets: listOf(listItems.productTarget),
}
const product = v.strictObject({
  asin: asinSchema,
  sku: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(40)),
  keywords: listOf(listItems.keyword),
  ...targetLists,
})

// 50 for each of 100 products.
const MAX_KEYWORDS = 5000

/** Every field of a launch with its own rules. What the fields require of each other is in problems.ts. */
export const launchFields = {
  template: v.picklist(templates, launchMessages.template),
  strategy: v.picklist(strategies, launchMessages.strategy),
  setupMode: v.picklist(['SMART', 'GUIDED'], 'Choose smart or guided setup'),
  campaignName: v.pipe(
    v.string(launchMessages.campaignName),
    v.trim(),
    v.nonEmpty(launchMessages.campaignName),
    v.maxLength(MAX_CAMPAIGN_NAME, `Campaign name must be at most ${MAX_CAMPAIGN_NAME} characters long`),
    // Cells copied from a sheet bring a tab between them, and the marketplace accepts none.
    v.transform(name => name.replace(/\s+/g, ' ')),
    v.check(isVisible, 'Campaign name has an invisible character: type it again'),
  ),
  /** How the campaigns are named; absent: `{prefix} | {campaignName} | {phase} | {match type}`. */
  namePattern: v.optional(
    v.pipe(
      v.string('Enter a pattern'),
      v.check(
        pattern => namePatternProblem(pattern) === null,
        ({ input }) => namePatternProblem(input) ?? '',
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
  keywords: listOf(listItems.keyword, MAX_KEYWORDS),
  /** For every ad group, in addition to the negatives that the phases set for each other. */
  negativeKeywords: listOf(listItems.negativeKeyword),
  ...targetLists,
  /** Percent of the daily budget by phase; absent: the default split. Funnels only. */
  budgetShares: v.optional(budgetShares),
  includeHighImpact: v.optional(v.boolean(), false),
  /** False leaves the Ranking phase out of a funnel; the other phases share its part of the budget. */
  includeRanking: v.optional(v.boolean(), true),
  /** Terms with the seller's own brand, and with competitors' brands, get a campaign each. Funnels and keyword templates. */
  separateBrandTerms: v.optional(v.boolean(), false),
  automationMode: v.optional(v.picklist(['AUTO', 'MANUAL'], 'Choose automatic or manual targeting')),
  keywordMatchType: v.optional(v.picklist(keywordMatchTypes, 'Choose a keyword match type')),
  productTargetType: v.optional(v.picklist(['CATEGORY', 'PRODUCT'], 'Choose category or product targeting')),
  productMatchType: v.optional(v.picklist(productMatchTypes, 'Choose Product Exact or Product Similar')),
}
export type LaunchField = keyof typeof launchFields
export const launchFieldNames = Object.keys(launchFields) as [LaunchField, ...LaunchField[]]

const requiredMessages: Record<string, string> = launchMessages

/** The create payload. A missing field gets the same message as a wrong one. */
export const createPayload = v.strictObject(launchFields, issue => {
  const field = issue.path?.[0]?.key
  if (typeof field === 'string' && Object.hasOwn(requiredMessages, field)) return requiredMessages[field] ?? ''
  return issue.expected === 'never' ? `Unknown field ${issue.received}` : 'The campaign is missing a setting'
})
export type CreatePayload = v.InferOutput<typeof createPayload>
export type CreatePayloadInput = v.InferInput<typeof createPayload>

/** A launch that is not complete: any field may be missing. */
export type LaunchDraft = { [F in LaunchField]?: CreatePayload[F] | null | undefined }

type AnySchema = v.GenericSchema<unknown, unknown>
/** The parts of a schema that `relaxed` looks at. */
interface SchemaParts {
  type: string
  pipe?: readonly [AnySchema, ...unknown[]]
  item?: AnySchema
  entries?: Record<string, AnySchema>
  wrapped?: AnySchema
  default?: unknown
}

/**
 * The same schema by type alone: without its limits and rules, and with unknown fields passed over. For values that an earlier
 * version stored, or that a user is still editing.
 */
export function relaxed<T>(schema: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, T> {
  const root = ((schema as SchemaParts).pipe?.[0] ?? schema) as SchemaParts & AnySchema
  const relax = (): AnySchema => {
    if (root.item) return v.array(relaxed(root.item))
    if (root.wrapped) return v.optional(relaxed(root.wrapped), root.default)
    if (!root.entries) return root
    return v.object(Object.fromEntries(Object.entries(root.entries).map(([name, entry]) => [name, relaxed(entry)])))
  }
  return relax() as v.GenericSchema<unknown, T>
}

/** A payload of any age: its rules may have changed since it was accepted. */
export const storedPayload = relaxed(createPayload)
/** The lists of a product or of the campaign, with nothing but what a launch needs. */
export const storedLists = relaxed(v.object({ keywords: launchFields.keywords, ...targetLists }))
