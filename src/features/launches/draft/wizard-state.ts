import { normalTerm } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import { asinSchema } from '#features/recommendations/contract.ts'
import { launchFields, listItems, MAX_IN_AD_GROUP, MAX_PRODUCTS, relaxed } from '../launch-schema.ts'
import { type Template, templateOf } from '../templates.ts'

/** Template, strategy, settings, targeting, review; numbered from 1. */
export const STEP_COUNT = 5

/** The key of what belongs to the whole campaign, next to the ASINs (multi-product templates). */
export const CAMPAIGN_KEY = 'campaign'

const MAX_TEXT = 500
const MAX_ADDRESS = 2000
const amount = v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0)))
const shortText = v.pipe(v.string(), v.maxLength(MAX_TEXT))

const product = v.object({
  asin: asinSchema,
  sku: v.pipe(v.string(), v.maxLength(40)),
  /** Shown in the lists; a draft must be readable without network. */
  title: v.nullable(shortText),
  imageUrl: v.nullable(v.pipe(v.string(), v.maxLength(MAX_ADDRESS))),
})
export type WizardProduct = v.InferOutput<typeof product>

/** A listed product as a draft holds it, with a long title cut; null without an ASIN. */
export function productOf(listed: Omit<WizardProduct, 'asin'> & { asin: string | null }): WizardProduct | null {
  const { asin, sku, title, imageUrl } = listed
  const address = imageUrl !== null && imageUrl.length <= MAX_ADDRESS ? imageUrl : null
  return asin === null ? null : { asin, sku, title: title?.slice(0, MAX_TEXT) ?? null, imageUrl: address }
}

// The bid that is being edited may break the rules of a launch, and the suggestions stand next to it.
const bids = {
  bid: amount.wrapped,
  lowBid: v.optional(amount),
  medianBid: v.optional(amount),
  highBid: v.optional(amount),
}
const keyword = v.object({
  keyword: relaxed(listItems.keyword.entries.keyword),
  matchType: listItems.keyword.entries.matchType.wrapped,
  ...bids,
})
const negativeKeyword = relaxed(listItems.negativeKeyword)
const category = v.object({ ...listItems.category.entries, ...bids })
const productTarget = v.object({ asin: asinSchema, ...bids })
/** Keywords with the same match type and the same text, whatever its case and spaces, are one keyword. */
export const keywordId = ({ keyword, matchType }: { keyword: string; matchType: string }): string =>
  `${matchType} ${normalTerm(keyword)}`

const listOf = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.maxLength(MAX_IN_AD_GROUP))
/** Lists by ASIN, and by CAMPAIGN_KEY. Products that were removed keep theirs. */
function byProduct<S extends v.GenericSchema>(item: S) {
  return v.optional(
    v.pipe(v.record(v.pipe(v.string(), v.maxLength(20)), listOf(item)), v.maxEntries(2 * MAX_PRODUCTS + 1)),
    {},
  )
}
function choice<T>(field: v.GenericSchema<unknown, T>) {
  const { wrapped = field } = field as { wrapped?: v.GenericSchema<unknown, T> }
  return v.optional(
    v.nullable(relaxed<Exclude<T, undefined>>(wrapped as v.GenericSchema<unknown, Exclude<T, undefined>>)),
    null,
  )
}

/**
 * The draft as the wizard edits it: the fields of a launch, each of which may be missing, and what is being typed. Amounts are
 * decimals of the marketplace's currency, ACOS is in percent. A draft of an older version lacks newer fields.
 */
export const wizardState = v.object({
  currentStep: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(STEP_COUNT)), 1),
  setupMode: launchFields.setupMode,
  template: choice(launchFields.template),
  strategy: choice(launchFields.strategy),
  products: v.optional(v.pipe(v.array(product), v.maxLength(MAX_PRODUCTS)), []),
  keywords: byProduct(keyword),
  categories: byProduct(category),
  productTargets: byProduct(productTarget),
  negativeKeywords: v.optional(listOf(negativeKeyword), []),
  campaignName: v.optional(shortText, ''),
  namePattern: choice(launchFields.namePattern),
  budget: v.optional(amount, null),
  targetAcos: v.optional(amount, null),
  automationMode: choice(launchFields.automationMode),
  keywordMatchType: choice(launchFields.keywordMatchType),
  productTargetType: choice(launchFields.productTargetType),
  productMatchType: choice(launchFields.productMatchType),
  selectedCategory: v.optional(v.nullable(shortText), null),
  selectedProduct: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(20))), null),
  categoryBid: v.optional(amount, null),
  productBid: v.optional(amount, null),
  includeHighImpact: launchFields.includeHighImpact,
  includeRanking: launchFields.includeRanking,
  separateBrandTerms: launchFields.separateBrandTerms,
  budgetShares: choice(launchFields.budgetShares),
})
export type WizardState = v.InferOutput<typeof wizardState>
export type SetupMode = WizardState['setupMode']

export const freshWizard = (setupMode: SetupMode): WizardState => v.parse(wizardState, { setupMode })

/** True where negative keywords can be given: campaigns that target products take none. */
export const takesNegatives = ({ template }: WizardState): boolean =>
  template !== null && templateOf(template).family !== 'TARGET'

export const isMultiProduct = (template: Template | null): boolean =>
  template !== null && templateOf(template).multiProduct

export function settingsBlocks({ template, setupMode, automationMode, productTargetType }: WizardState) {
  const family = template && templateOf(template).family
  const isGuided = setupMode === 'GUIDED'
  const hasManualKeywords = family === 'KEYWORD' && automationMode === 'MANUAL'
  return {
    funnel: family === 'FUNNEL',
    automation: family === 'KEYWORD',
    /** Only keywords can name a brand. */
    brandTerms: family === 'FUNNEL' || hasManualKeywords,
    keywordMatch: (family === 'FUNNEL' && isGuided) || hasManualKeywords,
    productTargetType: family === 'TARGET' && isGuided,
    productMatch: family === 'TARGET' && productTargetType !== 'CATEGORY',
  }
}
