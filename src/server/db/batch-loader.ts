const maxConcurrent = 2

/**
 * Turns a query by many keys into one by a single key. Callers that arrive while queries are running share the next one.
 * A query always starts after its callers arrived, so it sees what was written before. Resolves with undefined for a key
 * that is missing from the result.
 */
export function createBatchLoader<K, T>(
  load: (keys: readonly K[]) => Promise<ReadonlyMap<K, T>>,
): (key: K) => Promise<T | undefined> {
  let next = new Map<K, PromiseWithResolvers<T | undefined>[]>()
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
  return key => {
    const caller = Promise.withResolvers<T | undefined>()
    next.set(key, [...(next.get(key) ?? []), caller])
    void start()
    return caller.promise
  }
}
