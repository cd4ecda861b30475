import { MAX_IN_AD_GROUP } from '../../launch-schema.ts'
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

/** The list after a change: with each id once, and with no more items than one ad group takes. */
export function changedItems<T extends object>(
  list: readonly T[],
  change: ItemChange<T>,
  idOf: (item: T) => string,
): T[] {
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

/** The items with these ids and their places, for a later `itemsPutBack`. */
export function takenItems<T>(list: readonly T[], ids: readonly string[], idOf: (item: T) => string): TakenItem<T>[] {
  const requested = new Set(ids)
  return list.flatMap((item, index) => (requested.has(idOf(item)) ? [{ index, item }] : []))
}
