import { MAX_IN_AD_GROUP, MAX_PRODUCTS } from '../../launch-schema.ts'
import { withoutRanking } from '../../plan/budget-shares.ts'
import {
  CAMPAIGN_KEY,
  freshWizard,
  isMultiProduct,
  type SetupMode,
  type WizardProduct,
  type WizardState,
} from '../../draft/wizard-state.ts'
import {
  type ItemChange,
  itemsOfList,
  listFacts,
  type ListItems,
  type ListName,
  type ProductListName,
} from '../lists/list-changes.ts'

export type WizardFields = Omit<
  WizardState,
  ProductListName | 'currentStep' | 'negativeKeywords' | 'products' | 'setupMode' | 'template'
>

/** `key` is an ASIN or CAMPAIGN_KEY; the negatives of the launch have only one list and ignore it. */
export type ListAction = { [L in ListName]: { list: L; key: string } & ItemChange<ListItems[L]> }[ListName]

export type WizardAction =
  /** Another draft replaces this one, or another device's version of the same draft. */
  | { type: 'opened'; state: WizardState }
  | { type: 'stepSeen'; step: number }
  /** Both reset the wizard; the caller has asked the user. */
  | { type: 'modeChosen'; mode: SetupMode }
  | { type: 'templateChosen'; template: NonNullable<WizardState['template']> }
  | { type: 'fieldsSet'; fields: Partial<WizardFields> }
  /** `before` is the state from which the product was removed, if it is put back. */
  | { type: 'productAdded'; product: WizardProduct; before?: WizardState }
  | { type: 'productRemoved'; asin: string }
  | ListAction

/** The next state of the wizard. Pure; an action that changes nothing returns the same object. */
export function wizardReducer(state: WizardState, action: WizardAction): WizardState {
  switch (action.type) {
    case 'opened':
      return action.state
    case 'stepSeen':
      return action.step === state.currentStep ? state : { ...state, currentStep: action.step }
    case 'modeChosen':
      return action.mode === state.setupMode ? state : withFirstProduct(freshWizard(action.mode), state)
    case 'templateChosen':
      return action.template === state.template
        ? state
        : withFirstProduct({ ...freshWizard(state.setupMode), template: action.template }, state)
    case 'fieldsSet':
      return withFields(state, action.fields)
    case 'productAdded':
      return withProduct(state, action.product, action.before)
    case 'productRemoved':
      return {
        ...state,
        products: state.products.filter(p => p.asin !== action.asin),
        keywords: without(state.keywords, action.asin),
        categories: without(state.categories, action.asin),
        productTargets: without(state.productTargets, action.asin),
      }
    default:
      return changeList(state, action)
  }
}

// What was there before the first choice is the product that the wizard was opened with.
const withFirstProduct = (fresh: WizardState, { template, products }: WizardState): WizardState =>
  template === null ? { ...fresh, products } : fresh

// A different set of phases needs a different split of the budget.
function withFields(state: WizardState, fields: Partial<WizardFields>): WizardState {
  const { includeHighImpact = state.includeHighImpact, includeRanking = state.includeRanking } = fields
  const isSame = includeHighImpact === state.includeHighImpact && includeRanking === state.includeRanking
  if (isSame) return { ...state, ...fields }
  const leavesRankingOut = !includeRanking && state.includeRanking && includeHighImpact === state.includeHighImpact
  const budgetShares = leavesRankingOut && state.budgetShares ? withoutRanking(state.budgetShares) : null
  return { ...state, budgetShares, ...fields }
}

function without<T>(lists: Record<string, T[]>, asin: string): Record<string, T[]> {
  const { [asin]: _removed, ...rest } = lists
  return rest
}

// A product that is put back returns to its place, with its lists.
function withProduct(state: WizardState, product: WizardProduct, before?: WizardState): WizardState {
  const { asin } = product
  const isFull = state.products.length >= (isMultiProduct(state.template) ? MAX_PRODUCTS : 1)
  if (isFull || state.products.some(p => p.asin === asin)) return state
  const index = before ? before.products.indexOf(product) : state.products.length
  const withLists = <T>(now: Record<string, T[]>, items: T[] | undefined) => (items ? { ...now, [asin]: items } : now)
  return {
    ...state,
    products: state.products.toSpliced(index, 0, product),
    keywords: withLists(state.keywords, before?.keywords[asin]),
    categories: withLists(state.categories, before?.categories[asin]),
    productTargets: withLists(state.productTargets, before?.productTargets[asin]),
  }
}

// Items of a product that is gone, after a reset for instance, do not come back.
function changeList<L extends ListName>(
  state: WizardState,
  action: { list: L; key: string } & ItemChange<ListItems[L]>,
): WizardState {
  const { list, key } = action
  const items = changedItems(itemsOfList(state, list, key), action, listFacts[list].idOf)
  if (list === 'negativeKeywords') return { ...state, [list]: items }
  if (key !== CAMPAIGN_KEY && !state.products.some(p => p.asin === key)) return state
  return { ...state, [list]: { ...state[list as ProductListName], [key]: items } }
}

// With each id once, and with no more items than one ad group takes.
function changedItems<T extends object>(list: readonly T[], change: ItemChange<T>, idOf: (item: T) => string): T[] {
  const all = [...list]
  const ids = new Set(list.map(idOf))
  const insert = (item: T, index: number): void => {
    if (ids.has(idOf(item)) || all.length >= MAX_IN_AD_GROUP) return
    ids.add(idOf(item))
    all.splice(index, 0, item)
  }
  switch (change.type) {
    case 'itemsAdded':
      for (const item of change.items) insert(item, all.length)
      return all
    case 'itemsRemoved':
      for (const id of change.ids) ids.delete(id)
      return all.filter(item => ids.has(idOf(item)))
    case 'itemsPutBack':
      for (const { index, item } of change.taken.toSorted((a, b) => a.index - b.index)) insert(item, index)
      return all
    case 'bidsSet':
      return all.map(item => {
        const bid = change.bids[idOf(item)]
        // An empty field counts as 0, and a bid is never below 0.
        return bid === undefined ? item : { ...item, bid: Math.max(0, bid ?? 0) }
      })
  }
}
