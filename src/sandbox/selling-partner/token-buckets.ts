interface Bucket {
  tokens: number
  at: number
}

/** Usage plans as the Selling Partner API enforces them: a bucket a seller and operation. */
export interface TokenBuckets {
  /** Takes a token; false when the bucket is empty. `rate` tokens come back each second, up to `burst`. */
  take(key: string, rate: number, burst: number, now: number): boolean
  reset(): void
}

export function createTokenBuckets(): TokenBuckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, rate, burst, now) {
      const bucket = buckets.get(key) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate)
      const taken = tokens >= 1
      buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
      return taken
    },
    reset: () => buckets.clear(),
  }
}
