import { useSyncExternalStore } from 'react'
import { newIdempotencyKey } from '../api/build-request.ts'
import { sessionUser, subscribeSession } from '../api/session/session.ts'
import { toast } from '../ui/shell/toast-store.ts'
import { storedEdits, storeEdits, subscribeEdits, type WaitingEdit } from './stored-edits.ts'

export type NewEdit = Pick<WaitingEdit, 'kind' | 'row' | 'name' | 'words' | 'version' | 'set' | 'was' | 'shop' | 'href'>

/** True when two values would be written alike. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** True when two changes are of the same row, whose changes must keep their order. */
export function isSameRow(one: NewEdit, other: NewEdit): boolean {
  return one.kind === other.kind && one.row === other.row && one.shop === other.shop
}

let cached: { of: readonly WaitingEdit[]; user: string | undefined; edits: readonly WaitingEdit[] } = {
  of: [],
  user: undefined,
  edits: [],
}
/** The changes of who is signed in that wait to be sent, oldest first; the same array until it changes. */
export function waitingEdits(): readonly WaitingEdit[] {
  const of = storedEdits()
  const user = sessionUser()
  if (of !== cached.of || user !== cached.user) cached = { of, user, edits: of.filter(one => one.user === user) }
  return cached.edits
}

function merge(former: WaitingEdit | undefined, edit: NewEdit, user: string, now: number): WaitingEdit {
  const set: Record<string, unknown> = { ...former?.set, ...edit.set }
  const was: Record<string, unknown> = { ...edit.was, ...former?.was }
  const changed = Object.keys(set).filter(field => !isSame(set[field], was[field]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map(field => [field, from[field]]))
  return {
    ...edit,
    id: newIdempotencyKey(),
    user,
    version: former ? former.version : edit.version,
    set: pick(set),
    was: pick(was),
    queuedAt: now,
    tried: false,
    failures: 0,
    notBefore: 0,
  }
}

/**
 * Keeps a change until it can be sent. Changes of one row become one; what is as it was again waits no longer. One that
 * was tried is left as it is, for nobody knows on which of the two the next one builds. Says so where it cannot be kept.
 */
export function queueEdit(edit: NewEdit, now = Date.now()): void {
  const tell = (why: string): void =>
    void toast({ title: `${edit.name} was not changed`, message: `${edit.words}: ${why}`, tone: 'warning' })
  const user = sessionUser()
  if (user === undefined) return tell('please log in again first.')
  const former = waitingEdits().find(one => isSameRow(one, edit) && !one.tried)
  const merged = merge(former, edit, user, now)
  const others = storedEdits().filter(one => one !== former)
  if (!storeEdits([...others, ...(Object.keys(merged.set).length > 0 ? [merged] : [])]))
    tell('this device has no room left to keep it until there is network.')
}

/** Forgets a waiting change: it was sent, refused, or taken back. */
export const withdrawEdit = (id: string): void => void storeEdits(storedEdits().filter(one => one.id !== id))

/** Forgets all that waits of who is signed in, who logs out knowing it. */
export function withdrawAll(): void {
  const mine = waitingEdits()
  storeEdits(storedEdits().filter(one => !mine.includes(one)))
}

/** Notes, in every tab and over a restart, what became of sending a change. */
export function noteEdit(
  id: string,
  note: Partial<Pick<WaitingEdit, 'tried' | 'failures' | 'notBefore' | 'aside'>>,
): void {
  return void storeEdits(storedEdits().map(one => (one.id === id ? { ...one, ...note } : one)))
}

function subscribe(listener: () => void): () => void {
  const stops = [subscribeEdits(listener), subscribeSession(listener)]
  return () => stops.forEach(stop => stop())
}

/** The changes that wait, in every tab. */
export const useWaitingEdits = (): readonly WaitingEdit[] => useSyncExternalStore(subscribe, waitingEdits)

/** The changes of a row that wait, oldest first. */
export function useWaitingEditsOf(kind: string, row: number): readonly WaitingEdit[] {
  return useWaitingEdits().filter(one => one.kind === kind && one.row === row)
}

const countStored = (): number => storedEdits().length

/** How many changes wait on this device, whoever made them. */
export const useStoredCount = (): number => useSyncExternalStore(subscribe, countStored)
