import type { Dispatch } from 'react'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { ListAction, WizardAction } from '../wizard/wizard-reducer.ts'
import {
  type ItemChange,
  itemsOfList,
  type ListFacts,
  listFacts,
  type ListItems,
  type ListName,
} from './list-changes.ts'
import { offerUndo } from './undo.tsx'

export interface ListEditorProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  market: MarketplaceFacts
  /** An ASIN, or CAMPAIGN_KEY. */
  listKey: string
  asins: string[]
}

/** One list of the draft, and its changes. Removals and additions of several items can be undone. */
export interface EditedList<T> extends ListFacts<T> {
  /** Names the list for `offerUndo`. */
  scope: string
  market: MarketplaceFacts
  items: readonly T[]
  ids: ReadonlySet<string>
  setBids: (bids: Readonly<Record<string, number | null>>) => void
  add: (items: readonly T[]) => void
  remove: (ids: readonly string[]) => void
}

export function editList<L extends ListName>(props: ListEditorProps, list: L): EditedList<ListItems[L]> {
  const { state, dispatch, listKey, market } = props
  const facts = listFacts[list]
  const { several, idOf, nameOf } = facts
  const items = itemsOfList(state, list, listKey)
  const ids = new Set(items.map(idOf))
  const scope = `${list} ${listKey}`
  const change = (itemChange: ItemChange<ListItems[L]>) =>
    // TypeScript cannot relate the name of a list to the type of its items.
    dispatch({ list, key: listKey, ...itemChange } as unknown as ListAction)
  return {
    ...facts,
    scope,
    market,
    items,
    ids,
    setBids: bids => change({ type: 'bidsSet', bids }),
    add: added => {
      const newIds = [...new Set(added.map(idOf))].filter(id => !ids.has(id))
      change({ type: 'itemsAdded', items: added })
      if (newIds.length > 1)
        offerUndo(scope, `${newIds.length} ${several} added`, () => change({ type: 'itemsRemoved', ids: newIds }))
    },
    remove: removedIds => {
      const removed = new Set(removedIds)
      const taken = items.flatMap((item, index) => (removed.has(idOf(item)) ? [{ index, item }] : []))
      const [first] = taken
      if (!first) return
      change({ type: 'itemsRemoved', ids: removedIds })
      const what = taken.length === 1 ? `“${nameOf(first.item)}”` : `${taken.length} ${several}`
      offerUndo(scope, `${what} removed`, () => change({ type: 'itemsPutBack', taken }))
    },
  }
}
