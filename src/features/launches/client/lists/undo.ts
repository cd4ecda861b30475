import { useSyncExternalStore } from 'react'
import { dismissToast, toast } from '#client/ui/shell/toast-store.ts'

interface LastUndo {
  /** Which list it belongs to. */
  scope: string
  title: string
  run: () => void
}

const shownMs = 8000
let last: LastUndo | null = null
const listeners = new Set<() => void>()
function set(next: LastUndo | null): void {
  last = next
  listeners.forEach(listener => listener())
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Tells what was done to a list, with the way back: in a notification, and for longer where the list stands. */
export function undoable(scope: string, title: string, onUndo: () => void): void {
  const run = (): void => {
    set(null)
    dismissToast(id)
    onUndo()
  }
  const id = toast({ title, action: { label: 'Undo', onSelect: run }, durationMs: shownMs })
  set({ scope, title, run })
}

/** The newest change of a list that can be taken back. */
export function useLastUndo(scope: string): LastUndo | null {
  const newest = useSyncExternalStore(subscribe, () => last)
  return newest?.scope === scope ? newest : null
}

/** What was done can no longer be taken back: the wizard it was done in is left. */
export const forgetUndo = (): void => set(null)
