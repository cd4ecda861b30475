import { useWaitingEdit, withdrawEdit } from '#client/outbox/outbox.ts'
import type { RowKind } from './row-edit.ts'

/** A row as the user wants it: what waits for the network counts before what the server told. */
export const useWithWaiting = <R extends { id: number }>(
  kind: RowKind,
  row: R,
): { shown: R; takeBack: (() => void) | undefined } => {
  const waiting = useWaitingEdit(kind, row.id)
  if (!waiting) return { shown: row, takeBack: undefined }
  return { shown: { ...row, ...waiting.set }, takeBack: () => withdrawEdit(waiting.id) }
}
