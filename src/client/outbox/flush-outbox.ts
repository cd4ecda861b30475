import { onlineManager } from '@tanstack/react-query'
import { ApiError, failureMessage, NetworkError, ShapeError } from '../api/api-error.ts'
import { subscribeSession } from '../api/session/session.ts'
import { isSame, isSameRow, noteEdit, waitingEdits, withdrawEdit } from './outbox.ts'
import type { WaitingEdit } from './stored-edits.ts'

/** Sends one change on top of a version of its row, as the user who made it (`onlyAs` of a call) and nobody else. */
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

function current(error: unknown): Record<string, unknown> | null {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const row = error.extra.current
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : null
}
const holds = (row: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => isSame(row[field], value))
// Each field as the user saw it or wants it: nobody else had a say in them.
const isOurs = (row: Record<string, unknown>, { set, was }: WaitingEdit): boolean =>
  Object.keys(set).every(field => isSame(row[field], set[field]) || isSame(row[field], was[field]))

// Refused for reasons that concern all that waits: another one would meet the same.
const holdsAll = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.status === 401)
// Without network there is nothing to count. All else that is no refusal is a failure of this change.
const isUnreached = (error: unknown): boolean =>
  error instanceof NetworkError && !error.timedOut && error.status === undefined
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !holdsAll(error)

type Outcome = 'SENT' | 'ALL_WAIT' | 'UNREACHED' | { refused: string } | { failed: string }

/**
 * Sends a change. One that meets a newer row counts as sent where the fields concerned are as the user wants them (the
 * answer was lost), is sent again on top of it where they are so or as the user saw them, and is given up otherwise.
 */
async function sendOne(edit: WaitingEdit, send: SendEdit): Promise<Outcome> {
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
      else if (holdsAll(error)) return 'ALL_WAIT'
      else if (isUnreached(error)) return 'UNREACHED'
      else return isRefusal(error) ? { refused: error.message } : { failed: failureMessage(error) }
    }
}

const againMs = 30_000
// Each wait is twice the one before: a server that starts anew, or a bad line, must not set everything aside.
const failuresUntilAside = 6
const noteFailure = ({ id, failures }: WaitingEdit, reason: string): void =>
  noteEdit(id, {
    failures: failures + 1,
    notBefore: Date.now() + againMs * 2 ** failures,
    ...(failures + 1 >= failuresUntilAside && { aside: reason }),
  })

async function loadAndSend(route: OutboxRoute, edit: WaitingEdit): Promise<Outcome> {
  const load = route.senders[edit.kind]
  if (!load) return { refused: 'This version of Tideline cannot send it.' }
  try {
    const send = await load()
    noteEdit(edit.id, { tried: true })
    return await sendOne(edit, send)
  } catch {
    // The code that sends it could not be had.
    return 'UNREACHED'
  }
}

/** Sends one change and keeps what became of it. Answers whether those behind it may be sent. */
async function settle(route: OutboxRoute, edit: WaitingEdit): Promise<'GONE' | 'WAITS' | 'ALL_WAIT'> {
  const outcome = await loadAndSend(route, edit)
  if (outcome === 'ALL_WAIT') return 'ALL_WAIT'
  if (outcome === 'UNREACHED') return 'WAITS'
  if (typeof outcome === 'object' && 'failed' in outcome) {
    noteFailure(edit, outcome.failed)
    return 'WAITS'
  }
  withdrawEdit(edit.id)
  if (outcome === 'SENT') route.onSent(edit)
  else route.onRefused(edit, outcome.refused)
  return 'GONE'
}

// Only the changes of one row build on each other: what cannot be sent holds back the later ones of its row, and no others.
async function inTurn(route: OutboxRoute, wanted: (edit: WaitingEdit) => boolean): Promise<void> {
  const held: WaitingEdit[] = []
  for (const { id } of waitingEdits()) {
    // It may have been taken back, or somebody else logged in, while another was sent.
    const edit = waitingEdits().find(one => one.id === id)
    if (!edit || edit.shop !== route.shop()) continue
    const turn = wanted(edit) && edit.aside === undefined && !held.some(one => isSameRow(one, edit))
    const outcome = turn ? await settle(route, edit) : 'WAITS'
    if (outcome === 'ALL_WAIT') return
    if (outcome === 'WAITS') held.push(edit)
  }
}

let flushing: Promise<void> | undefined
const fresh = (edit: WaitingEdit): boolean => !isStale(edit, Date.now()) && edit.notBefore <= Date.now()

/**
 * Sends what waits of the present user and shop, for each row in the order in which it was made. What the server fails at
 * again and again is set aside. One tab does it at a time. `wanted` picks, after what is under way; by itself only what is
 * neither stale nor waiting after a failure is sent.
 */
export function flushOutbox(route: OutboxRoute, wanted: (edit: WaitingEdit) => boolean = fresh): Promise<void> {
  if (flushing && wanted !== fresh) return flushing.then(() => flushOutbox(route, wanted))
  if (!onlineManager.isOnline() || !waitingEdits().some(wanted)) return Promise.resolve()
  const work = (): Promise<void> => inTurn(route, wanted).catch(() => undefined)
  flushing ??= (navigator.locks ? navigator.locks.request('tideline.outbox', work) : work()).finally(() => {
    flushing = undefined
  })
  return flushing
}

/** Sends a change that was set aside once more; it has all its tries again. */
export function tryAgain(route: OutboxRoute, id: string): Promise<void> {
  noteEdit(id, { failures: 0, notBefore: 0, aside: undefined })
  return flushOutbox(route, edit => edit.id === id)
}

/** Sends on opening, on coming online or to sight, on a log-in, and every half minute while something waits. Answers the way to stop. */
export function startOutbox(route: OutboxRoute): () => void {
  const flush = (): void => {
    if (document.visibilityState === 'visible') void flushOutbox(route)
  }
  flush()
  const timer = setInterval(flush, againMs)
  const stops = [onlineManager.subscribe(flush), subscribeSession(flush)]
  document.addEventListener('visibilitychange', flush)
  return () => {
    clearInterval(timer)
    stops.forEach(stop => stop())
    document.removeEventListener('visibilitychange', flush)
  }
}
