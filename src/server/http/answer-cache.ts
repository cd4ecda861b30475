import type { Actor } from '../context.ts'

/** An answer as it is sent: its bytes and the tag of its content. */
export interface TaggedAnswer {
  tag: string
  body: Buffer
}

export interface AnswerCache {
  get(key: string): TaggedAnswer | undefined
  keep(key: string, answer: TaggedAnswer): void
}

// What an answer takes beside its bytes: key, tag, entry.
const overhead = 600

/** Answers in memory, at most `maxBytes` of them together; those not asked for the longest go first. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const answers = new Map<string, TaggedAnswer>()
  let bytes = 0
  const size = (answer: TaggedAnswer) => answer.body.byteLength + overhead
  const forget = (key: string) => {
    const held = answers.get(key)
    if (held && answers.delete(key)) bytes -= size(held)
  }
  return {
    get: key => {
      const held = answers.get(key)
      if (held) {
        answers.delete(key)
        answers.set(key, held)
      }
      return held
    },
    keep: (key, answer) => {
      forget(key)
      // One that would push most others out is not worth it.
      if (size(answer) > maxBytes / 8) return
      answers.set(key, answer)
      bytes += size(answer)
      for (const oldest of answers.keys()) {
        if (bytes <= maxBytes) break
        forget(oldest)
      }
    },
  }
}

const quarterMs = 15 * 60_000

/**
 * The name of an answer that depends on nothing but the caller, the current merchant's rows and the day; null when it is
 * not known whether the rows are still the same. Days begin at a quarter of an hour in every time zone there is.
 */
export function cacheKeyOf(actor: Actor, url: string, now: Date): string | null {
  const { accountId, merchantId, marketplaceId, hasAccess, dataVersion, authorities } = actor
  if (merchantId === null || dataVersion === undefined) return null
  const quarter = Math.floor(now.getTime() / quarterMs)
  return [accountId, merchantId, marketplaceId, hasAccess, dataVersion, authorities.join(), quarter, url].join(' ')
}
