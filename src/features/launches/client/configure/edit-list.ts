import { factsOfList, itemsOfList, type ListItems, type ListName } from '../lists/list-changes.ts'
import { listEdits } from '../lists/undo.tsx'
import type { ItemChange, ListAction } from '../wizard/wizard-reducer.ts'
import type { ListEditorProps } from './use-configure.ts'

/** One list of the draft with its items, their ids, and the changes that an editor makes. */
export function editList<L extends ListName>({ state, dispatch, listKey }: ListEditorProps, list: L) {
  const facts = factsOfList(list)
  const items = itemsOfList(state, list, listKey)
  const scope = `${list} ${listKey}`
  const change = (itemChange: ItemChange<ListItems[L]>) =>
    // TypeScript cannot relate the name of a list to the type of its items.
    dispatch({ list, key: listKey, ...itemChange } as unknown as ListAction)
  return {
    scope,
    items,
    ids: new Set(items.map(facts.idOf)),
    plural: facts.plural,
    title: `Chosen ${facts.plural}`,
    change,
    ...listEdits({ ...facts, scope, items, change }),
  }
}

/** A recommendation with its bid and the suggested range. */
export interface WithBids {
  bid: number
  lowBid: number | null
  medianBid: number | null
  highBid: number | null
}
export const bidsOf = ({ bid, lowBid, medianBid, highBid }: WithBids) => ({ bid, lowBid, medianBid, highBid })

export const atLeastZero = (bid: number | null): number | null => (bid === null ? null : Math.max(0, bid))
