import { useSyncExternalStore } from 'react'
import * as v from 'valibot'
import { newIdempotencyKey } from '../api/build-request.ts'
import { onWipe, outboxKey } from '../api/wipe-client-data.ts'
import { toast } from '../ui/shell/toast-store.ts'

const values = v.record(v.string(), v.unknown())
const editSchema = v.object({
  id: v.string(),
  /** Which sender takes it. */
  kind: v.string(),
  row: v.number(),
  /** What the row is called, and what is done to it, for people. */
  name: v.string(),
  words: v.string(),
  /** Of the row as the user saw it; null where rows have none. */
  version: v.nullable(v.number()),
  set: values,
  /** What the same fields held when the user changed them. */
  was: values,
  /** The shop it was made in, as a text; it waits until that one is worked in again. */
  shop: v.string(),
  /** Where the row is found. */
  href: v.string(),
  queuedAt: v.number(),
  /** It was sent at least once, perhaps unheard: the server may have taken it. */
  tried: v.optional(v.boolean(), false),
})
/** A change that the user made without network. */
export type WaitingEdit = v.InferOutput<typeof editSchema>
export type NewEdit = Omit<WaitingEdit, 'id' | 'queuedAt' | 'tried'>

// Local storage keeps it in the very moment of the tap, also when the app is swiped away in the next, and tells other tabs.
const listeners = new Set<() => void>()
let cached: { text: string | null; edits: readonly WaitingEdit[] } = { text: null, edits: [] }

const parse = (text: string | null): readonly WaitingEdit[] => {
  try {
    const stored = v.parse(v.array(v.unknown()), JSON.parse(text ?? '[]'))
    return stored.flatMap(one => {
      const parsed = v.safeParse(editSchema, one)
      return parsed.success ? [parsed.output] : []
    })
  } catch {
    return []
  }
}
// False where the device has no room, and all is as it was.
const save = (edits: readonly WaitingEdit[]): boolean => {
  try {
    if (edits.length) localStorage.setItem(outboxKey, JSON.stringify(edits))
    else localStorage.removeItem(outboxKey)
  } catch {
    return false
  }
  listeners.forEach(listener => listener())
  return true
}

/** True when two values would be written alike. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The changes that wait to be sent, oldest first; the same array until it changes. */
export const waitingEdits = (): readonly WaitingEdit[] => {
  const text = localStorage.getItem(outboxKey)
  if (text !== cached.text) cached = { text, edits: parse(text) }
  return cached.edits
}

/**
 * Keeps a change until it can be sent. Changes of one row become one; what is as it was again waits no longer. One that
 * was tried is left as it is, for nobody knows on which of the two the next one builds. Says so where it cannot be kept.
 */
export const queueEdit = (edit: NewEdit, now = Date.now()): void => {
  const edits = waitingEdits()
  const former = edits.find(
    one => one.kind === edit.kind && one.row === edit.row && one.shop === edit.shop && !one.tried,
  )
  const set: Record<string, unknown> = { ...former?.set, ...edit.set }
  const was: Record<string, unknown> = { ...edit.was, ...former?.was }
  const changed = Object.keys(set).filter(field => !isSame(set[field], was[field]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map(field => [field, from[field]]))
  const merged: WaitingEdit = {
    ...edit,
    id: newIdempotencyKey(),
    version: former ? former.version : edit.version,
    set: pick(set),
    was: pick(was),
    queuedAt: now,
    tried: false,
  }
  if (save([...edits.filter(one => one !== former), ...(changed.length ? [merged] : [])])) return
  toast({
    title: `${edit.name} was not changed`,
    message: `${edit.words}: this device has no room left to keep it until there is network.`,
    tone: 'warning',
  })
}

/** Forgets a waiting change: it was sent, refused, or taken back. */
export const withdrawEdit = (id: string): void => void save(waitingEdits().filter(one => one.id !== id))

/** Notes that a change is on its way, in every tab and over a restart: a later one of the same row waits beside it. */
export const markTried = (id: string): void =>
  void save(waitingEdits().map(one => (one.id === id ? { ...one, tried: true } : one)))

const subscribe = (listener: () => void): (() => void) => {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === outboxKey || key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** The changes that wait, in every tab. */
export const useWaitingEdits = (): readonly WaitingEdit[] => useSyncExternalStore(subscribe, waitingEdits)

/** The changes of a row that wait, oldest first. */
export const useWaitingEditsOf = (kind: string, row: number): readonly WaitingEdit[] =>
  useWaitingEdits().filter(one => one.kind === kind && one.row === row)

// Another user of this browser must neither see nor send them.
onWipe(() => void save([]))
