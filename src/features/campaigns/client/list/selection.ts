import { useState } from 'react'

/** The rows of a list that a bulk change is for. */
export interface Selection {
  /** The chosen rows; empty when `isAll`, which means every row that the list's query matches, loaded or not. */
  ids: readonly number[]
  isAll: boolean
  /** How many rows are chosen: as many as `ids` has, or all that match. */
  total: number
  clear: () => void
}

/** The selection of one list, with what its rows and its heading need to change it. */
export interface ListSelection extends Selection {
  /** Whether rows show their checkboxes: something is chosen, or the user asked for them. */
  isOn: boolean
  start: () => void
  has: (id: number) => boolean
  /** Chooses a row or leaves it out. With `extend` it chooses all loaded rows from the one toggled before. */
  toggle: (id: number, extend?: boolean) => void
  /** Every loaded row, or none when all of them are chosen. */
  toggleLoaded: () => void
  /** Whether every loaded row is chosen. */
  hasLoaded: boolean
  selectAll: () => void
}

interface State {
  scope: string
  isOn: boolean
  isAll: boolean
  ids: ReadonlySet<number>
  last: number | null
}
const none = (scope: string): State => ({ scope, isOn: false, isAll: false, ids: new Set(), last: null })

/**
 * Which rows of a list are chosen. `scope` names what the list is narrowed to: a list narrowed in another way begins with
 * nothing chosen, because a bulk change must not reach rows that are no longer in sight. Order does not belong to it.
 */
export function useSelection(scope: string, loaded: readonly { id: number }[], matching: number): ListSelection {
  const [stored, setState] = useState(() => none(scope))
  const state = stored.scope === scope ? stored : none(scope)
  const { isAll, ids } = state
  const set = (next: Partial<State>): void => setState({ ...state, ...next })
  const has = (id: number): boolean => isAll || ids.has(id)
  const all = loaded.map(row => row.id)
  const hasLoaded = all.length > 0 && all.every(has)

  const toggle = (id: number, extend = false): void => {
    const isChosen = extend || !has(id)
    const [from, to] = [state.last === null ? -1 : all.indexOf(state.last), all.indexOf(id)]
    const range = extend && from >= 0 && to >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
    // One row left out of all that match leaves the loaded ones: those out of sight cannot be listed.
    const next = new Set(isAll ? all : ids)
    for (const one of range) {
      if (isChosen) next.add(one)
      else next.delete(one)
    }
    set({ isOn: next.size > 0 || state.isOn, isAll: false, ids: next, last: id })
  }
  return {
    ids: isAll ? [] : [...ids],
    isAll,
    total: isAll ? matching : ids.size,
    isOn: state.isOn,
    has,
    hasLoaded,
    toggle,
    start: () => set({ isOn: true }),
    clear: () => setState(none(scope)),
    toggleLoaded: () => set({ isAll: false, ids: new Set(hasLoaded ? [] : all), isOn: true, last: null }),
    selectAll: () => set({ isAll: true, isOn: true, ids: new Set(), last: null }),
  }
}
