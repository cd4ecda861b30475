import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createBatchLoader } from './batch-loader.ts'
import type { Database } from './open-database.ts'

const channel = 'tideline_invalidations'
const beatEveryMs = 1000
/** How long after the last heartbeat the notifications count as complete. A broken line may go unnoticed longer. */
const trustMs = 3000
const giveUpMs = 2000
const maxKeys = 50_000
const heartbeat = 'heartbeat '

/**
 * What this process may trust from memory. The database's triggers notify every process of the keys whose rows were
 * changed: `account 5`, `merchant 7`.
 */
export interface Invalidations {
  /** A moment in the order of the notifications. Take it before the read whose result is to be cached. */
  stamp(): number
  /** True if nothing of these keys was changed since the stamp; false whenever a notification may be missing. */
  isCurrent(keys: readonly string[], stamp: number): boolean
  /** Resolves when this process has been notified of everything that was committed before the call. Never rejects. */
  caughtUp(): Promise<void>
  close(): Promise<void>
}

/** Of a process that answers no calls and so caches nothing: it is not notified, and its writes wait for nothing. */
export const withoutInvalidations: Invalidations = {
  stamp: () => 0,
  isCurrent: () => false,
  caughtUp: async () => undefined,
  close: async () => undefined,
}

/**
 * Listens to the invalidations of the database. From then on, a write through `db` resolves only when this process has
 * been notified of it, so that the next call sees it.
 */
export async function createInvalidations(db: Pick<Database, 'listen' | 'afterWrites'>): Promise<Invalidations> {
  let count = 0
  // What is older than this may have missed a notification.
  let oldest = 0
  let connections = 0
  let aliveAt = -Infinity
  const changedAt = new LRUCache<string, number>({
    max: maxKeys,
    dispose: (at, _key, reason) => {
      if (reason === 'evict') oldest = Math.max(oldest, at)
    },
  })
  const distrustAll = () => {
    connections += 1
    count += 1
    oldest = count
    aliveAt = -Infinity
  }
  // Every process hears the heartbeats of all.
  const ownBeat = `${heartbeat}${randomUUID()} `
  let beats = 0
  let heardBeat = ''
  const onNotification = (payload: string) => {
    if (payload.startsWith(ownBeat)) heardBeat = payload
    else if (!payload.startsWith(heartbeat)) changedAt.set(payload, ++count)
  }
  const listening = await db.listen(channel, onNotification, {
    onLoss: distrustAll,
    onGap: () => {
      distrustAll()
      void beat()
    },
  })
  const replaceLine = () => {
    distrustAll()
    listening.reconnect()
  }
  /**
   * Only a notification that came back proves that notifications come: a pooler in front of the database may answer
   * every statement and deliver none.
   */
  async function beat(): Promise<void> {
    const [sentAt, connection] = [Date.now(), connections]
    const payload = ownBeat + ++beats
    if (!(await inTime(listening.notify(payload)))) return replaceLine()
    if (heardBeat === payload && connection === connections) aliveAt = sentAt
  }
  const ping = createBatchLoader<'ping', true>(async () => {
    await listening.ping()
    return new Map([['ping', true]])
  })
  async function caughtUp(): Promise<void> {
    // Callers that waited must not get what is older.
    if (!(await inTime(ping('ping')))) replaceLine()
  }
  await beat()
  db.afterWrites(caughtUp)
  const timer = setInterval(() => void beat(), beatEveryMs).unref()
  const isTrusted = () => {
    const age = Date.now() - aliveAt
    return age >= 0 && age < trustMs
  }
  return {
    stamp: () => count,
    isCurrent: (keys, stamp) =>
      stamp >= oldest && keys.every(key => (changedAt.peek(key) ?? 0) <= stamp) && isTrusted(),
    caughtUp,
    close: async () => {
      clearInterval(timer)
      aliveAt = -Infinity
      await listening.stop()
    },
  }
}

/** Whether it resolves, and soon. */
async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    // The answer may be there already, behind what kept this process busy.
    timer = setTimeout(() => setImmediate(() => resolve(false)), giveUpMs).unref()
  })
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}
