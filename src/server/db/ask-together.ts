interface Waiting<T> {
  resolve(value: T | undefined): void
  reject(error: unknown): void
}

const atOnce = 2

/**
 * Turns a question about many keys into one about one key, so that callers who come while questions are under way share
 * the next. Each answer is asked for after its caller came: what was written before is seen. Undefined for a key that is
 * missing from the answer.
 */
export const askTogether = <K, T>(
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, T>>,
): ((key: K) => Promise<T | undefined>) => {
  let next = new Map<K, Waiting<T>[]>()
  let underWay = 0
  const start = async () => {
    if (underWay >= atOnce || !next.size) return
    const batch = next
    next = new Map()
    underWay++
    try {
      const found = await ask([...batch.keys()])
      for (const [key, waiting] of batch) for (const one of waiting) one.resolve(found.get(key))
    } catch (error) {
      for (const waiting of batch.values()) for (const one of waiting) one.reject(error)
    } finally {
      underWay--
      void start()
    }
  }
  return key =>
    new Promise((resolve, reject) => {
      const waiting = next.get(key) ?? []
      next.set(key, waiting)
      waiting.push({ resolve, reject })
      void start()
    })
}
