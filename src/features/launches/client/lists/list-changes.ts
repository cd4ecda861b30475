import { keywordId, type WizardState } from '../../draft/wizard-state.ts'

export type ProductListName = 'keywords' | 'categories' | 'productTargets'
/** The lists of the wizard: those that each product and the campaign have, and the negatives of the whole launch. */
export type ListItems = { [L in ProductListName]: WizardState[L][string][number] } & {
  negativeKeywords: WizardState['negativeKeywords'][number]
}
export type ListName = keyof ListItems

export interface ListFacts<T> {
  one: string
  several: string
  hasBids: boolean
  idOf: (item: T) => string
  nameOf: (item: T) => string
}
const withBids = { hasBids: true }
export const listFacts: { [L in ListName]: ListFacts<ListItems[L]> } = {
  keywords: { one: 'keyword', several: 'keywords', ...withBids, idOf: keywordId, nameOf: k => k.keyword },
  categories: { one: 'category', several: 'categories', ...withBids, idOf: c => c.id, nameOf: c => c.name },
  productTargets: {
    one: 'product target',
    several: 'product targets',
    ...withBids,
    idOf: t => t.asin,
    nameOf: t => t.asin,
  },
  negativeKeywords: {
    one: 'negative keyword',
    several: 'negative keywords',
    hasBids: false,
    idOf: keywordId,
    nameOf: n => n.keyword,
  },
}

export function itemsOfList<L extends ListName>(state: WizardState, list: L, key: string): ListItems[L][] {
  const items = list === 'negativeKeywords' ? state.negativeKeywords : (state[list as ProductListName][key] ?? [])
  // TypeScript cannot relate the name of a list to the type of its items.
  return items as ListItems[L][]
}

export interface TakenItem<T> {
  index: number
  item: T
}

export type ItemChange<T> =
  | { type: 'itemsAdded'; items: readonly T[] }
  | { type: 'itemsRemoved'; ids: readonly string[] }
  | { type: 'itemsPutBack'; taken: readonly TakenItem<T>[] }
  /** Bids by id, null for an empty field; ids that have left the list are ignored. */
  | { type: 'bidsSet'; bids: Readonly<Record<string, number | null>> }
