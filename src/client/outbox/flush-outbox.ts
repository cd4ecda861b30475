import { onlineManager } from '@tanstack/react-query'
import { ApiError, ShapeError } from '../api/api-error.ts'
import { isSame, markTried, waitingEdits, type WaitingEdit, withdrawEdit } from './outbox.ts'

/** Sends one change on top of a version of its row. */
export type SendEdit = (edit: WaitingEdit, version: number | null) => Promise<unknown>

export interface OutboxRoute {
  /** Who sends which kind; loaded when one waits. */
  senders: Record<string, () => Promise<SendEdit>>
  /** The shop that is worked in, as a text; undefined while not known. */
  shop: () => string | undefined
  onSent: (edit: WaitingEdit) => void
  /** It will not be made: CONFLICT when the row was changed meanwhile, else the server's words. */
  onRefused: (edit: WaitingEdit, reason: string) => void
}

const staleMs = 12 * 3_600_000
/** A change this old is never sent by itself: bids and budgets of yesterday may be wrong today. */
export const isStale = (edit: WaitingEdit, now: number): boolean => now - edit.queuedAt > staleMs

const current = (error: unknown): Record<string, unknown> | null => {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const row = error.extra.current
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : null
}
const holds = (row: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => isSame(row[field], value))
// Each field as the user saw it or wants it: nobody else had a say in them.
const isOurs = (row: Record<string, unknown>, { set, was }: WaitingEdit): boolean =>
  Object.keys(set).every(field => isSame(row[field], set[field]) || isSame(row[field], was[field]))

// No answer, or none that is final: the change goes on waiting.
const mayStillBeTaken = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429 || error.status === 401

/**
 * Sends a change. One that meets a newer row counts as sent where the fields concerned are as the user wants them (the
 * answer was lost), is sent again on top of it where they are so or as the user saw them, and is given up otherwise.
 */
const sendOne = async (edit: WaitingEdit, send: SendEdit): Promise<'SENT' | 'LATER' | { refused: string }> => {
  let version = edit.version
  for (let tries = 0; ; tries += 1)
    try {
      await send(edit, version)
      return 'SENT'
    } catch (error) {
      // It was taken; only the answer is of a shape that this build does not know.
      if (error instanceof ShapeError) return 'SENT'
      const row = current(error)
      if (row && holds(row, edit.set)) return 'SENT'
      if (row && tries < 3 && isOurs(row, edit) && typeof row.version === 'number') version = row.version
      else if (row) return { refused: 'CONFLICT' }
      else if (mayStillBeTaken(error)) return 'LATER'
      else return { refused: error instanceof Error ? error.message : 'It was refused.' }
    }
}

const inTurn = async (route: OutboxRoute, wanted: (edit: WaitingEdit) => boolean): Promise<void> => {
  for (const edit of waitingEdits().filter(wanted)) {
    // It may have been taken back while another was sent.
    if (edit.shop !== route.shop() || !waitingEdits().some(one => one.id === edit.id)) continue
    const load = route.senders[edit.kind]
    const send = await load?.()
    markTried(edit.id)
    const outcome = send ? await sendOne(edit, send) : { refused: 'This version of Tideline cannot send it.' }
    if (outcome === 'LATER') return
    withdrawEdit(edit.id)
    if (outcome === 'SENT') route.onSent(edit)
    else route.onRefused(edit, outcome.refused)
  }
}

let flushing: Promise<void> | undefined
const fresh = (edit: WaitingEdit): boolean => !isStale(edit, Date.now())

/**
 * Sends what waits of the present shop, in the order in which it was made, until one cannot be sent yet. One tab does it
 * at a time. `wanted` picks, after what is under way; by itself only what is not stale is sent.
 */
export const flushOutbox = (route: OutboxRoute, wanted: (edit: WaitingEdit) => boolean = fresh): Promise<void> => {
  if (flushing && wanted !== fresh) return flushing.then(() => flushOutbox(route, wanted))
  if (!onlineManager.isOnline() || !waitingEdits().some(wanted)) return Promise.resolve()
  const work = (): Promise<void> => inTurn(route, wanted).catch(() => undefined)
  flushing ??= (navigator.locks ? navigator.locks.request('tideline.outbox', work) : work()).finally(() => {
    flushing = undefined
  })
  return flushing
}

const againMs = 30_000

/** Sends on opening, on coming online or to sight, and every half minute while something waits. Answers the way to stop. */
export const startOutbox = (route: OutboxRoute): (() => void) => {
  const flush = (): void => {
    if (document.visibilityState === 'visible') void flushOutbox(route)
  }
  flush()
  const timer = setInterval(flush, againMs)
  const stopOnline = onlineManager.subscribe(flush)
  document.addEventListener('visibilitychange', flush)
  return () => {
    clearInterval(timer)
    stopOnline()
    document.removeEventListener('visibilitychange', flush)
  }
}
