import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../db/open-database.ts'
import type { Db } from '../db/tables.ts'
import type { Log } from '../log/log.ts'

const channel = 'tideline_events'
const heartbeat = 'heartbeat '
const beatEveryMs = 10_000
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
export async function createEvents(
  db: Pick<Database, 'listen'>,
  log: Log,
  options: { beatEveryMs?: number } = {},
): Promise<Events> {
  const listeners = new Map<number, Set<(event: AccountEvent) => void>>()
  const gapListeners = new Set<() => void>()
  const deliver = (payload: string) => {
    const event = read(payload)
    if (!event) return log.warn({ payload }, 'an event has an invalid payload')
    const { accounts, type, data } = event
    for (const account of accounts) for (const listener of listeners.get(account) ?? []) listener({ type, data })
  }
  const ownBeat = `${heartbeat}${randomUUID()}`
  let isBeatHeard = false
  const hear = (payload: string) => {
    if (payload === ownBeat) isBeatHeard = true
    else if (!payload.startsWith(heartbeat)) deliver(payload)
  }
  const listening = await db.listen(channel, hear, { onGap: () => gapListeners.forEach(listener => listener()) })
  // A line may be broken, or a pooler in front of the database may deliver nothing, without anybody noticing.
  const beat = async () => {
    const wasHeard = isBeatHeard
    // The connection that replaces it is judged by the beat after the next.
    isBeatHeard = !wasHeard
    if (wasHeard) await listening.notify(ownBeat).catch(() => undefined)
    else listening.reconnect()
  }
  await listening.notify(ownBeat)
  const timer = setInterval(() => void beat(), options.beatEveryMs ?? beatEveryMs).unref()
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
    close: () => {
      clearInterval(timer)
      return listening.stop()
    },
  }
}
