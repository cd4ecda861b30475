import { usePendingEditsOf, discardEdit } from '#client/outbox/outbox.ts'
import { PendingNote } from '#client/ui/states/state-views.tsx'
import type { RowKind } from './row-edit.ts'

/** A row with the edits that wait for the network, and how the last of them is reverted. */
export function useWithPending<R extends { id: number }>(
  kind: RowKind,
  row: R,
): { shown: R; revert: (() => void) | undefined } {
  const pending = usePendingEditsOf(kind, row.id)
  const last = pending.at(-1)
  if (!last) return { shown: row, revert: undefined }
  const shown = pending.reduce((previous, edit) => ({ ...previous, ...edit.set }), row)
  return { shown, revert: () => discardEdit(last.id) }
}

/** Says that an edit of the row is pending, with its undo; nothing when none is. */
export const PendingEditNote = ({ revert }: { revert: (() => void) | undefined }) =>
  revert ? <PendingNote onUndo={revert}>Waits for the network.</PendingNote> : null
