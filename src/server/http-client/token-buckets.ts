import { setTimeout as sleep } from 'node:timers/promises'
import { BurstyRateLimiter, RateLimiterMemory } from 'rate-limiter-flexible'

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
 * Token buckets in memory. A steady limiter gives one token every 1/rate seconds (or `rate` a second), a second one
 * the burst above it; together they never give more than the documented usage plan in its window.
 */
export const createTokenBuckets = (): TokenBuckets => {
  const limiters = new Map<string, BurstyRateLimiter>()
  const pausedUntil = new Map<string, number>()

  const missing = async (key: string, rate: Rate): Promise<number> => {
    const paused = (pausedUntil.get(key) ?? 0) - performance.now()
    if (paused > 0) return Math.ceil(paused)
    pausedUntil.delete(key)
    const plan = `${rate.rate}/${rate.burst}`
    const limiter = limiters.get(plan) ?? createLimiter(rate)
    limiters.set(plan, limiter)
    try {
      await limiter.consume(key)
      return 0
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal
      return Math.max(1, (refusal as { msBeforeNext: number }).msBeforeNext)
    }
  }

  return {
    async take(key, rate, maxWaitMs) {
      const end = performance.now() + maxWaitMs
      for (;;) {
        const ms = await missing(key, rate)
        if (ms === 0 || performance.now() + ms > end) return ms
        await sleep(ms)
      }
    },
    pause(key, ms) {
      pausedUntil.set(key, Math.max(pausedUntil.get(key) ?? 0, performance.now() + ms))
    },
  }
}

const createLimiter = ({ rate, burst }: Rate): BurstyRateLimiter => {
  const steady = rate >= 1 ? { points: Math.floor(rate), duration: 1 } : { points: 1, duration: 1 / rate }
  const above = Math.max(0, burst - steady.points)
  return new BurstyRateLimiter(
    new RateLimiterMemory({ keyPrefix: 'steady', ...steady }),
    new RateLimiterMemory({ keyPrefix: 'burst', points: above, duration: Math.max(1, burst / rate) }),
  )
}
