import { onlineManager } from '@tanstack/react-query'
import { ApiError, failureMessage, NetworkError, ShapeError } from '../api/api-error.ts'
import { subscribeSession } from '../api/session/session.ts'
import { discardEdit, isSame, isSameRow, type PendingEdit, pendingEdits, updateEdit } from './outbox.ts'

/** Sends one change on top of a version of its row, as the user who made it (`onlyAs` of a call) and nobody else. */
export type SendEdit = (edit: PendingEdit, version: number | null) => Promise<unknown>

export interface OutboxRoute {
  /** The sender of each kind of edit; loaded when one is pending. */
  senders: Record<string, () => Promise<SendEdit>>
  /** The current shop, as a text; undefined until it is loaded. */
  shop: () => string | undefined
  onSent: (edit: PendingEdit) => void
  /** The edit will not be made: CONFLICT when the row was changed meanwhile, otherwise the server's message. */
  onRefused: (edit: PendingEdit, reason: string) => void
}

const staleMs = 12 * 3_600_000
/** An edit this old is never sent automatically: yesterday's bids and budgets may be wrong today. */
export const isStale = (edit: PendingEdit, now: number): boolean => now - edit.queuedAt > staleMs

function currentRow(error: unknown): Record<string, unknown> | null {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const row = error.extra.current
  return typeof row === 'object' && row !== null ? (row as Record<string, unknown>) : null
}
const hasValues = (row: Record<string, unknown>, values: Record<string, unknown>): boolean =>
  Object.entries(values).every(([field, value]) => isSame(row[field], value))
/** What a change sets, and what the same fields held when the user saw them. */
interface FieldChange {
  set: Record<string, unknown>
  was: Record<string, unknown>
}
// Each field is as the user saw it or set it, so nobody else has changed it.
const isOurs = (row: Record<string, unknown>, { set, was }: FieldChange): boolean =>
  Object.keys(set).every(field => isSame(row[field], set[field]) || isSame(row[field], was[field]))
const mostTries = 3

/**
 * Sends a change on top of a version of its row. Where the row is newer by now, but the fields are as the user saw or set
 * them, it is sent again on top of that. Rejects with the server's error otherwise.
 */
export async function sendOnTop<T, V extends number | null>(
  change: FieldChange & { version: V },
  send: (version: V | number) => Promise<T>,
): Promise<T> {
  let version: V | number = change.version
  for (let tries = 0; ; tries += 1)
    try {
      return await send(version)
    } catch (error) {
      const row = currentRow(error)
      if (!row || tries >= mostTries || !isOurs(row, change) || typeof row.version !== 'number') throw error
      version = row.version
    }
}

// Rejected for a reason that applies to all pending edits.
const blocksAll = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 429 || error.status === 401)
// Without network nothing is counted. Everything else that is not a rejection is a failure of this edit.
const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError && !error.timedOut && error.status === undefined
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !blocksAll(error)

type Outcome = 'SENT' | 'ALL_WAIT' | 'UNREACHED' | { refused: string } | { failed: string }

/**
 * Sends an edit. One that meets a newer row counts as sent when the fields are as the user set them already (the
 * response was lost), is sent again on top of it when they are so or as the user saw them, and is rejected otherwise.
 */
async function sendOne(edit: PendingEdit, send: SendEdit): Promise<Outcome> {
  try {
    await sendOnTop(edit, version =>
      send(edit, version).catch((error: unknown) => {
        const row = currentRow(error)
        if (!row || !hasValues(row, edit.set)) throw error
      }),
    )
    return 'SENT'
  } catch (error) {
    // The server accepted it; only the response has a shape that this build does not know.
    if (error instanceof ShapeError) return 'SENT'
    if (currentRow(error)) return { refused: 'CONFLICT' }
    if (blocksAll(error)) return 'ALL_WAIT'
    if (isUnreachable(error)) return 'UNREACHED'
    return isRefusal(error) ? { refused: error.message } : { failed: failureMessage(error) }
  }
}

const retryMs = 30_000
// Each wait is twice as long as the one before: a restarting server or a bad connection must not set everything aside.
const failuresUntilAside = 6
function noteFailure({ id, failures }: PendingEdit, reason: string): void {
  updateEdit(id, {
    failures: failures + 1,
    notBefore: Date.now() + retryMs * 2 ** failures,
    ...(failures + 1 >= failuresUntilAside && { aside: reason }),
  })
}

async function loadAndSend(route: OutboxRoute, edit: PendingEdit): Promise<Outcome> {
  const load = route.senders[edit.kind]
  if (!load) return { refused: 'This version of Tideline cannot send it.' }
  try {
    const send = await load()
    updateEdit(edit.id, { tried: true })
    return await sendOne(edit, send)
  } catch {
    // The code that sends it could not be loaded.
    return 'UNREACHED'
  }
}

/** Sends one edit and stores the outcome. Returns whether later edits may be sent. */
async function settle(route: OutboxRoute, edit: PendingEdit): Promise<'GONE' | 'WAITS' | 'ALL_WAIT'> {
  const outcome = await loadAndSend(route, edit)
  if (outcome === 'ALL_WAIT') return 'ALL_WAIT'
  if (outcome === 'UNREACHED') return 'WAITS'
  if (typeof outcome === 'object' && 'failed' in outcome) {
    noteFailure(edit, outcome.failed)
    return 'WAITS'
  }
  discardEdit(edit.id)
  if (outcome === 'SENT') route.onSent(edit)
  else route.onRefused(edit, outcome.refused)
  return 'GONE'
}

// Only the edits of one row depend on each other: an edit that cannot be sent blocks the later ones of its row and no others.
async function sendInOrder(route: OutboxRoute, shouldSend: (edit: PendingEdit) => boolean): Promise<void> {
  const blocked: PendingEdit[] = []
  for (const { id } of pendingEdits()) {
    // It may have been undone, or somebody else may have logged in, while another one was sent.
    const edit = pendingEdits().find(one => one.id === id)
    if (!edit || edit.shop !== route.shop()) continue
    const isNext = shouldSend(edit) && edit.aside === undefined && !blocked.some(one => isSameRow(one, edit))
    const outcome = isNext ? await settle(route, edit) : 'WAITS'
    if (outcome === 'ALL_WAIT') return
    if (outcome === 'WAITS') blocked.push(edit)
  }
}

let flushing: Promise<void> | undefined
const isDue = (edit: PendingEdit): boolean => !isStale(edit, Date.now()) && edit.notBefore <= Date.now()

/**
 * Sends the pending edits of the current user and shop, those of one row in their order. An edit that fails repeatedly is
 * set aside. Only one tab sends at a time. `shouldSend` selects edits, after the running flush; by default those that are
 * neither stale nor waiting after a failure.
 */
export function flushOutbox(route: OutboxRoute, shouldSend: (edit: PendingEdit) => boolean = isDue): Promise<void> {
  if (flushing && shouldSend !== isDue) return flushing.then(() => flushOutbox(route, shouldSend))
  if (!onlineManager.isOnline() || !pendingEdits().some(shouldSend)) return Promise.resolve()
  const work = (): Promise<void> => sendInOrder(route, shouldSend).catch(() => undefined)
  flushing ??= (navigator.locks ? navigator.locks.request('tideline.outbox', work) : work()).finally(() => {
    flushing = undefined
  })
  return flushing
}

/** Sends an edit that was set aside again, with all its tries. */
export function retryEdit(route: OutboxRoute, id: string): Promise<void> {
  updateEdit(id, { failures: 0, notBefore: 0, aside: undefined })
  return flushOutbox(route, edit => edit.id === id)
}

/** Sends when the page opens, becomes visible or online, on a log-in, and every half minute. Returns a function that stops it. */
export function startOutbox(route: OutboxRoute): () => void {
  const flush = (): void => {
    if (document.visibilityState === 'visible') void flushOutbox(route)
  }
  flush()
  const timer = setInterval(flush, retryMs)
  const stops = [onlineManager.subscribe(flush), subscribeSession(flush)]
  document.addEventListener('visibilitychange', flush)
  return () => {
    clearInterval(timer)
    stops.forEach(stop => stop())
    document.removeEventListener('visibilitychange', flush)
  }
}
