import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBucket } from 'limiter'

/** On average `rate` calls per second, at most `burst` at once. */
export interface Rate {
  rate: number
  burst: number
}

export interface TokenBuckets {
  /** Waits for a token of the bucket, at most `maxWaitMs`. Returns 0, or how many ms more it would have to wait. */
  take(key: string, rate: Rate, maxWaitMs: number): Promise<number>
  /** Gives no token of `key` for some time, as after a 429. */
  pause(key: string, ms: number): void
}

/**
 * Token buckets in memory: a full one has `burst` tokens and gains `rate` per second. The services that publish such plans
 * count exactly. A limiter with fixed windows would allow half as much again, and twice the burst between two windows.
 */
export function createTokenBuckets(): TokenBuckets {
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

  const missing = (key: string, rate: Rate): number => {
    const paused = (pausedUntil.get(key) ?? 0) - performance.now()
    if (paused > 0) return Math.ceil(paused)
    pausedUntil.delete(key)
    const bucket = bucketOf(key, rate)
    return bucket.tryRemoveTokens(1) ? 0 : Math.max(1, bucket.getWaitTime(1))
  }

  return {
    async take(key, rate, maxWaitMs) {
      const end = performance.now() + maxWaitMs
      for (;;) {
        const ms = missing(key, rate)
        if (ms === 0 || performance.now() + ms > end) return ms
        await sleep(ms)
      }
    },
    pause(key, ms) {
      pausedUntil.set(key, Math.max(pausedUntil.get(key) ?? 0, performance.now() + ms))
    },
  }
}
