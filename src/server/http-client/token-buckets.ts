import { setTimeout as sleep } from 'node:timers/promises'
import { TokenBucket } from 'limiter'

/** `rate` calls a second in the long run, `burst` at once. */
export interface Rate {
  rate: number
  burst: number
}

export interface TokenBuckets {
  /**
   * Waits for a token of the bucket `key`, at most `maxWaitMs`. Answers 0 when the token is taken, else how many
   * milliseconds are still missing (and takes nothing).
   */
  take(key: string, rate: Rate, maxWaitMs: number): Promise<number>
  /** Holds everybody of `key` back, as after a 429. */
  pause(key: string, ms: number): void
}

/**
 * Token buckets in memory: a full one holds `burst`, and regains `rate` a second. Exact ones, as the services have that
 * publish such plans: limiters of fixed windows give half as much again in the long run, and twice the burst where two
 * windows meet.
 */
export function createTokenBuckets(): TokenBuckets {
  const buckets = new Map<string, TokenBucket>()
  const pausedUntil = new Map<string, number>()

  const bucketOf = (key: string, { rate, burst }: Rate): TokenBucket => {
    const known = buckets.get(key)
    if (known?.bucketSize === burst && known.tokensPerInterval === rate) return known
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: rate, interval: 'second' })
    bucket.content = known ? Math.min(known.content, burst) : burst
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
