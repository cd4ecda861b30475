import { useWaitingEditsOf, withdrawEdit } from '#client/outbox/outbox.ts'
import type { RowKind } from './row-edit.ts'

/** A row as the user wants it: what waits for the network counts before what the server told. */
export const useWithWaiting = <R extends { id: number }>(
  kind: RowKind,
  row: R,
): { shown: R; takeBack: (() => void) | undefined } => {
  const waiting = useWaitingEditsOf(kind, row.id)
  const last = waiting.at(-1)
  if (!last) return { shown: row, takeBack: undefined }
  const shown = waiting.reduce((known, edit) => ({ ...known, ...edit.set }), row)
  return { shown, takeBack: () => withdrawEdit(last.id) }
}
