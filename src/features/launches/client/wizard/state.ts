import { MAX_PRODUCTS, withoutRanking } from '../../contract.ts'
import {
  categoryId,
  keywordId,
  targetId,
  withAdded,
  withBids,
  withoutIds,
  withPutBack,
  type Taken,
} from '../../lists/list-changes.ts'
import { isMultiProduct } from '../../draft/rules.ts'
import {
  CAMPAIGN_KEY,
  freshWizard,
  type WizardState,
  type SetupMode,
  type WizardCategory,
  type WizardKeyword,
  type WizardNegativeKeyword,
  type WizardProduct,
  type WizardProductTarget,
} from '../../draft/wizard-state.ts'

/** The next state of the wizard. Pure; doubles are dropped, and an action that changes nothing answers the same object. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
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
      return withProduct(state, { index: state.products.length, item: action.product, lists: noLists })
    case 'productPutBack':
      return withProduct(state, action.taken)
    case 'productRemoved':
      return withoutProduct(state, action.asin)
    case 'negativesAdded':
      return withNegatives(state, withAdded(state.negativeKeywords, action.items, keywordId))
    case 'negativesRemoved':
      return withNegatives(state, withoutIds(state.negativeKeywords, action.ids, keywordId))
    case 'negativesPutBack':
      return withNegatives(state, withPutBack(state.negativeKeywords, action.taken, keywordId))
    default:
      return changeList(state, action)
  }
}

// Another set of phases needs another split.
function withFields(state: WizardState, fields: Partial<WizardFields>): WizardState {
  const { includeHighImpact = state.includeHighImpact, includeRanking = state.includeRanking } = fields
  const isSame = includeHighImpact === state.includeHighImpact && includeRanking === state.includeRanking
  if (isSame) return { ...state, ...fields }
  const leavesRankingOut = !includeRanking && state.includeRanking && includeHighImpact === state.includeHighImpact
  const budgetShares = leavesRankingOut && state.budgetShares ? withoutRanking(state.budgetShares) : null
  return { ...state, budgetShares, ...fields }
}

function withNegatives(state: WizardState, negativeKeywords: WizardState['negativeKeywords']): WizardState {
  return {
    ...state,
    negativeKeywords,
  }
}

const noLists = { keywords: [], categories: [], productTargets: [] } as const

function hasNoRoom(state: WizardState, asin: string): boolean {
  return (
    state.products.length >= (isMultiProduct(state.template) ? MAX_PRODUCTS : 1) ||
    state.products.some(p => p.asin === asin)
  )
}

// What the product had configured is put beside it again.
function withProduct(state: WizardState, { index, item, lists }: TakenProduct): WizardState {
  if (hasNoRoom(state, item.asin)) return state
  const own = <T>(all: Record<string, T[]>, list: readonly T[]) =>
    list.length ? { ...all, [item.asin]: [...list] } : all
  return {
    ...state,
    products: state.products.toSpliced(index, 0, item),
    keywords: own(state.keywords, lists.keywords),
    categories: own(state.categories, lists.categories),
    productTargets: own(state.productTargets, lists.productTargets),
  }
}

/** True when nothing was changed since, but perhaps these. */
export function sameBut(a: WizardState, b: WizardState, these: readonly (keyof WizardState)[]): boolean {
  return (Object.keys(a) as (keyof WizardState)[]).every(key => these.includes(key) || a[key] === b[key])
}

/** What `productPutBack` needs to undo the removal of a product; null when it is not selected. */
export function takenProduct(state: WizardState, asin: string): TakenProduct | null {
  const index = state.products.findIndex(p => p.asin === asin)
  const item = state.products[index]
  if (!item) return null
  const { keywords, categories, productTargets } = state
  const lists = {
    keywords: keywords[asin] ?? [],
    categories: categories[asin] ?? [],
    productTargets: productTargets[asin] ?? [],
  }
  return { index, item, lists }
}

function without<T>(lists: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(lists).filter(([other]) => other !== key))
}

function withoutProduct(state: WizardState, asin: string): WizardState {
  return {
    ...state,
    products: state.products.filter(p => p.asin !== asin),
    keywords: without(state.keywords, asin),
    categories: without(state.categories, asin),
    productTargets: without(state.productTargets, asin),
  }
}

// What belongs to nothing any more, after a reset for instance, does not come back.
function changeList(state: WizardState, action: ListAction): WizardState {
  const { key } = action
  if (key !== CAMPAIGN_KEY && !state.products.some(p => p.asin === key)) return state
  switch (action.list) {
    case 'keywords':
      return { ...state, keywords: { ...state.keywords, [key]: changed(state.keywords[key], action, keywordId) } }
    case 'categories':
      return {
        ...state,
        categories: { ...state.categories, [key]: changed(state.categories[key], action, categoryId) },
      }
    case 'productTargets': {
      const targets = changed(state.productTargets[key], action, targetId)
      return { ...state, productTargets: { ...state.productTargets, [key]: targets } }
    }
  }
}

function changed<T extends { bid: number }>(
  list: T[] | undefined,
  action: ItemChange<T>,
  idOf: (item: T) => string,
): T[] {
  switch (action.type) {
    case 'itemsAdded':
      return withAdded(list, action.items, idOf)
    case 'itemsRemoved':
      return withoutIds(list, action.ids, idOf)
    case 'itemsPutBack':
      return withPutBack(list, action.taken, idOf)
    case 'bidChanged':
      // What is no number counts as 0, and a bid is never below.
      return withBids(list, { [action.id]: Math.max(0, action.bid ?? 0) }, idOf)
    case 'bidsSet':
      return withBids(list, action.bids, idOf)
  }
}

/** What one tap or keystroke in the fields of a step sets. */
export type WizardFields = Pick<
  WizardState,
  | 'strategy'
  | 'campaignName'
  | 'namePattern'
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
  | 'includeRanking'
  | 'separateBrandTerms'
  | 'budgetShares'
>

/** The lists that a product, or the campaign, has each its own of. */
interface ListItems {
  keywords: WizardKeyword
  categories: WizardCategory
  productTargets: WizardProductTarget
}
type ListName = keyof ListItems

/** A product that was removed, with what was configured for it. */
interface TakenProduct extends Taken<WizardProduct> {
  lists: { [L in ListName]: readonly ListItems[L][] }
}

/** What can happen to the items of one list. */
export type ItemChange<T> =
  | { type: 'itemsAdded'; items: readonly T[] }
  | { type: 'itemsRemoved'; ids: readonly string[] }
  | { type: 'itemsPutBack'; taken: readonly Taken<T>[] }
  | { type: 'bidChanged'; id: string; bid: number | null }
  /** Bids by id; what has left the list meanwhile stays out. */
  | { type: 'bidsSet'; bids: Readonly<Record<string, number>> }

/** Changes of one list; `key` is an ASIN or CAMPAIGN_KEY. */
type ListAction = { [L in ListName]: { list: L; key: string } & ItemChange<ListItems[L]> }[ListName]

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
  | { type: 'productPutBack'; taken: TakenProduct }
  | { type: 'negativesAdded'; items: readonly WizardNegativeKeyword[] }
  | { type: 'negativesRemoved'; ids: readonly string[] }
  | { type: 'negativesPutBack'; taken: readonly Taken<WizardNegativeKeyword>[] }
  | ListAction
