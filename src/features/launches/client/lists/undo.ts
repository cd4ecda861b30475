import { createAtom, useSelector } from '@tanstack/react-store'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'

interface LastUndo {
  /** Which list it belongs to. */
  scope: string
  title: string
  run: () => void
}

const shownMs = 8000
const lastUndo = createAtom<LastUndo | null>(null)

/** Tells what was done to a list, with the way back: in a notification, and for longer where the list stands. */
export function undoable(scope: string, title: string, onUndo: () => void): void {
  const run = (): void => {
    lastUndo.set(null)
    dismissToast(id)
    onUndo()
  }
  const id = toast({ title, action: { label: 'Undo', onSelect: run }, durationMs: shownMs })
  lastUndo.set({ scope, title, run })
}

/** The newest change of a list that can be taken back. */
export function useLastUndo(scope: string): LastUndo | null {
  const newest = useSelector(lastUndo)
  return newest?.scope === scope ? newest : null
}

/** What was done can no longer be taken back: the wizard it was done in is left. */
export const forgetUndo = (): void => lastUndo.set(null)
