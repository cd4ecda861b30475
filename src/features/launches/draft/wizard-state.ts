import * as v from 'valibot'
import {
  automationModes,
  budgetShares,
  MAX_CAMPAIGN_NAME,
  MAX_NAME_PATTERN,
  MAX_PRODUCTS,
  negativeMatchTypes,
  productMatchTypes,
  productTargetTypes,
  setupModes,
  templates,
} from '../contract.ts'
import { asinSchema, keywordMatchTypes, strategies } from '#features/recommendations/contract.ts'

/** Steps of the wizard by their number from 1. */
export const wizardSteps = ['TEMPLATE', 'STRATEGY', 'SETTINGS', 'TARGETING', 'REVIEW'] as const
export const STEP_COUNT = wizardSteps.length

/** Beside the ASINs, the key of what belongs to the campaign as a whole (multi-product templates). */
export const CAMPAIGN_KEY = 'campaign'

const amount = v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0)))
const bid = v.pipe(v.number(), v.finite(), v.minValue(0))
const maxText = 500
const maxAddress = 2000
const shortText = v.pipe(v.string(), v.maxLength(maxText))
const suggested = { lowBid: v.optional(amount), medianBid: v.optional(amount), highBid: v.optional(amount) }

const product = v.object({
  asin: asinSchema,
  sku: v.pipe(v.string(), v.maxLength(40)),
  /** What the lists show; a draft must be readable without network. */
  title: v.nullable(shortText),
  imageUrl: v.nullable(v.pipe(v.string(), v.maxLength(maxAddress))),
})
export type WizardProduct = v.InferOutput<typeof product>

interface Listed {
  asin: string | null
  sku: string
  title: string | null
  imageUrl: string | null
}
/** A listed product as a draft keeps it, which must never be refused for a long title; null without an ASIN. */
export const productOf = ({ asin, sku, title, imageUrl }: Listed): WizardProduct | null => {
  const address = imageUrl !== null && imageUrl.length <= maxAddress ? imageUrl : null
  return asin === null ? null : { asin, sku, title: title?.slice(0, maxText) ?? null, imageUrl: address }
}

const keyword = v.object({ keyword: shortText, matchType: v.picklist(keywordMatchTypes), bid, ...suggested })
const negativeKeyword = v.object({ keyword: shortText, matchType: v.picklist(negativeMatchTypes) })
export type WizardNegativeKeyword = v.InferOutput<typeof negativeKeyword>
const category = v.object({ id: v.pipe(v.string(), v.regex(/^\d{1,20}$/)), name: shortText, bid, ...suggested })
const productTarget = v.object({ asin: asinSchema, bid, ...suggested })
export type WizardKeyword = v.InferOutput<typeof keyword>
export type WizardCategory = v.InferOutput<typeof category>
export type WizardProductTarget = v.InferOutput<typeof productTarget>

// The products of the draft, those that were removed from it, and the campaign.
const MAX_KEYS = 2 * MAX_PRODUCTS + 1
const byProduct = <S extends v.GenericSchema>(item: S) =>
  v.pipe(
    v.record(v.pipe(v.string(), v.maxLength(20)), v.pipe(v.array(item), v.maxLength(1000))),
    v.maxEntries(MAX_KEYS),
  )

/** All that a user has told the wizard. A campaign's amounts are decimals of the marketplace's currency, ACOS is in percent. */
export const wizardState = v.object({
  /** The step last seen, from 1. */
  currentStep: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(STEP_COUNT)),
  setupMode: v.picklist(setupModes),
  template: v.nullable(v.picklist(templates)),
  strategy: v.nullable(v.picklist(strategies)),
  products: v.pipe(v.array(product), v.maxLength(MAX_PRODUCTS)),
  /** By ASIN, and by CAMPAIGN_KEY. */
  keywords: byProduct(keyword),
  categories: byProduct(category),
  productTargets: byProduct(productTarget),
  /** Of the whole launch. */
  negativeKeywords: v.optional(v.pipe(v.array(negativeKeyword), v.maxLength(1000)), []),
  campaignName: v.pipe(v.string(), v.maxLength(MAX_CAMPAIGN_NAME * 2)),
  /** How the campaigns are named; null for the usual pattern. */
  namePattern: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(MAX_NAME_PATTERN * 2))), null),
  budget: amount,
  targetAcos: amount,
  automationMode: v.nullable(v.picklist(automationModes)),
  keywordMatchType: v.nullable(v.picklist(keywordMatchTypes)),
  productTargetType: v.nullable(v.picklist(productTargetTypes)),
  productMatchType: v.nullable(v.picklist(productMatchTypes)),
  /** What is being entered by hand and not added yet. */
  selectedCategory: v.nullable(shortText),
  selectedProduct: v.nullable(v.pipe(v.string(), v.maxLength(20))),
  categoryBid: amount,
  productBid: amount,
  includeHighImpact: v.boolean(),
  includeRanking: v.optional(v.boolean(), true),
  /** Whether terms of brands get campaigns of their own. */
  separateBrandTerms: v.optional(v.boolean(), false),
  /** Percent of the budget by phase; null for the usual split. */
  budgetShares: v.optional(v.nullable(budgetShares), null),
})
export type WizardState = v.InferOutput<typeof wizardState>
export type SetupMode = WizardState['setupMode']

/** A wizard in which nothing was chosen but the mode. */
export const freshWizard = (setupMode: SetupMode): WizardState => ({
  currentStep: 1,
  setupMode,
  template: null,
  strategy: null,
  products: [],
  keywords: {},
  categories: {},
  productTargets: {},
  negativeKeywords: [],
  campaignName: '',
  namePattern: null,
  budget: null,
  targetAcos: null,
  automationMode: null,
  keywordMatchType: null,
  productTargetType: null,
  productMatchType: null,
  selectedCategory: null,
  selectedProduct: null,
  categoryBid: null,
  productBid: null,
  includeHighImpact: false,
  includeRanking: true,
  separateBrandTerms: false,
  budgetShares: null,
})
