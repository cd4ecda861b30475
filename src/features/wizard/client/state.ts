import { normalTerm } from '#features/launches/contract.ts'
import { MAX_NEGATIVES } from '../negative-rules.ts'
import { isDoubleKeyword } from '../rules.ts'
import {
  freshWizard,
  type SetupMode,
  type WizardCategory,
  type WizardKeyword,
  type WizardNegativeKeyword,
  type WizardProduct,
  type WizardProductTarget,
  type WizardState,
} from '../wizard-state.ts'

/** What one tap or keystroke in the fields of a step sets. */
export type WizardFields = Pick<
  WizardState,
  | 'strategy'
  | 'campaignName'
  | 'budget'
  | 'targetAcos'
  | 'automationMode'
  | 'keywordMatchType'
  | 'productTargetType'
  | 'productMatchType'
  | 'selectedCategory'
  | 'selectedProduct'
  | 'categoryBid'
  | 'productBid'
  | 'includeHighImpact'
  | 'budgetShares'
>
export type ListName = 'keywords' | 'categories' | 'productTargets'

export type WizardAction =
  /** Another draft takes the place of this one, or the same as another device left it. */
  | { type: 'opened'; state: WizardState }
  | { type: 'stepSeen'; step: number }
  /** Both reset all but what product.md keeps; who dispatches them has asked the user. */
  | { type: 'modeChosen'; mode: SetupMode }
  | { type: 'templateChosen'; template: NonNullable<WizardState['template']> }
  | { type: 'fieldsSet'; fields: Partial<WizardFields> }
  | { type: 'productAdded'; product: WizardProduct }
  | { type: 'productRemoved'; asin: string }
  | { type: 'keywordsAdded'; key: string; items: readonly WizardKeyword[] }
  | { type: 'categoriesAdded'; key: string; items: readonly WizardCategory[] }
  | { type: 'targetsAdded'; key: string; items: readonly WizardProductTarget[] }
  | { type: 'negativesAdded'; items: readonly WizardNegativeKeyword[] }
  | { type: 'negativeRemoved'; index: number }
  | { type: 'itemRemoved'; list: ListName; key: string; index: number }
  | { type: 'bidChanged'; list: ListName; key: string; index: number; bid: number | null }
  /** One bid for each item, in their order; nothing happens when the list has changed meanwhile. */
  | { type: 'bidsSet'; list: ListName; key: string; bids: readonly number[] }

/** The next state of the wizard. Pure; doubles are dropped, and an action that changes nothing answers the same object. */
export const wizardReducer = (state: WizardState, action: WizardAction): WizardState => {
  switch (action.type) {
    case 'opened':
      return action.state
    case 'stepSeen':
      return action.step === state.currentStep ? state : { ...state, currentStep: action.step }
    case 'modeChosen':
      return action.mode === state.setupMode ? state : freshWizard(action.mode)
    case 'templateChosen':
      return action.template === state.template ? state : { ...freshWizard(state.setupMode), template: action.template }
    case 'fieldsSet':
      return withFields(state, action.fields)
    case 'productAdded':
      return state.products.some(p => p.asin === action.product.asin)
        ? state
        : { ...state, products: [...state.products, action.product] }
    case 'productRemoved':
      return withoutProduct(state, action.asin)
    case 'negativesAdded':
      return withNegatives(state, action.items)
    case 'negativeRemoved':
      return { ...state, negativeKeywords: state.negativeKeywords.filter((_, i) => i !== action.index) }
    case 'itemRemoved':
    case 'bidChanged':
    case 'bidsSet':
      return changeList(state, action)
    default:
      return addToList(state, action)
  }
}

// Another set of phases needs another split.
const withFields = (state: WizardState, fields: Partial<WizardFields>): WizardState => {
  const { includeHighImpact = state.includeHighImpact } = fields
  return { ...state, ...(includeHighImpact !== state.includeHighImpact && { budgetShares: null }), ...fields }
}

const without = <T>(lists: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(lists).filter(([other]) => other !== key))

const withoutProduct = (state: WizardState, asin: string): WizardState => ({
  ...state,
  products: state.products.filter(p => p.asin !== asin),
  keywords: without(state.keywords, asin),
  categories: without(state.categories, asin),
  productTargets: without(state.productTargets, asin),
})

// By a map: a pasted list has up to a thousand, and each would be held against each.
const withNegatives = (state: WizardState, items: readonly WizardNegativeKeyword[]): WizardState => {
  const all = new Map<string, WizardNegativeKeyword>()
  for (const one of [...state.negativeKeywords, ...items]) {
    const key = `${one.matchType} ${normalTerm(one.keyword)}`
    if (!all.has(key)) all.set(key, one)
  }
  return { ...state, negativeKeywords: [...all.values()].slice(0, MAX_NEGATIVES) }
}

type Adding = Extract<WizardAction, { type: 'keywordsAdded' | 'categoriesAdded' | 'targetsAdded' }>

const addToList = (state: WizardState, action: Adding): WizardState => {
  if (action.type === 'keywordsAdded') {
    const list = unique(state.keywords[action.key], action.items, (all, k) =>
      isDoubleKeyword(all, k.keyword, k.matchType),
    )
    return { ...state, keywords: { ...state.keywords, [action.key]: list } }
  }
  if (action.type === 'categoriesAdded') {
    const list = unique(state.categories[action.key], action.items, (all, c) => all.some(other => other.id === c.id))
    return { ...state, categories: { ...state.categories, [action.key]: list } }
  }
  const list = unique(state.productTargets[action.key], action.items, (all, t) => all.some(o => o.asin === t.asin))
  return { ...state, productTargets: { ...state.productTargets, [action.key]: list } }
}

const unique = <T>(old: readonly T[] = [], added: readonly T[], isDouble: (all: T[], item: T) => boolean): T[] => {
  const all = [...old]
  for (const item of added) if (!isDouble(all, item)) all.push(item)
  return all
}

type Changing = Extract<WizardAction, { type: 'itemRemoved' | 'bidChanged' | 'bidsSet' }>

const changeList = (state: WizardState, action: Changing): WizardState => {
  const change = <T extends { bid: number }>(items: readonly T[] = []): T[] => {
    if (action.type === 'itemRemoved') return items.filter((_, i) => i !== action.index)
    if (action.type === 'bidsSet')
      return items.length === action.bids.length
        ? items.map((item, i) => ({ ...item, bid: action.bids[i] ?? item.bid }))
        : [...items]
    // What is no number counts as 0, and a bid is never below.
    return items.map((item, i) => (i === action.index ? { ...item, bid: Math.max(0, action.bid ?? 0) } : item))
  }
  switch (action.list) {
    case 'keywords':
      return { ...state, keywords: { ...state.keywords, [action.key]: change(state.keywords[action.key]) } }
    case 'categories':
      return { ...state, categories: { ...state.categories, [action.key]: change(state.categories[action.key]) } }
    case 'productTargets':
      return {
        ...state,
        productTargets: { ...state.productTargets, [action.key]: change(state.productTargets[action.key]) },
      }
  }
}
