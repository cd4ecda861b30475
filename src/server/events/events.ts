import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/open-database.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../log/log.ts'

const channel = 'tideline_events'
const envelope = z.object({ accounts: z.array(z.number()), type: z.string(), data: z.unknown() })

/** Makes the streams of an account check whether their session is still active. It is never sent to a browser. */
export const sessionsEndedEvent = 'sessions-ended'

/** A hint that something has changed; the listener reads the data with an ordinary call. */
export interface AccountEvent {
  type: string
  data: unknown
}

export interface Events {
  /** Sends an event to the accounts once the transaction commits. `data` must stay under 7 kB: ids, not rows. */
  publish(tx: Db, accountIds: readonly number[], type: string, data: unknown): Promise<void>
  /** Listens to the events of one account, whichever process publishes them. Returns a function that stops listening. */
  subscribe(accountId: number, listener: (event: AccountEvent) => void): () => void
  /** Calls `listener` after events may have been missed, because the database was unavailable. Returns a function that stops. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

// Anyone who can connect to the database can notify, so an invalid payload must not end the process.
function read(payload: string): z.output<typeof envelope> | undefined {
  try {
    return envelope.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

/** Events over the database's notifications, which all processes receive. */
export async function createEvents(db: Database, log: Log): Promise<Events> {
  const listeners = new Map<number, Set<(event: AccountEvent) => void>>()
  const gapListeners = new Set<() => void>()
  const deliver = (payload: string) => {
    const event = read(payload)
    if (!event) return log.warn({ payload }, 'an event has an invalid payload')
    const { accounts, type, data } = event
    for (const account of accounts) for (const listener of listeners.get(account) ?? []) listener({ type, data })
  }
  const listening = await db.listen(channel, deliver, { onGap: () => gapListeners.forEach(listener => listener()) })
  return {
    publish: async (tx, accounts, type, data) => {
      await sql`select pg_notify(${channel}, ${JSON.stringify({ accounts, type, data })})`.execute(tx)
    },
    subscribe: (accountId, listener) => {
      const ofAccount = listeners.get(accountId) ?? new Set()
      listeners.set(accountId, ofAccount.add(listener))
      return () => {
        ofAccount.delete(listener)
        if (!ofAccount.size) listeners.delete(accountId)
      }
    },
    onGap: listener => {
      gapListeners.add(listener)
      return () => void gapListeners.delete(listener)
    },
    close: () => listening.stop(),
  }
}
