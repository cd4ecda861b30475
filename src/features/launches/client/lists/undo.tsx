import { createAtom, useSelector } from '@tanstack/react-store'
import type { ReactNode, RefObject } from 'react'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'

/** The newest offer; `scope` names its list. */
const lastUndo = createAtom<{ scope: string; title: string; run: () => void } | null>(null)

/** Announces a change of a list and offers Undo: for a while in a toast, and at the list until the next change. */
export function offerUndo(scope: string, title: string, onUndo: () => void): void {
  const run = (): void => {
    lastUndo.set(null)
    dismissToast(id)
    onUndo()
  }
  const id = toast({ title, action: { label: 'Undo', onSelect: run }, durationMs: 8000 })
  lastUndo.set({ scope, title, run })
}

export const forgetUndo = (): void => lastUndo.set(null)

interface ListHeadingProps {
  /** Takes the focus when the row that had it disappears. */
  heading: RefObject<HTMLHeadingElement | null>
  level?: 'h2' | 'h3'
  scope: string
  title: string
  children?: ReactNode
}

/** The heading of a list, with Undo for users who cannot reach the toast, or not in time. */
export function ListHeading({ heading, level: Heading = 'h3', scope, title, children }: ListHeadingProps) {
  const newest = useSelector(lastUndo)
  const undo = newest?.scope === scope ? newest : null
  const runUndo = () => {
    undo?.run()
    heading.current?.focus()
  }
  return (
    <div className="card-head">
      <Heading ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      {undo && (
        <Button className="undo-here" onClick={runUndo}>
          Undo: {undo.title}
        </Button>
      )}
      {children}
    </div>
  )
}
