import * as v from 'valibot'
import { parseJson } from '../api/session/token-claims.ts'
import { storedValue } from '../api/stored-value.ts'

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

// Local storage holds a change from the very moment of the tap, also when the app is swiped away right after.
const stored = storedValue('tideline.outbox', parse)

function parse(text: string | null): readonly WaitingEdit[] {
  const items = v.safeParse(v.array(v.unknown()), parseJson(text ?? '[]'))
  if (!items.success) return []
  return items.output.flatMap(item => {
    const parsed = v.safeParse(editSchema, item)
    return parsed.success ? [parsed.output] : []
  })
}

/** The pending changes of all users of this device, oldest first; the same array until it changes. */
export const storedEdits = (): readonly WaitingEdit[] => stored.get()

/** Replaces all pending changes. False, with nothing changed, when the device has no room. */
export function storeEdits(edits: readonly WaitingEdit[]): boolean {
  try {
    stored.set(edits.length ? JSON.stringify(edits) : null)
    return true
  } catch {
    return false
  }
}

/** Calls back when the pending changes change, in this tab or another. Returns a function that stops it. */
export const subscribeEdits = (listener: () => void): (() => void) => stored.subscribe(listener).unsubscribe
