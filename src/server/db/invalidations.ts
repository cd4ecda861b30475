import { LRUCache } from 'lru-cache'
import { createBatchLoader } from './batch-loader.ts'
import type { Database } from './open-database.ts'

const channel = 'tideline_invalidations'
const pingEveryMs = 1000
/** How long after the last sign of life the notifications count as complete. A broken line may go unnoticed longer. */
const trustMs = 3000
const giveUpMs = 2000
const maxKeys = 50_000

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

/**
 * Listens to the invalidations of the database. From then on, a write through `db` resolves only when this process has
 * been notified of it, so that the next call sees it.
 */
export async function createInvalidations(
  db: Pick<Database, 'kind' | 'listen' | 'afterWrites'>,
): Promise<Invalidations> {
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
  const listening = await db.listen(channel, key => changedAt.set(key, ++count), {
    onLoss: distrustAll,
    onGap: () => {
      distrustAll()
      void caughtUp()
    },
  })
  const ping = createBatchLoader<'ping', true>(async () => {
    const [sentAt, connection] = [Date.now(), connections]
    await listening.ping()
    if (connection === connections) aliveAt = sentAt
    return new Map([['ping', true]])
  })
  const isTrusted = () => {
    const age = Date.now() - aliveAt
    return age >= 0 && age < trustMs
  }
  async function caughtUp(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>(resolve => {
      // The answer may be there already, behind what kept this process busy.
      timer = setTimeout(() => setImmediate(() => resolve(false)), giveUpMs).unref()
    })
    const isAlive = await Promise.race([ping('ping').catch(() => false), late])
    clearTimeout(timer)
    if (isAlive) return
    // Callers that waited must not get what is older.
    distrustAll()
    listening.reconnect()
  }
  await caughtUp()
  db.afterWrites(caughtUp)
  const timer = setInterval(() => void caughtUp(), pingEveryMs).unref()
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
