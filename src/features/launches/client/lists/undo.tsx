import { createAtom, useSelector } from '@tanstack/react-store'
import type { ReactNode, RefObject } from 'react'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { ItemChange } from '../wizard/wizard-reducer.ts'
import { takenItems } from './list-changes.ts'

interface LastUndo {
  /** The list it belongs to. */
  scope: string
  title: string
  run: () => void
}

const shownMs = 8000
const lastUndo = createAtom<LastUndo | null>(null)

/** Announces a change of a list and offers Undo: for a while in a toast, and at the list until the next change. */
export function offerUndo(scope: string, title: string, onUndo: () => void): void {
  const run = (): void => {
    lastUndo.set(null)
    dismissToast(id)
    onUndo()
  }
  const id = toast({ title, action: { label: 'Undo', onSelect: run }, durationMs: shownMs })
  lastUndo.set({ scope, title, run })
}

/** Ends the offer when the user leaves the wizard. */
export const forgetUndo = (): void => lastUndo.set(null)

interface ListEditsOptions<T> {
  /** Names the list for `offerUndo`. */
  scope: string
  items: readonly T[]
  idOf: (item: T) => string
  nameOf: (item: T) => string
  /** "keywords" */
  plural: string
  change: (change: Exclude<ItemChange<T>, { type: 'bidChanged' | 'bidsSet' }>) => void
}

/** Adds to a list and removes from it. Removals and additions of several items can be undone. */
export function listEdits<T>({ scope, items, idOf, nameOf, plural, change }: ListEditsOptions<T>) {
  return {
    add: (added: readonly T[]): void => {
      const existing = new Set(items.map(idOf))
      const newIds = [...new Set(added.map(idOf))].filter(id => !existing.has(id))
      change({ type: 'itemsAdded', items: added })
      if (newIds.length > 1)
        offerUndo(scope, `${newIds.length} ${plural} added`, () => change({ type: 'itemsRemoved', ids: newIds }))
    },
    remove: (ids: readonly string[]): void => {
      const taken = takenItems(items, ids, idOf)
      const [first] = taken
      if (!first) return
      change({ type: 'itemsRemoved', ids })
      const what = taken.length === 1 ? `“${nameOf(first.item)}”` : `${taken.length} ${plural}`
      offerUndo(scope, `${what} removed`, () => change({ type: 'itemsPutBack', taken }))
    },
  }
}

interface ListHeadingProps {
  /** Takes the focus when the row that had it disappears. */
  heading: RefObject<HTMLHeadingElement | null>
  level?: 'h2' | 'h3'
  /** The list, as `offerUndo` names it. */
  scope: string
  title: string
  /** At the end of the line. */
  children?: ReactNode
}

/** The heading of a list, with Undo for users who cannot reach the toast, or not in time. */
export function ListHeading({ heading, level: Heading = 'h3', scope, title, children }: ListHeadingProps) {
  const newest = useSelector(lastUndo)
  const undo = newest?.scope === scope ? newest : null
  return (
    <div className="card-head">
      <Heading ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      {undo && (
        <Button
          className="undo-here"
          onClick={() => {
            undo.run()
            heading.current?.focus()
          }}
        >
          Undo: {undo.title}
        </Button>
      )}
      {children}
    </div>
  )
}
