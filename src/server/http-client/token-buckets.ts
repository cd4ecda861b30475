import { setTimeout as sleep } from 'node:timers/promises'

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

interface Bucket {
  tokens: number
  at: number
}

/**
 * Token buckets in memory: a full one holds `burst`, and regains `rate` a second. Reckoned exactly, as the services do
 * that publish such plans: limiters of fixed windows give half as much again in the long run, and twice the burst where
 * two windows meet.
 */
export const createTokenBuckets = (): TokenBuckets => {
  const buckets = new Map<string, Bucket>()
  const pausedUntil = new Map<string, number>()

  const missing = (key: string, { rate, burst }: Rate): number => {
    const now = performance.now()
    const paused = (pausedUntil.get(key) ?? 0) - now
    if (paused > 0) return Math.ceil(paused)
    pausedUntil.delete(key)
    const { tokens, at } = buckets.get(key) ?? { tokens: burst, at: now }
    const held = Math.min(burst, tokens + ((now - at) / 1000) * rate)
    const isGiven = held >= 1
    buckets.set(key, { tokens: isGiven ? held - 1 : held, at: now })
    return isGiven ? 0 : Math.max(1, Math.ceil(((1 - held) / rate) * 1000))
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
