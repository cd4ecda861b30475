interface Caller<T> {
  resolve(value: T | undefined): void
  reject(error: unknown): void
}

const maxConcurrent = 2

/**
 * Turns a query by many keys into one by a single key. Callers that arrive while queries are running share the next one.
 * A query always starts after its callers arrived, so it sees what was written before. Resolves with undefined for a key
 * that is missing from the result.
 */
export function createBatchLoader<K, T>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, T>>,
): (key: K) => Promise<T | undefined> {
  let next = new Map<K, Caller<T>[]>()
  let running = 0
  async function start() {
    if (running >= maxConcurrent || !next.size) return
    const batch = next
    next = new Map()
    running++
    try {
      const results = await load([...batch.keys()])
      for (const [key, callers] of batch) for (const caller of callers) caller.resolve(results.get(key))
    } catch (error) {
      for (const callers of batch.values()) for (const caller of callers) caller.reject(error)
    } finally {
      running--
      void start()
    }
  }
  return key =>
    new Promise((resolve, reject) => {
      const callers = next.get(key) ?? []
      next.set(key, callers)
      callers.push({ resolve, reject })
      void start()
    })
}
