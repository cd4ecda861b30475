import { LRUCache } from 'lru-cache'
import type { Actor } from '../context.ts'

/** An answer as it is sent: its bytes and the ETag of its content. */
export interface TaggedAnswer {
  tag: string
  body: Buffer
}

// What an entry takes besides its bytes: key, tag and bookkeeping.
const overheadBytes = 600

export type AnswerCache = Pick<LRUCache<string, TaggedAnswer>, 'get' | 'set'>

/** Answers in memory, at most `maxBytes` altogether; 0 turns the cache off. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  return new LRUCache<string, TaggedAnswer>({
    maxSize: Math.max(1, maxBytes),
    // An answer that would evict most others is not worth caching.
    maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
    sizeCalculation: ({ body }) => body.byteLength + overheadBytes,
  })
}

const quarterMs = 15 * 60_000

/**
 * The cache key of an answer that depends only on the caller, the current merchant's rows and the day; null if the version
 * of the rows is unknown. In every time zone, a day begins at a quarter of an hour.
 */
export function cacheKeyOf(actor: Actor, url: string, now: Date): string | null {
  const { accountId, merchantId, marketplaceId, hasAccess, dataVersion, authorities } = actor
  if (merchantId === null || dataVersion === undefined) return null
  const quarter = Math.floor(now.getTime() / quarterMs)
  return [accountId, merchantId, marketplaceId, hasAccess, dataVersion, authorities.join(), quarter, url].join(' ')
}
