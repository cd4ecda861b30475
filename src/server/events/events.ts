import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/open-database.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../log/log.ts'

const channel = 'tideline_events'
const envelope = z.object({ accounts: z.array(z.number()), type: z.string(), data: z.unknown() })

/** Tells the streams of an account to look whether their session is still in force; it never reaches a browser. */
export const sessionsEndedEvent = 'sessions-ended'

/** A hint that something changed; the listener reads the truth by an ordinary call. */
export interface AccountEvent {
  type: string
  data: unknown
}

export interface Events {
  /** Told to the accounts when, and only if, the transaction commits. `data` stays under 7 kB: ids, not rows. */
  publish(tx: Db, accountIds: readonly number[], type: string, data: unknown): Promise<void>
  /** Events of one account, from whichever process published them. Returns how to stop. */
  subscribe(accountId: number, listener: (event: AccountEvent) => void): () => void
  /** Calls `listener` when events may have been missed, since the database was away. Returns how to stop. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

// Whoever may connect to the database may notify; what they say must not end the process.
function read(payload: string): z.output<typeof envelope> | undefined {
  try {
    return envelope.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

/** Events over the database's own notifications, so that several processes share them. */
export async function createEvents(db: Database, log: Log): Promise<Events> {
  const listeners = new Map<number, Set<(event: AccountEvent) => void>>()
  const gapListeners = new Set<() => void>()
  const deliver = (payload: string) => {
    const told = read(payload)
    if (!told) return log.warn({ payload }, 'an event of unknown shape')
    const { accounts, type, data } = told
    for (const account of accounts) for (const listener of listeners.get(account) ?? []) listener({ type, data })
  }
  const stop = await db.listen(channel, deliver, () => gapListeners.forEach(listener => listener()))
  return {
    publish: async (tx, accounts, type, data) => {
      await sql`select pg_notify(${channel}, ${JSON.stringify({ accounts, type, data })})`.execute(tx)
    },
    subscribe: (accountId, listener) => {
      const own = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, own.add(listener))
      return () => {
        own.delete(listener)
        if (!own.size) listeners.delete(accountId)
      }
    },
    onGap: listener => {
      gapListeners.add(listener)
      return () => void gapListeners.delete(listener)
    },
    close: stop,
  }
}
