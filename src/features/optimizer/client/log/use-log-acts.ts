import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { formatDay, formatNumber } from '#client/ui/figures/format.ts'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { type ChangeKind, logEndpoints as endpoints, type LogRow } from '../../contract.ts'
import { valueText } from '../../decision-text.ts'
import { askWords } from '../../optimizer-words.ts'
import { optimizerQueries } from '../queries.ts'

const value = v.nullable(v.union([v.number(), v.string()]))
const conflict = v.pipe(
  v.array(v.looseObject({ id: v.number(), name: v.string(), before: value, after: value, now: value })),
  v.minLength(1),
)
type ConflictValue = v.InferOutput<typeof conflict>[number]

const mostNamed = 3

/** What stands in the way of an undo, value by value; null when the error is about something else. */
function conflictOf(error: unknown): ConflictValue[] | null {
  const parsed = v.safeParse(conflict, error instanceof ApiError ? error.extra['values'] : null)
  return parsed.success ? parsed.output : null
}

/** Shows the three values, and asks which one is to be. */
function askOver(values: readonly ConflictValue[], row: LogRow): Promise<boolean> {
  const text = (one: ConflictValue['now']): string => valueText(row, one)
  const named = values
    .slice(0, mostNamed)
    .map(
      ({ name, before, after, now }) =>
        `${name}\nBefore: ${text(before)}\nChanged to: ${text(after)}\nNow, changed by hand: ${text(now)}`,
    )
  const rest = values.length - named.length
  const [first] = values
  const only = values.length === 1 && first !== undefined
  return confirm({
    title: 'This has changed again since',
    message: [...named, ...(rest > 0 ? [`and ${formatNumber(rest)} more`] : [])].join('\n\n'),
    confirmText: only ? `Go back to ${text(first.before)}` : 'Go back to all values from before',
    cancelText: only ? `Leave ${text(first.now)}` : 'Leave them as they are',
  })
}

const rejectReasons = [
  'It should stay as it is',
  'The change is too large',
  'The figures look wrong to me',
  'I plan something else',
] as const
const noReason = 'No reason'

/** What a person can do about a decision: undo it, do it again, answer a proposal, end a pin. Each refreshes what is on screen. */
export function useLogActs(shop: Shop) {
  const client = useQueryClient()
  const [busy, setBusy] = useState<number | null>(null)
  const options = { shop: shopText(shop), timeoutMs: 60_000 }
  /** Runs one act about a row or pin at a time, and reports its failure under a title. */
  const act = async (id: number, failed: string, run: () => Promise<unknown>): Promise<void> => {
    if (busy !== null) return
    setBusy(id)
    try {
      await run()
    } catch (error) {
      toast({ title: failed, message: failureMessage(error), tone: 'danger' })
    } finally {
      setBusy(null)
      void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
      void client.invalidateQueries({ queryKey: optimizerQueries.all })
    }
  }
  const undo = (row: LogRow, whole = row.kind === 'harvest'): Promise<void> =>
    act(row.id, 'Nothing was undone', async () => {
      const send = (force: boolean) => call(endpoints.undo, { params: { id: row.id }, body: { whole, force } }, options)
      const answer = await send(false).catch(async (error: unknown) => {
        const values = conflictOf(error)
        if (!values) throw error
        return (await askOver(values, row)) ? send(true) : null
      })
      if (answer) reportUndo(answer)
    })
  return {
    /** The id of the row or pin that something is being done about. */
    busy,
    undo,
    /** Does again what was undone or rejected, a harvest whole; it is no longer left alone then. */
    redo: (row: LogRow): Promise<void> =>
      act(row.id, 'Nothing was sent', async () => {
        await call(endpoints.redo, { params: { id: row.id } }, options)
        const title = row.state === 'FAILED' ? 'Sent again' : 'Done again'
        toast({ title, message: 'It goes to the marketplace now.', tone: 'success' })
      }),
    approve: (row: LogRow, after?: number): Promise<void> =>
      act(row.id, 'The proposal was not approved', async () => {
        const body = after === undefined ? {} : { after }
        await call(endpoints.approve, { params: { id: row.id }, body }, options)
        toast({ title: 'Approved', message: 'It goes to the marketplace now.', tone: 'success' })
      }),
    /** Asks why first. */
    reject: async (row: LogRow): Promise<void> => {
      const chosen = await actionSheet({
        title: 'Why do you reject this?',
        actions: [...rejectReasons, noReason].map(label => ({ label })),
      })
      if (chosen === undefined) return
      const reason = chosen === noReason ? null : chosen
      await act(row.id, 'The proposal was not rejected', async () => {
        await call(endpoints.reject, { params: { id: row.id }, body: { reason } }, options)
        toast({ title: 'Rejected', message: 'Nothing was sent.' })
      })
    },
    unpin: (pinId: number): Promise<void> =>
      act(pinId, 'The pin was not ended', async () => {
        await call(endpoints.endPin, { params: { id: pinId } }, options)
        toast({ title: 'Unpinned', message: 'It may be changed again from the next run on.' })
      }),
  }
}
export type LogActs = ReturnType<typeof useLogActs>

interface Undone {
  outcomes: readonly { status: string; message: string | null }[]
  row: LogRow
  taught: readonly string[]
}

function reportUndo({ outcomes, row, taught }: Undone): void {
  const left = outcomes.filter(({ status }) => status === 'OTHER' || status === 'INVALID')
  if (left.length > 0) {
    const message = left.map(one => one.message).find(Boolean) ?? 'The others have been changed since.'
    const title = `${formatNumber(outcomes.length - left.length)} of ${formatNumber(outcomes.length)} undone`
    toast({ title, message, tone: 'warning' })
    return
  }
  const pinned = row.pin ? [`It is yours until ${formatDay(row.pin.until)}.`] : []
  const kinds = taught.flatMap(kind => (kind in askWords ? [askWords[kind as ChangeKind].label.toLowerCase()] : []))
  const asks = kinds.length > 0 ? [`From now on you are asked first about ${kinds.join(' and ')}.`] : []
  const message = [...pinned, ...asks].join(' ')
  toast({ title: 'Undone', ...(message && { message }), tone: 'success' })
}
