import * as v from 'valibot'
import { useSyncExternalStore } from 'react'
import { newIdempotencyKey } from '../api/build-request.ts'
import { sessionUser, subscribeSession } from '../api/session/session.ts'
import { parseJson } from '../api/session/token-claims.ts'
import { storedValue } from '../api/stored-value.ts'
import { toast } from '../ui/shell/toast-store.ts'

const values = v.record(v.string(), v.unknown())
const editSchema = v.object({
  id: v.string(),
  /** The user who made it, by the subject of the session: nobody else sees or sends it. */
  user: v.string(),
  kind: v.string(),
  row: v.number(),
  /** The row's name and a label of the change, for people. */
  name: v.string(),
  words: v.string(),
  /** Of the row as the user saw it; null where rows have none. */
  version: v.nullable(v.number()),
  set: values,
  /** What the same fields held when the user changed them. */
  was: values,
  /** The shop it was made in, as a text; it stays pending until that shop is current again. */
  shop: v.string(),
  href: v.string(),
  queuedAt: v.number(),
  /** It was sent at least once, perhaps without a response: the server may have accepted it. */
  tried: v.optional(v.boolean(), false),
  failures: v.optional(v.number(), 0),
  /** When it may be sent again automatically, after a failure. */
  notBefore: v.optional(v.number(), 0),
  aside: v.optional(v.string()),
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
    return true
  } catch {
    return false
  }
}

export type NewEdit = Pick<PendingEdit, 'kind' | 'row' | 'name' | 'words' | 'version' | 'set' | 'was' | 'shop' | 'href'>

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** True when two edits change the same row, so that they must be sent in order. */
export function isSameRow(one: NewEdit, other: NewEdit): boolean {
  return one.kind === other.kind && one.row === other.row && one.shop === other.shop
}

let cached: { of?: readonly PendingEdit[]; user?: string | undefined; edits: readonly PendingEdit[] } = { edits: [] }
/** The pending edits of the signed-in user, oldest first; the same array until it changes. */
export function pendingEdits(): readonly PendingEdit[] {
  const of = stored.get()
  const user = sessionUser()
  if (of !== cached.of || user !== cached.user) cached = { of, user, edits: of.filter(one => one.user === user) }
  return cached.edits
}

function merge(previous: PendingEdit | undefined, edit: NewEdit, user: string, now: number): PendingEdit {
  const set: Record<string, unknown> = { ...previous?.set, ...edit.set }
  const was: Record<string, unknown> = { ...edit.was, ...previous?.was }
  const changed = Object.keys(set).filter(field => !isSame(set[field], was[field]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map(field => [field, from[field]]))
  return {
    ...edit,
    id: newIdempotencyKey(),
    user,
    version: previous ? previous.version : edit.version,
    set: pick(set),
    was: pick(was),
    queuedAt: now,
    tried: false,
    failures: 0,
    notBefore: 0,
  }
}

/**
 * Stores an edit until it can be sent. Edits of one row are merged, and one that changes nothing any more is dropped. An
 * edit that was tried is left unchanged, because the server may have accepted it. Shows a toast when it cannot be stored.
 */
export function queueEdit(edit: NewEdit, now = Date.now()): void {
  const notify = (why: string): void =>
    void toast({ title: `${edit.name} was not changed`, message: `${edit.words}: ${why}`, tone: 'warning' })
  const user = sessionUser()
  if (user === undefined) return notify('please log in again first.')
  const previous = pendingEdits().find(one => isSameRow(one, edit) && !one.tried)
  const merged = merge(previous, edit, user, now)
  const others = stored.get().filter(one => one !== previous)
  if (!storeEdits([...others, ...(Object.keys(merged.set).length > 0 ? [merged] : [])]))
    notify('this device has no space left to store it until you are online.')
}

export const discardEdit = (id: string): void => void storeEdits(stored.get().filter(one => one.id !== id))

export function discardOwnEdits(): void {
  const ownEdits = pendingEdits()
  storeEdits(stored.get().filter(one => !ownEdits.includes(one)))
}

/** Stores the outcome of a try, for all tabs and later starts. */
export function updateEdit(
  id: string,
  note: Partial<Pick<PendingEdit, 'tried' | 'failures' | 'notBefore' | 'aside'>>,
): void {
  return void storeEdits(stored.get().map(one => (one.id === id ? { ...one, ...note } : one)))
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
