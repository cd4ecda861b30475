import { useSelector } from '@tanstack/react-store'
import * as v from 'valibot'
import { parseJson } from '#client/api/session/token-claims.ts'
import { storedValue } from '#client/api/stored-value.ts'

const schema = v.object({
  groupId: v.string(),
  /** "Raise 38 bids" */
  title: v.string(),
  /** What the rows are, in the plural: "keywords". */
  what: v.string(),
  /** The shop that it is for, as `shopText` has it. */
  shop: v.string(),
  /** How many rows are to change, and of how many the server has said what becomes of them. */
  total: v.number(),
  sent: v.number(),
  /** Rows that the server did not accept, and why. */
  notSent: v.array(v.object({ name: v.string(), message: v.string() })),
  /** False once the user has closed the sheet: then a card says how far it is. */
  isOpen: v.boolean(),
  /** Whether a notification has said that all of it was sent. */
  isAnnounced: v.boolean(),
  /** Why the rest was not sent; null while it is being sent, and when all of it was. */
  stopped: v.nullable(v.string()),
})
/** The bulk change that this device follows, also after a reload. */
export type ActiveBulk = v.InferOutput<typeof schema>

const stored = storedValue('tideline.bulk', (text): ActiveBulk | null => {
  const parsed = v.safeParse(schema, parseJson(text))
  return parsed.success ? parsed.output : null
})

/** Follows a bulk change from now on; null follows none. */
export const followBulk = (bulk: ActiveBulk | null): void => stored.set(bulk && JSON.stringify(bulk))

/** Changes what is noted of the bulk change, while it is still the one that this device follows. */
export function updateBulk(groupId: string, change: (bulk: ActiveBulk) => Partial<ActiveBulk>): void {
  const bulk = stored.get()
  if (bulk?.groupId === groupId) followBulk({ ...bulk, ...change(bulk) })
}

export const useActiveBulk = (): ActiveBulk | null => useSelector(stored)
