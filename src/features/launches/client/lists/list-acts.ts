import { type Taken, takenOf } from '../../lists/list-changes.ts'
import { undoable } from './undo.ts'

/** What a list of the draft can be told, and can be told back. */
export type ListChange<T> =
  | { type: 'itemsAdded'; items: readonly T[] }
  | { type: 'itemsRemoved'; ids: readonly string[] }
  | { type: 'itemsPutBack'; taken: readonly Taken<T>[] }

interface ListActsOptions<T> {
  /** Names the list for `undoable`. */
  scope: string
  items: readonly T[]
  idOf: (item: T) => string
  nameOf: (item: T) => string
  /** What they are called from two on: "keywords". */
  plural: string
  act: (change: ListChange<T>) => void
}

/** Adds to a list and takes out of it; what goes, and what comes by the dozen, can be undone. */
export function listActs<T>({ scope, items, idOf, nameOf, plural, act }: ListActsOptions<T>) {
  return {
    add: (added: readonly T[]): void => {
      const known = new Set(items.map(idOf))
      const fresh = [...new Set(added.map(idOf))].filter(id => !known.has(id))
      act({ type: 'itemsAdded', items: added })
      if (fresh.length > 1)
        undoable(scope, `${fresh.length} ${plural} added`, () => act({ type: 'itemsRemoved', ids: fresh }))
    },
    remove: (ids: readonly string[]): void => {
      const taken = takenOf(items, ids, idOf)
      const [first] = taken
      if (!first) return
      act({ type: 'itemsRemoved', ids })
      const what = taken.length === 1 ? `“${nameOf(first.item)}”` : `${taken.length} ${plural}`
      undoable(scope, `${what} removed`, () => act({ type: 'itemsPutBack', taken }))
    },
  }
}
