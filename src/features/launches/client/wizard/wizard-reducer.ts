import { MAX_PRODUCTS, withoutRanking } from '../../contract.ts'
import {
  CAMPAIGN_KEY,
  freshWizard,
  isMultiProduct,
  type SetupMode,
  type WizardProduct,
  type WizardState,
} from '../../draft/wizard-state.ts'
import {
  changedItems,
  type ItemChange,
  itemsOfList,
  listFacts,
  type ListItems,
  type ListName,
} from '../lists/list-changes.ts'

export type WizardFields = Omit<
  WizardState,
  ProductListName | 'currentStep' | 'negativeKeywords' | 'products' | 'setupMode' | 'template'
>

type ProductListName = Exclude<ListName, 'negativeKeywords'>

interface TakenProduct {
  product: WizardProduct
  index: number
  lists: Pick<WizardState, ProductListName>
}

type AddedProduct = Pick<TakenProduct, 'product'> & Partial<TakenProduct>

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
  /** At the end and without lists, unless it is put back after its removal. */
  | ({ type: 'productAdded' } & AddedProduct)
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
      return action.mode === state.setupMode ? state : freshWizard(action.mode)
    case 'templateChosen':
      return action.template === state.template ? state : { ...freshWizard(state.setupMode), template: action.template }
    case 'fieldsSet':
      return withFields(state, action.fields)
    case 'productAdded':
      return withProduct(state, action)
    case 'productRemoved':
      return {
        ...state,
        products: state.products.filter(p => p.asin !== action.asin),
        ...mapLists(({ [action.asin]: _removed, ...rest }) => rest)(state),
      }
    default:
      return changeList(state, action)
  }
}

// A different set of phases needs a different split of the budget.
function withFields(state: WizardState, fields: Partial<WizardFields>): WizardState {
  const { includeHighImpact = state.includeHighImpact, includeRanking = state.includeRanking } = fields
  const isSame = includeHighImpact === state.includeHighImpact && includeRanking === state.includeRanking
  if (isSame) return { ...state, ...fields }
  const leavesRankingOut = !includeRanking && state.includeRanking && includeHighImpact === state.includeHighImpact
  const budgetShares = leavesRankingOut && state.budgetShares ? withoutRanking(state.budgetShares) : null
  return { ...state, budgetShares, ...fields }
}

type MapList = <T>(lists: Record<string, T[]>) => Record<string, T[]>
function mapLists(map: MapList) {
  return ({ keywords, categories, productTargets }: Pick<WizardState, ProductListName>) => ({
    keywords: map(keywords),
    categories: map(categories),
    productTargets: map(productTargets),
  })
}

function withProduct(state: WizardState, { product, index = state.products.length, lists }: AddedProduct): WizardState {
  const isFull = state.products.length >= (isMultiProduct(state.template) ? MAX_PRODUCTS : 1)
  if (isFull || state.products.some(p => p.asin === product.asin)) return state
  return {
    ...state,
    products: state.products.toSpliced(index, 0, product),
    keywords: { ...state.keywords, ...lists?.keywords },
    categories: { ...state.categories, ...lists?.categories },
    productTargets: { ...state.productTargets, ...lists?.productTargets },
  }
}

/** What `productAdded` needs to undo the removal of a product; null when it is not selected. */
export function takenProduct(state: WizardState, asin: string): TakenProduct | null {
  const index = state.products.findIndex(p => p.asin === asin)
  const product = state.products[index]
  if (!product) return null
  const listsOfProduct = mapLists(lists => (lists[asin]?.length ? { [asin]: lists[asin] } : {}))
  return { index, product, lists: listsOfProduct(state) }
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
