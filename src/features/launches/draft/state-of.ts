import { templateOf } from '../contract.ts'
import * as v from 'valibot'
import { type CreatePayload, normalTerm } from '../contract.ts'
import { payloadOf } from './payload-of.ts'
import {
  CAMPAIGN_KEY,
  freshWizard,
  type WizardCategory,
  type WizardKeyword,
  type WizardProductTarget,
  type WizardState,
  wizardState,
} from './wizard-state.ts'

/**
 * The wizard in which a payload was entered: its inverse is `payloadOf`. Titles and pictures of products are in no payload.
 * Null where it holds more than a wizard does, or what none takes.
 */
export const stateOf = (payload: CreatePayload): WizardState | null => {
  const { template, products } = payload
  const matchType = payload.keywordMatchType ?? 'EXACT'
  const keywordsOf = (list: CreatePayload['keywords']): WizardKeyword[] =>
    list.map(k => ({ ...k, matchType: k.matchType ?? matchType }))
  const targetsOf = (list: CreatePayload['productTargets']): WizardProductTarget[] =>
    list.map(({ asin, bid }) => ({ asin, bid }))
  const { multiProduct } = templateOf(template)
  const place = <T>(of: (owner: Owner) => T[], idOf: (item: T) => string, isFlat = false) =>
    placed({ own: products.map(p => [p.asin, of(p)] as const), shared: of(payload), idOf, multiProduct, isFlat })
  const parsed = v.safeParse(wizardState, {
    ...freshWizard(payload.setupMode),
    currentStep: 5,
    template,
    strategy: payload.strategy,
    campaignName: payload.campaignName,
    namePattern: payload.namePattern ?? null,
    budget: payload.budget,
    targetAcos: payload.targetAcos,
    products: products.map(({ asin, sku }) => ({ asin, sku, title: null, imageUrl: null })),
    keywords: place(owner => keywordsOf(owner.keywords), keywordKey, true),
    categories: place<WizardCategory>(
      owner => owner.categories,
      category => category.id,
    ),
    productTargets: place(
      owner => targetsOf(owner.productTargets),
      target => target.asin,
    ),
    negativeKeywords: payload.negativeKeywords,
    includeHighImpact: payload.includeHighImpact,
    includeRanking: payload.includeRanking,
    separateBrandTerms: payload.separateBrandTerms,
    budgetShares: payload.budgetShares ?? null,
    automationMode: payload.automationMode ?? null,
    keywordMatchType: payload.keywordMatchType ?? null,
    productTargetType: payload.productTargetType ?? null,
    productMatchType: payload.productMatchType ?? null,
  })
  return parsed.success ? parsed.output : null
}

type Owner = CreatePayload | CreatePayload['products'][number]

const keywordKey = ({ keyword, matchType }: Pick<WizardKeyword, 'keyword' | 'matchType'>) =>
  `${matchType} ${normalTerm(keyword)}`

interface Placing<T> {
  /** By ASIN. */
  own: readonly (readonly [string, T[]])[]
  /** Of the payload itself. */
  shared: readonly T[]
  idOf: (item: T) => string
  multiProduct: boolean
  /** True where what is shared has what is the products' own again. */
  isFlat: boolean
}

// A template of one product has no lists but the product's. One of several must have something for the campaign.
const placed = <T>({ own, shared, idOf, multiProduct, isFlat }: Placing<T>): Record<string, T[]> => {
  const known = new Set(own.flatMap(([, items]) => items.map(idOf)))
  const rest = shared.filter(item => !known.has(idOf(item)))
  const ofCampaign = isFlat && rest.length ? rest : [...shared]
  const lists = multiProduct
    ? [...own, [CAMPAIGN_KEY, ofCampaign] as const]
    : own.map(([asin, items], i) => [asin, i === 0 ? [...items, ...rest] : items] as const)
  return Object.fromEntries(lists.filter(([, items]) => items.length))
}

/** How many terms of a payload a wizard would not launch again, because it has no place for them. */
export const withoutPlace = (payload: CreatePayload, state: WizardState): number => {
  const again = payloadOf(state)
  const kept = again ? termsOf(again as CreatePayload) : new Set<string>()
  return [...termsOf(payload)].filter(term => !kept.has(term)).length
}

const termsOf = (payload: CreatePayload): Set<string> => {
  const owners: readonly Owner[] = [...payload.products, payload]
  const match = payload.productMatchType ?? 'PRODUCT_EXACT'
  const keywordMatch = payload.keywordMatchType ?? 'EXACT'
  return new Set([
    ...owners.flatMap(o => o.keywords.map(k => keywordKey({ ...k, matchType: k.matchType ?? keywordMatch }))),
    ...owners.flatMap(o => o.categories.map(c => c.id)),
    ...owners.flatMap(o => o.productTargets.map(t => `${t.matchType ?? match} ${t.asin}`)),
    ...payload.negativeKeywords.map(n => `${n.matchType} ${normalTerm(n.keyword)}`),
  ])
}
