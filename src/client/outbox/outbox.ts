import { createStore, del, set, type UseStore } from 'idb-keyval'
import * as v from 'valibot'
import { useSyncExternalStore } from 'react'
import { newIdempotencyKey } from '../api/build-request.ts'
import { sessionUser, subscribeSession } from '../api/session/session.ts'
import { parseJson } from '../api/session/token-claims.ts'
import { outboxDatabase, outboxStore, outboxTag, waitingKey } from '../api/storage-keys.ts'
import { storedValue } from '../api/stored-value.ts'
import { toast } from '../ui/shell/toast-store.ts'

const values = v.record(v.string(), v.unknown())
const editSchema = v.object({
  id: v.string(),
  /** The user who made it, by the subject of the session: nobody else sees or sends it. */
  user: v.string(),
  kind: v.string(),
  /** 0 where it adds something: such a change is one of its own, and is never merged with others. */
  row: v.number(),
  /** The row's name and a label of the change, for people. */
  name: v.string(),
  words: v.string(),
  /** Of the row as the user saw it; null where rows have none. */
  version: v.nullable(v.number()),
  set: values,
  /** What the same fields held when the user changed them. */
  was: values,
  /** The shop it was made in, as a text; it stays pending until that shop is current again. Empty: whichever is. */
  shop: v.string(),
  /** Of its amounts. */
  currency: v.optional(v.string()),
  /** It is done or not, such as a decision: a later one of the same row takes its place. */
  isAct: v.optional(v.boolean(), false),
  href: v.string(),
  queuedAt: v.number(),
  /** It was sent at least once, perhaps without a response: the server may have accepted it. */
  tried: v.optional(v.boolean(), false),
  failures: v.optional(v.number(), 0),
  /** When it may be sent again automatically, after a failure. */
  notBefore: v.optional(v.number(), 0),
  aside: v.optional(v.string()),
  /** Until then the page where it was made is sending it, and no other page shows or sends it. */
  sendingUntil: v.optional(v.number(), 0),
  /** Somebody else changed the same fields: what they hold by now, in which version of the row. The user chooses. */
  conflict: v.optional(v.object({ version: v.number(), now: values })),
})
export type PendingEdit = v.InferOutput<typeof editSchema>

// Local storage holds a change from the very moment of the tap, also when the app is swiped away right after.
const stored = storedValue('tideline.outbox', (text): readonly PendingEdit[] => {
  const items = v.safeParse(v.array(v.unknown()), parseJson(text ?? '[]'))
  if (!items.success) return []
  return items.output.flatMap(item => {
    const parsed = v.safeParse(editSchema, item)
    return parsed.success ? [parsed.output] : []
  })
})

/** Replaces all pending changes. False, with nothing changed, when the device has no room. */
function storeEdits(edits: readonly PendingEdit[]): boolean {
  try {
    stored.set(edits.length ? JSON.stringify(edits) : null)
    void requestSync(edits.filter(one => one.sendingUntil <= Date.now()).length)
    return true
  } catch {
    return false
  }
}

// Tells the worker how many changes wait, which cannot read them, and asks the browser to wake it once there is a network,
// where it can. Else they are sent when the app is opened.
let opened: UseStore | undefined
async function requestSync(waiting: number): Promise<void> {
  if (typeof indexedDB === 'undefined' || !('serviceWorker' in navigator)) return
  try {
    const store = (opened ??= createStore(outboxDatabase, outboxStore))
    if (waiting === 0) return await del(waitingKey, store)
    await set(waitingKey, waiting, store)
    const registration = (await navigator.serviceWorker.getRegistration()) as
      | (ServiceWorkerRegistration & { sync?: { register: (tag: string) => Promise<void> } })
      | undefined
    await registration?.sync?.register(outboxTag)
  } catch {
    // A browser may refuse both.
  }
}

export type NewEdit = Pick<
  PendingEdit,
  'kind' | 'row' | 'name' | 'words' | 'version' | 'set' | 'was' | 'shop' | 'href'
> &
  Partial<Pick<PendingEdit, 'currency' | 'isAct'>>

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** True when two edits change the same row, so that they must be sent in order. */
export function isSameRow(one: NewEdit, other: NewEdit): boolean {
  return one.row !== 0 && one.kind === other.kind && one.row === other.row && one.shop === other.shop
}

interface Cached {
  of?: readonly PendingEdit[]
  user?: string | undefined
  /** From then on one more of them waits. */
  untilMs: number
  edits: readonly PendingEdit[]
}
let cached: Cached = { untilMs: 0, edits: [] }
/** The pending edits of the signed-in user, oldest first; the same array until it changes. */
export function pendingEdits(): readonly PendingEdit[] {
  const of = stored.get()
  const user = sessionUser()
  const now = Date.now()
  if (of === cached.of && user === cached.user && now < cached.untilMs) return cached.edits
  const own = of.filter(one => one.user === user)
  const [sending, edits] = [own.filter(one => one.sendingUntil > now), own.filter(one => one.sendingUntil <= now)]
  cached = { of, user, untilMs: Math.min(...sending.map(one => one.sendingUntil)), edits }
  return edits
}

const untouched = { tried: false, failures: 0, notBefore: 0, sendingUntil: 0, isAct: false }

function merge(previous: PendingEdit | undefined, edit: NewEdit, user: string, now: number): PendingEdit {
  const base = edit.isAct ? undefined : previous
  const set: Record<string, unknown> = { ...base?.set, ...edit.set }
  const was: Record<string, unknown> = { ...edit.was, ...base?.was }
  const changed = Object.keys(set).filter(field => !isSame(set[field], was[field]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map(field => [field, from[field]]))
  const version = base ? base.version : edit.version
  return {
    ...untouched,
    ...edit,
    id: newIdempotencyKey(),
    user,
    version,
    set: pick(set),
    was: pick(was),
    queuedAt: now,
  }
}

const notifyUnsaved = ({ name, words }: NewEdit, why: string): void =>
  void toast({ title: `${name} was not changed`, message: `${words}: ${why}`, tone: 'warning' })

/**
 * Stores an edit until it can be sent. Edits of one row are merged, and one that changes nothing any more is dropped. An
 * edit that was tried is left unchanged, because the server may have accepted it. Shows a toast when it cannot be stored.
 */
export function queueEdit(edit: NewEdit, now = Date.now()): void {
  const user = sessionUser()
  if (user === undefined) return notifyUnsaved(edit, 'please log in again first.')
  const previous = pendingEdits().find(one => isSameRow(one, edit) && !one.tried)
  const merged = merge(previous, edit, user, now)
  const others = stored.get().filter(one => one !== previous)
  if (!storeEdits([...others, ...(Object.keys(merged.set).length > 0 ? [merged] : [])]))
    return notifyUnsaved(edit, 'this device has no space left to store it until you are online.')
}

// Longer than a call may take: a page that lives has learned by then what became of it.
const sendingMs = 25_000

/** Stores an edit that this page sends itself, in case the page dies meanwhile. Returns its idempotency key. */
export function noteSending(edit: NewEdit, now = Date.now()): string {
  const id = newIdempotencyKey()
  const user = sessionUser()
  const noted = { ...untouched, ...edit, id, queuedAt: now, tried: true, sendingUntil: now + sendingMs }
  // Without room it is sent nevertheless: then only a page that dies in that moment cannot tell.
  if (user !== undefined) storeEdits([...stored.get(), { ...noted, user }])
  return id
}

export const discardEdit = (id: string): void => void storeEdits(stored.get().filter(one => one.id !== id))

/** All edits of the signed-in user on this device, with those that a page is sending right now. */
export const storedEdits = (): readonly PendingEdit[] => stored.get().filter(one => one.user === sessionUser())

export function discardOwnEdits(): void {
  const user = sessionUser()
  storeEdits(stored.get().filter(one => one.user !== user))
}

/** Stores the outcome of a try, for all tabs and later starts. */
export function updateEdit(
  id: string,
  note: Partial<Pick<PendingEdit, 'tried' | 'failures' | 'notBefore' | 'aside' | 'sendingUntil' | 'conflict'>>,
): void {
  return void storeEdits(stored.get().map(one => (one.id === id ? { ...one, ...note } : one)))
}

/** Gives an edit other values: it is another intent, made now. */
export function reviseEdit(id: string, change: Partial<Pick<PendingEdit, 'set' | 'was' | 'words' | 'version'>>): void {
  const { isAct: _, ...fresh } = untouched
  const more = { ...fresh, id: newIdempotencyKey(), queuedAt: Date.now(), aside: undefined, conflict: undefined }
  storeEdits(stored.get().map(one => (one.id === id ? { ...one, ...change, ...more } : one)))
}

function subscribe(listener: () => void): () => void {
  const stops = [stored.subscribe(listener).unsubscribe, subscribeSession(listener)]
  return () => stops.forEach(stop => stop())
}

export const usePendingEdits = (): readonly PendingEdit[] => useSyncExternalStore(subscribe, pendingEdits)

export function usePendingEditsOf(kind: string, row: number): readonly PendingEdit[] {
  return usePendingEdits().filter(one => one.kind === kind && one.row === row)
}

/** The number of pending edits on this device, of all users. */
export const useStoredCount = (): number => useSyncExternalStore(subscribe, () => stored.get().length)
