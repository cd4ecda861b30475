import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBucket } from 'limiter'

/** On average `rate` calls per second, at most `burst` at once. */
export interface Rate {
  rate: number
  burst: number
}

/** Where the tokens of all buckets are counted. */
export interface TokenStore {
  /** Takes at most `count` tokens. If it takes fewer, `waitMs` says when the next one is there, else it is 0. */
  take(key: string, rate: Rate, count: number): Promise<{ granted: number; waitMs: number }>
  /** Gives no token of `key` for some time. With a `rate`, only one is there then. */
  pause(key: string, ms: number, rate?: Rate): Promise<void>
}

export interface TokenBuckets {
  /**
   * Waits for a token of the bucket, at most `maxWaitMs`. Returns 0, or how many ms more it would have to wait. Rejects
   * with what the store rejects with.
   */
  take(key: string, rate: Rate, maxWaitMs: number): Promise<number>
  /**
   * Gives no token of `key` for some time, as after a 429. With a `rate`, only one is there then: the service says that the
   * bucket is empty. Rejects with what the store rejects with.
   */
  pause(key: string, ms: number, rate?: Rate): Promise<void>
}

/**
 * Token buckets in the memory of one process: a full one has `burst` tokens and gains `rate` per second. The services that
 * publish such plans count exactly. A limiter with fixed windows would allow half as much again, and twice the burst
 * between two windows.
 */
function createMemoryStore(): TokenStore {
  const buckets = new Map<string, TokenBucket>()
  const pausedUntil = new Map<string, number>()
  const bucketOf = (key: string, { rate, burst }: Rate): TokenBucket => {
    const existing = buckets.get(key)
    if (existing?.bucketSize === burst && existing.tokensPerInterval === rate) return existing
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: rate, interval: 'second' })
    bucket.content = existing ? Math.min(existing.content, burst) : burst
    buckets.set(key, bucket)
    return bucket
  }
  return {
    async take(key, rate, count) {
      const paused = (pausedUntil.get(key) ?? 0) - performance.now()
      if (paused > 0) return { granted: 0, waitMs: Math.ceil(paused) }
      pausedUntil.delete(key)
      const bucket = bucketOf(key, rate)
      let granted = 0
      while (granted < count && bucket.tryRemoveTokens(1)) granted += 1
      return { granted, waitMs: granted < count ? Math.max(1, bucket.getWaitTime(1)) : 0 }
    },
    async pause(key, ms, rate) {
      if (rate) bucketOf(key, rate).content = 1
      pausedUntil.set(key, Math.max(pausedUntil.get(key) ?? 0, performance.now() + ms))
    },
  }
}

interface Waiter {
  until: number
  settle: (waitMs: number) => void
  fail: (error: unknown) => void
}

/** Callers who wait for tokens of one bucket, in their order. */
interface Queue {
  waiting: Waiter[]
  rate: Rate
  /** When the store is asked again. */
  nextAt: number
}

/** Buckets on a store that several processes may share. Callers of the same moment ask it once. */
export function createTokenBuckets(store: TokenStore = createMemoryStore()): TokenBuckets {
  const queues = new Map<string, Queue>()

  async function serve(key: string, queue: Queue): Promise<void> {
    try {
      while (queue.waiting.length) {
        const { granted, waitMs } = await store.take(key, queue.rate, queue.waiting.length)
        for (const { settle } of queue.waiting.splice(0, granted)) settle(0)
        queue.nextAt = performance.now() + waitMs
        const all = queue.waiting
        queue.waiting = all.filter(({ until }) => until >= queue.nextAt)
        for (const { until, settle } of all) if (until < queue.nextAt) settle(waitMs)
        if (queue.waiting.length) await sleep(waitMs)
      }
    } catch (error) {
      for (const { fail } of queue.waiting.splice(0)) fail(error)
    } finally {
      queues.delete(key)
    }
  }

  return {
    take: (key, rate, maxWaitMs) =>
      new Promise((settle, fail) => {
        const now = performance.now()
        const served = queues.get(key)
        if (served && now + maxWaitMs < served.nextAt) return settle(Math.ceil(served.nextAt - now))
        const queue = served ?? { waiting: [], rate, nextAt: -Infinity }
        queue.waiting.push({ until: now + maxWaitMs, settle, fail })
        queue.rate = rate
        if (served) return
        queues.set(key, queue)
        void serve(key, queue)
      }),
    pause: (key, ms, rate) => store.pause(key, ms, rate),
  }
}
