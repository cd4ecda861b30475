import type { Taken } from '../../lists/list-changes.ts'
import type {
  SetupMode,
  WizardCategory,
  WizardKeyword,
  WizardNegativeKeyword,
  WizardProduct,
  WizardProductTarget,
  WizardState,
} from '../../draft/wizard-state.ts'

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
export interface ListItems {
  keywords: WizardKeyword
  categories: WizardCategory
  productTargets: WizardProductTarget
}
export type ListName = keyof ListItems

/** A product that was removed, with what was configured for it. */
export interface TakenProduct extends Taken<WizardProduct> {
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
export type ListAction = { [L in ListName]: { list: L; key: string } & ItemChange<ListItems[L]> }[ListName]

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
