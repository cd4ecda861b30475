import { onlineManager } from '@tanstack/react-query'
import { ApiError, failureMessage, NetworkError, ShapeError } from '../api/api-error.ts'
import { subscribeSession } from '../api/session/session.ts'
import { discardEdit, isSame, isSameRow, type PendingEdit, pendingEdits, updateEdit } from './outbox.ts'

/**
 * Sends one change on top of a version of its row, as the user who made it (`onlyAs` of a call) and nobody else, with its id
 * as idempotency key. Resolves with a sentence on what of it could not be made, if anything.
 */
export type SendEdit = (edit: PendingEdit, version: number | null) => Promise<string | void>

/** One value of an edit, for people. */
export interface EditField {
  name: string
  label: string
  value: unknown
  format: (value: unknown) => string
  /** How it is changed before it is sent; absent when it is not. `part`: whether it is among what is sent. */
  input?: 'money' | 'percent' | 'part'
  /** Why the marketplace would not take a value; null when it would. */
  problemOf?: (value: number | null) => string | null
}

/** What a feature knows of one kind of edit. */
export interface EditKind {
  send: SendEdit
  fields?: (edit: PendingEdit) => readonly EditField[]
  /** What the edit sets with other values of its fields, and what that is called. Null when nothing of it is left. */
  revise?: (edit: PendingEdit, values: Record<string, unknown>) => Pick<PendingEdit, 'set' | 'words'> | null
}

export interface OutboxRoute {
  /** Each kind of edit; loaded when one is pending. */
  kinds: Record<string, () => Promise<EditKind>>
  /** The current shop, as a text; undefined until it is loaded. */
  shop: () => string | undefined
  /** It was made, but for what the sentence says. */
  onSent: (edit: PendingEdit, notMade?: string) => void
  /** It was not made and stays, for the user to decide: somebody else changed the row, or the server rejected it. */
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
  error instanceof ApiError && (error.status === 429 || error.status === 401 || error.code === 'CLIENT_OUTDATED')
// Without network nothing is counted. Everything else that is not a rejection is a failure of this edit.
const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError && !error.timedOut && error.status === undefined
// The same call was sent before and is still worked on.
const isUnderWay = (error: unknown): boolean => error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_FLIGHT'
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status < 500 && !blocksAll(error)

type Outcome =
  | { sent: string | undefined }
  | 'ALL_WAIT'
  | 'UNREACHED'
  | { conflict: Record<string, unknown> }
  | { refused: string }
  | { failed: string }

/**
 * Sends an edit. One that meets a newer row counts as sent when the fields are as the user set them already (the
 * response was lost), is sent again on top of it when they are so or as the user saw them, and is a conflict otherwise.
 */
async function sendOne(edit: PendingEdit, send: SendEdit): Promise<Outcome> {
  try {
    const notMade = await sendOnTop(edit, version =>
      send(edit, version).catch((error: unknown) => {
        const row = currentRow(error)
        if (!row || !hasValues(row, edit.set)) throw error
      }),
    )
    return { sent: notMade ?? undefined }
  } catch (error) {
    // The server accepted it; only the response has a shape that this build does not know.
    if (error instanceof ShapeError) return { sent: undefined }
    const row = currentRow(error)
    if (row) return { conflict: row }
    if (blocksAll(error)) return 'ALL_WAIT'
    if (isUnreachable(error) || isUnderWay(error)) return 'UNREACHED'
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
  const load = route.kinds[edit.kind]
  if (!load) return { refused: 'This version of Tideline cannot send it.' }
  try {
    const { send } = await load()
    updateEdit(edit.id, { tried: true })
    return await sendOne(edit, send)
  } catch {
    // The code that sends it could not be loaded.
    return 'UNREACHED'
  }
}

/** What somebody else has set where the user changed something, with the row's version. */
function conflictOf(edit: PendingEdit, row: Record<string, unknown>): PendingEdit['conflict'] {
  const now = Object.fromEntries(Object.keys(edit.set).map(field => [field, row[field]]))
  return { version: Number(row.version), now }
}

/** Sends one edit and stores the outcome. Returns whether later edits may be sent. */
async function settle(route: OutboxRoute, edit: PendingEdit): Promise<'GONE' | 'WAITS' | 'ALL_WAIT'> {
  const outcome = await loadAndSend(route, edit)
  if (outcome === 'ALL_WAIT') return 'ALL_WAIT'
  if (outcome === 'UNREACHED') return 'WAITS'
  if ('sent' in outcome) {
    discardEdit(edit.id)
    route.onSent(edit, outcome.sent)
    return 'GONE'
  }
  if ('failed' in outcome) noteFailure(edit, outcome.failed)
  else if ('conflict' in outcome) updateEdit(edit.id, { tried: false, conflict: conflictOf(edit, outcome.conflict) })
  else updateEdit(edit.id, { tried: false, aside: outcome.refused })
  if ('conflict' in outcome) route.onRefused(edit, 'CONFLICT')
  else if ('refused' in outcome) route.onRefused(edit, outcome.refused)
  return 'WAITS'
}

/** True while only the user can decide what becomes of an edit. */
export const needsUser = ({ aside, conflict }: PendingEdit): boolean => aside !== undefined || conflict !== undefined

// Only the edits of one row depend on each other: an edit that cannot be sent blocks the later ones of its row and no others.
async function sendInOrder(route: OutboxRoute, shouldSend: (edit: PendingEdit) => boolean): Promise<void> {
  const blocked: PendingEdit[] = []
  for (const { id } of pendingEdits()) {
    // It may have been undone, or somebody else may have logged in, while another one was sent.
    const edit = pendingEdits().find(one => one.id === id)
    if (!edit || (edit.shop !== '' && edit.shop !== route.shop())) continue
    const isNext = shouldSend(edit) && !needsUser(edit) && !blocked.some(one => isSameRow(one, edit))
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

/**
 * Sends when the page opens, becomes visible or online, on a log-in, when the worker says that there is a network, and every
 * half minute. Returns a function that stops it.
 */
export function startOutbox(route: OutboxRoute): () => void {
  const flush = (): void => {
    if (document.visibilityState === 'visible') void flushOutbox(route)
  }
  flush()
  const timer = setInterval(flush, retryMs)
  const stops = [onlineManager.subscribe(flush), subscribeSession(flush)]
  document.addEventListener('visibilitychange', flush)
  const onMessage = ({ data }: MessageEvent<{ type?: string } | null>): void => {
    if (data?.type === 'outbox') void flushOutbox(route)
  }
  navigator.serviceWorker?.addEventListener('message', onMessage)
  return () => {
    clearInterval(timer)
    navigator.serviceWorker?.removeEventListener('message', onMessage)
    stops.forEach(stop => stop())
    document.removeEventListener('visibilitychange', flush)
  }
}
