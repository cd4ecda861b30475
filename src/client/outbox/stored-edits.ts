import * as v from 'valibot'

const storageKey = 'tideline.outbox'
const values = v.record(v.string(), v.unknown())
const editSchema = v.object({
  id: v.string(),
  /** Who made it, by the subject of the session: nobody else sees or sends it. */
  user: v.string(),
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
  /** How often the server failed at it, or did not answer in time. */
  failures: v.optional(v.number(), 0),
  /** When it may be sent again by itself, after a failure. */
  notBefore: v.optional(v.number(), 0),
  /** Why it is no longer sent by itself. */
  aside: v.optional(v.string()),
})
/** A change that the user made without network. */
export type WaitingEdit = v.InferOutput<typeof editSchema>

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

/** What waits on this device, of all its users, oldest first; the same array until it changes. */
export const storedEdits = (): readonly WaitingEdit[] => {
  const text = localStorage.getItem(storageKey)
  if (text !== cached.text) cached = { text, edits: parse(text) }
  return cached.edits
}

/** Keeps these and no others. False where the device has no room, and all is as it was. */
export const storeEdits = (edits: readonly WaitingEdit[]): boolean => {
  try {
    if (edits.length) localStorage.setItem(storageKey, JSON.stringify(edits))
    else localStorage.removeItem(storageKey)
  } catch {
    return false
  }
  listeners.forEach(listener => listener())
  return true
}

/** Calls back when what waits changes, in this tab or another. Answers the way to stop. */
export const subscribeEdits = (listener: () => void): (() => void) => {
  const onStorage = ({ key }: StorageEvent): void => {
    if (key === storageKey || key === null) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}
