import * as v from 'valibot'
import { parseJson } from '../api/session/token-claims.ts'
import { storedValue } from '../api/stored-value.ts'

const values = v.record(v.string(), v.unknown())
const editSchema = v.object({
  id: v.string(),
  /** The user who made it, by the subject of the session: nobody else sees or sends it. */
  user: v.string(),
  /** Decides which sender sends it. */
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
  /** The address of the row. */
  href: v.string(),
  queuedAt: v.number(),
  /** It was sent at least once, perhaps without a response: the server may have accepted it. */
  tried: v.optional(v.boolean(), false),
  /** How often the server failed or timed out. */
  failures: v.optional(v.number(), 0),
  /** When it may be sent again automatically, after a failure. */
  notBefore: v.optional(v.number(), 0),
  /** Why it is no longer sent automatically. */
  aside: v.optional(v.string()),
})
/** A change that the user made and that is not sent yet. */
export type PendingEdit = v.InferOutput<typeof editSchema>

// Local storage holds a change from the very moment of the tap, also when the app is swiped away right after.
const stored = storedValue('tideline.outbox', parse)

function parse(text: string | null): readonly PendingEdit[] {
  const items = v.safeParse(v.array(v.unknown()), parseJson(text ?? '[]'))
  if (!items.success) return []
  return items.output.flatMap(item => {
    const parsed = v.safeParse(editSchema, item)
    return parsed.success ? [parsed.output] : []
  })
}

/** The pending changes of all users of this device, oldest first; the same array until it changes. */
export const storedEdits = (): readonly PendingEdit[] => stored.get()

/** Replaces all pending changes. False, with nothing changed, when the device has no room. */
export function storeEdits(edits: readonly PendingEdit[]): boolean {
  try {
    stored.set(edits.length ? JSON.stringify(edits) : null)
    return true
  } catch {
    return false
  }
}

/** Calls back when the pending changes change, in this tab or another. Returns a function that stops it. */
export const subscribeEdits = (listener: () => void): (() => void) => stored.subscribe(listener).unsubscribe
