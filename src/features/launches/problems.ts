import * as v from 'valibot'
import {
  type AdvertiserType,
  type BidLimits,
  bidProblem,
  type BudgetLimits,
  maxNameLength,
} from '#shared/campaign-rules.ts'
import {
  blockedKeywords,
  chosenCategories,
  chosenKeywords,
  chosenProductTargets,
  targetMatchOf,
} from './chosen-terms.ts'
import {
  type CreatePayload,
  keywordText,
  type LaunchDraft,
  type LaunchField,
  launchFields,
  launchMessages,
  listItems,
  MAX_IN_AD_GROUP,
} from './launch-schema.ts'
import { sharesProblem } from './plan/budget-shares.ts'
import { checkBudget } from './plan/plan-budget.ts'
import { namesOf } from './plan/plan-structure.ts'
import { keywordMatches, type Template, templateOf } from './templates.ts'

/**
 * MISSING: a choice that the launch needs. INVALID: a value that breaks a rule of its field. CONFLICT: fields that contradict each
 * other. MARKET_LIMIT: the marketplace does not accept it. INCOMPLETE: a launch would accept it, but the wizard asks for more.
 */
export type ProblemCode = 'MISSING' | 'INVALID' | 'CONFLICT' | 'MARKET_LIMIT' | 'INCOMPLETE'

export interface Problem {
  /** The field that must change. */
  field: LaunchField
  /** The step of the wizard, from 1, that is not complete because of it. */
  step: number
  code: ProblemCode
  message: string
  /** A short instruction for the wizard; absent: the message. */
  hint?: string
}

/** What a marketplace accepts; the names of campaigns are checked where the account is given. */
export interface LaunchMarket extends BidLimits, BudgetLimits {
  accountType?: AdvertiserType
  campaignPrefix?: string | null
}

const targetingFields: readonly string[] = ['products', 'keywords', 'negativeKeywords', 'categories', 'productTargets']

/** The step of the wizard, from 1, that shows a field; also of a path into it (`keywords.3.bid`). */
export function stepOfField(field: string): number {
  const [name = ''] = field.split('.')
  if (name === 'template') return 1
  if (name === 'strategy') return 2
  return targetingFields.includes(name) ? 4 : 3
}

/** The same draft with a value for every field, for what can be computed before all is chosen. */
export function withDefaults(draft: LaunchDraft & { template: Template }): CreatePayload {
  const missing = {
    strategy: 'NORMAL',
    setupMode: 'SMART',
    campaignName: '',
    budget: 0,
    targetAcos: 0,
    products: [],
    keywords: [],
    categories: [],
    productTargets: [],
    negativeKeywords: [],
    includeHighImpact: false,
    includeRanking: true,
    separateBrandTerms: false,
  } as const
  const chosen = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null && value !== undefined))
  return { ...missing, ...chosen } as unknown as CreatePayload
}

function problem(field: LaunchField, code: ProblemCode, message: string, hint?: string): Problem {
  return {
    field,
    step: stepOfField(field),
    code,
    message,
    ...(hint !== undefined && { hint }),
  }
}

/** Why a value breaks the rules of its field or list item; null when it does not. */
export function valueProblem(schema: v.GenericSchema<unknown, unknown>, value: unknown): string | null {
  const parsed = v.safeParse(schema, value)
  return parsed.success ? null : parsed.issues[0].message
}

const requiredFields = ['template', 'strategy', 'campaignName', 'budget', 'targetAcos'] as const
const optionalFields = ['namePattern', 'budgetShares'] as const

function fieldProblems(draft: LaunchDraft): Problem[] {
  const found: Problem[] = []
  for (const field of requiredFields) {
    const value = draft[field]
    const message = valueProblem(launchFields[field], value ?? undefined)
    if (message !== null) found.push(problem(field, value ? 'INVALID' : 'MISSING', message))
  }
  for (const field of optionalFields) {
    const message = valueProblem(launchFields[field], draft[field] ?? undefined)
    if (message !== null) found.push(problem(field, 'INVALID', message))
  }
  return found
}

function productProblems({ template, products }: LaunchDraft): Problem[] {
  if (!products?.length)
    return [problem('products', 'MISSING', launchMessages.products, 'Select at least one product first.')]
  const found: Problem[] = []
  if (template && !templateOf(template).multiProduct && products.length > 1)
    found.push(problem('products', 'CONFLICT', productMessages.limit))
  if (new Set(products.map(p => p.asin)).size < products.length)
    found.push(problem('products', 'CONFLICT', productMessages.duplicate))
  return found
}

/** What is wrong with a set of products. */
export const productMessages = {
  limit: 'A single-product template can only have 1 product; remove the current product first.',
  duplicate: 'A product with this ASIN is already selected, even with a different SKU.',
}

/** The list that a guided launch lets the user configure by hand; null where the marketplace or the mode chooses. */
export function configurationOf({
  template,
  setupMode,
  automationMode,
  productTargetType,
}: Pick<LaunchDraft, 'template' | 'setupMode' | 'automationMode' | 'productTargetType'>):
  | 'KEYWORDS'
  | 'CATEGORIES'
  | 'PRODUCT_TARGETS'
  | null {
  if (!template || setupMode !== 'GUIDED') return null
  const { family } = templateOf(template)
  if (family !== 'TARGET') return family === 'KEYWORD' && automationMode === 'AUTO' ? null : 'KEYWORDS'
  if (!productTargetType) return null
  return productTargetType === 'CATEGORY' ? 'CATEGORIES' : 'PRODUCT_TARGETS'
}

const configuredLists = {
  KEYWORDS: { list: 'keywords', things: 'keywords' },
  CATEGORIES: { list: 'categories', things: 'categories' },
  PRODUCT_TARGETS: { list: 'productTargets', things: 'product targets' },
} as const

function configurationProblems(draft: LaunchDraft): Problem[] {
  const { template, products = [] } = draft
  const configuration = configurationOf(draft)
  if (!template || !configuration || !products?.length) return []
  if (templateOf(template).family === 'KEYWORD' && !draft.automationMode) return []
  const { list, things } = configuredLists[configuration]
  const { multiProduct } = templateOf(template)
  const message = multiProduct
    ? `Configure at least one ${list === 'keywords' ? 'keyword' : 'category or product target'} for the campaign first.`
    : `Configure ${things} for each selected product first.`
  const ofCampaign = draft[list]?.length ?? 0
  const isInProducts = products.some(product => product[list].length)
  if (!ofCampaign && !isInProducts) return [problem(list, 'MISSING', message)]
  const isComplete = ofCampaign > 0 || (!multiProduct && products.every(product => product[list].length))
  return isComplete ? [] : [problem(list, 'INCOMPLETE', message)]
}

function targetingProblems(draft: LaunchDraft): Problem[] {
  const { template, setupMode, automationMode, keywordMatchType, productTargetType } = draft
  if (!template) return []
  const { family } = templateOf(template)
  const found: Problem[] = []
  const isGuided = setupMode === 'GUIDED'
  if (family === 'KEYWORD' && !automationMode)
    found.push(problem('automationMode', 'MISSING', 'Choose automatic or manual targeting'))
  const needsMatch = family === 'FUNNEL' ? isGuided : family === 'KEYWORD' && automationMode === 'MANUAL'
  if (needsMatch && !keywordMatchType) found.push(problem('keywordMatchType', 'MISSING', 'Choose a keyword match type'))
  if (family === 'TARGET' && isGuided && !productTargetType) {
    const message = 'Choose category or product targeting'
    // Step 3 offers the choice, but only step 4 needs it.
    found.push({ ...problem('productTargetType', 'MISSING', message, `${message} in step 3 first.`), step: 4 })
  }
  return found
}

function overfull(field: LaunchField, things: string, count: number, ofKind = ''): Problem[] {
  return count > MAX_IN_AD_GROUP
    ? [
        problem(
          field,
          'INVALID',
          `An ad group holds at most ${MAX_IN_AD_GROUP} ${things}: take out ${count - MAX_IN_AD_GROUP}${ofKind}`,
        ),
      ]
    : []
}

/** What is wrong with the texts, counts and match types of the lists. */
function listProblems(draft: LaunchDraft): Problem[] {
  const { template, keywordMatchType, negativeKeywords } = draft
  if (!template) return []
  const { family, takesNegatives } = templateOf(template)
  const keywords = chosenKeywords(draft)
  const texts = (
    field: 'keywords' | 'negativeKeywords',
    all: readonly { keyword: string }[],
    schema: v.GenericSchema,
  ) =>
    all.flatMap(item => {
      const message = valueProblem(schema, item)
      return message === null ? [] : [problem(field, 'INVALID', `“${item.keyword}”: ${message}`, `“${item.keyword}”`)]
    })
  if (!takesNegatives && negativeKeywords?.length)
    return [problem('negativeKeywords', 'CONFLICT', 'Campaigns that target products take no negative keywords')]
  const found = [
    ...texts('keywords', keywords, v.object({ keyword: keywordText })),
    ...texts('negativeKeywords', negativeKeywords ?? [], listItems.negativeKeyword),
    ...blockedKeywords(draft).map(text =>
      problem('negativeKeywords', 'CONFLICT', `“${text}” would never be shown: a negative keyword keeps it out`),
    ),
  ]
  if (family === 'TARGET') {
    const targets = chosenProductTargets(draft)
    const ofMatch = (match: string) => targets.filter(t => targetMatchOf(t, draft) === match).length
    return [
      ...found,
      ...overfull('categories', 'categories', chosenCategories(draft).length),
      ...overfull('productTargets', 'product targets', ofMatch('PRODUCT_EXACT')),
      ...overfull('productTargets', 'product targets', ofMatch('PRODUCT_SIMILAR')),
    ]
  }
  if (family === 'KEYWORD' && draft.automationMode !== 'MANUAL') return found
  if (keywords.some(k => !(k.matchType ?? keywordMatchType)))
    found.push(problem('keywords', 'MISSING', 'Choose a match type for every keyword'))
  for (const match of keywordMatches) {
    const count = keywords.filter(k => (k.matchType ?? keywordMatchType) === match).length
    found.push(...overfull('keywords', 'keywords', count, ` of the ${match.toLowerCase()} ones`))
  }
  return found
}

function shareProblems({ template, budgetShares, ...draft }: LaunchDraft): Problem[] {
  if (!template || !budgetShares || valueProblem(launchFields.budgetShares, budgetShares) !== null) return []
  const { includeHighImpact, includeRanking } = draft
  const message =
    templateOf(template).family === 'FUNNEL'
      ? sharesProblem(budgetShares, {
          includeHighImpact: includeHighImpact ?? false,
          includeRanking: includeRanking ?? true,
        })
      : 'Only a funnel shares its budget among phases'
  return message === null ? [] : [problem('budgetShares', 'CONFLICT', message)]
}

/** What the marketplace does not accept: the budget, the names and the user's own bids. */
function marketProblems(draft: LaunchDraft, market: LaunchMarket): Problem[] {
  const found: Problem[] = []
  const { template } = draft
  const payload = template ? withDefaults({ ...draft, template }) : null
  if (payload && valueProblem(launchFields.budget, payload.budget) === null) {
    const { problem: message, summary } = checkBudget(payload, market)
    if (message !== null) found.push(problem('budget', 'MARKET_LIMIT', message, summary))
  }
  const { accountType, campaignPrefix = null } = market
  if (payload && accountType && !namesOf(payload, { accountType, campaignPrefix }).fits) {
    const limit = maxNameLength[accountType]
    const message = `The names would be longer than the ${limit} characters that the marketplace takes: shorten the pattern`
    found.push(problem('namePattern', 'MARKET_LIMIT', message))
  }
  const bids = (field: LaunchField, name: string, bid: number) => {
    const message = bidProblem(bid, market, { subject: `The bid for “${name}”` })
    if (message !== null) found.push(problem(field, 'MARKET_LIMIT', message))
  }
  for (const k of chosenKeywords(draft)) bids('keywords', k.keyword, k.bid)
  for (const c of chosenCategories(draft)) bids('categories', c.name, c.bid)
  for (const t of chosenProductTargets(draft)) bids('productTargets', t.asin, t.bid)
  return found
}

/**
 * Everything that is wrong with a launch, complete or not, in the order of the wizard's steps; empty when all is well. The one
 * implementation of the rules: fields, steps and the server use it. `market` is null where its limits are not known.
 */
export function problems(draft: LaunchDraft, market: LaunchMarket | null): Problem[] {
  return [
    ...fieldProblems(draft),
    ...targetingProblems(draft),
    ...shareProblems(draft),
    ...productProblems(draft),
    ...configurationProblems(draft),
    ...(market ? marketProblems(draft, market) : []),
    ...listProblems(draft),
  ].sort((a, b) => a.step - b.step)
}
