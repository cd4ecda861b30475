import { keywordText } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import { type AdvertiserType, maxNameLength } from '#shared/campaign-rules.ts'
import { type BidLimits, bidProblem, type BudgetLimits } from '#shared/ad-limits.ts'
import {
  blockedKeywords,
  chosenCategories,
  chosenKeywords,
  chosenProductTargets,
  targetMatchOf,
} from './chosen-terms.ts'
import {
  type CreatePayload,
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
type ProblemCode = 'MISSING' | 'INVALID' | 'CONFLICT' | 'MARKET_LIMIT' | 'INCOMPLETE'

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

const targetingFields = ['products', 'keywords', 'negativeKeywords', 'categories', 'productTargets']

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
  }
  const chosen = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null && value !== undefined))
  return { ...missing, ...chosen } as unknown as CreatePayload
}

const problem = (field: LaunchField, code: ProblemCode, message: string, hint?: string): Problem => ({
  field,
  step: stepOfField(field),
  code,
  message,
  ...(hint !== undefined && { hint }),
})

/** Why a value breaks the rules of its field or list item; null when it does not. */
export function valueProblem(schema: v.GenericSchema<unknown, unknown>, value: unknown): string | null {
  const parsed = v.safeParse(schema, value)
  return parsed.success ? null : parsed.issues[0].message
}

const checkedFields = [
  'template',
  'strategy',
  'campaignName',
  'budget',
  'targetAcos',
  'namePattern',
  'budgetShares',
] as const

function fieldProblems(draft: LaunchDraft): Problem[] {
  return checkedFields.flatMap(field => {
    const value = draft[field]
    const message = valueProblem(launchFields[field], value ?? undefined)
    const code = value || field === 'namePattern' ? 'INVALID' : 'MISSING'
    return message === null ? [] : [problem(field, code, message)]
  })
}

/** What is wrong with a set of products. */
export const productMessages = {
  limit: 'A single-product template can only have 1 product; remove the current product first.',
  duplicate: 'A product with this ASIN is already selected, even with a different SKU.',
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

/** The list that a guided launch lets the user configure by hand; null where the marketplace or the mode chooses. */
export function configurationOf({
  template,
  setupMode,
  automationMode,
  productTargetType,
}: Pick<LaunchDraft, 'template' | 'setupMode' | 'automationMode' | 'productTargetType'>) {
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
  const { template, products } = draft
  const configuration = configurationOf(draft)
  if (!template || !configuration || !products?.length) return []
  const { family, multiProduct } = templateOf(template)
  if (family === 'KEYWORD' && !draft.automationMode) return []
  const { list, things } = configuredLists[configuration]
  const message = multiProduct
    ? `Configure at least one ${list === 'keywords' ? 'keyword' : 'category or product target'} for the campaign first.`
    : `Configure ${things} for each selected product first.`
  const configured = products.filter(product => product[list].length).length
  if (draft[list]?.length || (!multiProduct && configured === products.length)) return []
  return [problem(list, configured ? 'INCOMPLETE' : 'MISSING', message)]
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

function overfull(field: LaunchField, things: string, items: readonly unknown[], ofKind = ''): Problem[] {
  const excess = items.length - MAX_IN_AD_GROUP
  const message = `An ad group holds at most ${MAX_IN_AD_GROUP} ${things}: remove ${excess}${ofKind}`
  return excess > 0 ? [problem(field, 'INVALID', message)] : []
}

function textProblems(
  field: 'keywords' | 'negativeKeywords',
  items: readonly { keyword: string }[],
  schema: v.GenericSchema,
): Problem[] {
  return items.flatMap(item => {
    const message = valueProblem(schema, item)
    return message === null ? [] : [problem(field, 'INVALID', `“${item.keyword}”: ${message}`, `“${item.keyword}”`)]
  })
}

/** What is wrong with the texts, counts and match types of the lists. */
function listProblems(draft: LaunchDraft): Problem[] {
  const { template, automationMode, keywordMatchType, negativeKeywords } = draft
  if (!template) return []
  const { family } = templateOf(template)
  if (family === 'TARGET' && negativeKeywords?.length)
    return [problem('negativeKeywords', 'CONFLICT', 'Campaigns that target products cannot have negative keywords')]
  const keywords = chosenKeywords(draft)
  const found = [
    ...textProblems('keywords', keywords, v.object({ keyword: keywordText })),
    ...textProblems('negativeKeywords', negativeKeywords ?? [], listItems.negativeKeyword),
    ...blockedKeywords(draft).map(text =>
      problem('negativeKeywords', 'CONFLICT', `“${text}” would never be shown: a negative keyword keeps it out`),
    ),
  ]
  if (family === 'TARGET') {
    const targets = Map.groupBy(chosenProductTargets(draft), target => targetMatchOf(target, draft))
    return [
      ...found,
      ...overfull('categories', 'categories', chosenCategories(draft)),
      ...overfull('productTargets', 'product targets', targets.get('PRODUCT_EXACT') ?? []),
      ...overfull('productTargets', 'product targets', targets.get('PRODUCT_SIMILAR') ?? []),
    ]
  }
  if (family === 'KEYWORD' && automationMode !== 'MANUAL') return found
  const byMatch = Map.groupBy(keywords, k => k.matchType ?? keywordMatchType ?? null)
  if (byMatch.has(null)) found.push(problem('keywords', 'MISSING', 'Choose a match type for every keyword'))
  for (const match of keywordMatches)
    found.push(...overfull('keywords', 'keywords', byMatch.get(match) ?? [], ` of the ${match.toLowerCase()} ones`))
  return found
}

function shareProblems({ template, budgetShares, includeHighImpact, includeRanking }: LaunchDraft): Problem[] {
  if (!template || !budgetShares || valueProblem(launchFields.budgetShares, budgetShares) !== null) return []
  const phases = { includeHighImpact: includeHighImpact ?? false, includeRanking: includeRanking ?? true }
  const isFunnel = templateOf(template).family === 'FUNNEL'
  const message = isFunnel ? sharesProblem(budgetShares, phases) : 'Only a funnel shares its budget among phases'
  return message === null ? [] : [problem('budgetShares', 'CONFLICT', message)]
}

/** What the marketplace does not accept: the budget, the names and the user's own bids. */
function marketProblems({ template, ...draft }: LaunchDraft, market: LaunchMarket): Problem[] {
  const found: Problem[] = []
  const { accountType, campaignPrefix = null } = market
  const payload = template && withDefaults({ ...draft, template })
  if (payload && valueProblem(launchFields.budget, payload.budget) === null) {
    const { problem: message, summary } = checkBudget(payload, market)
    if (message !== null) found.push(problem('budget', 'MARKET_LIMIT', message, summary))
  }
  if (payload && accountType && !namesOf(payload, { accountType, campaignPrefix }).fits) {
    const limit = maxNameLength[accountType]
    const message = `The names would be longer than the ${limit} characters that the marketplace accepts: shorten the pattern`
    found.push(problem('namePattern', 'MARKET_LIMIT', message))
  }
  const checkBid = (field: LaunchField, name: string, bid: number) => {
    const message = bidProblem(bid, market, { subject: `The bid for “${name}”` })
    if (message !== null) found.push(problem(field, 'MARKET_LIMIT', message))
  }
  for (const k of chosenKeywords(draft)) checkBid('keywords', k.keyword, k.bid)
  for (const c of chosenCategories(draft)) checkBid('categories', c.name, c.bid)
  for (const t of chosenProductTargets(draft)) checkBid('productTargets', t.asin, t.bid)
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
