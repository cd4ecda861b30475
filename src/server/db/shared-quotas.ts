import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Rate, TokenStore } from '../http-client/token-buckets.ts'
import { defineScheduledJob } from '../jobs/define-job.ts'
import type { Db } from './tables.ts'

/** How long a token that was taken in advance may be used. */
const spareMs = 500
// A bucket that is forgotten here is still counted in the database.
const maxBuckets = 10_000

/** What this process took of a bucket in advance. */
interface Spare {
  tokens: number
  until: number
  /** How many the last statement took in advance. */
  ahead: number
}

/** How many tokens may be taken in advance, and the burst that is left by as many fewer at once. */
function inAdvance({ rate, burst }: Rate): { most: number; burst: number } {
  const most = Math.floor((rate * spareMs) / 1000)
  // A small burst is worth more than the statements that are saved.
  return burst >= 4 * most && most > 0
    ? { most, burst: burst - Math.ceil((rate * spareMs) / 1000) }
    : { most: 0, burst }
}

/**
 * Token buckets in the database, for all processes together. While calls of one process follow each other quickly it takes
 * tokens in advance, so that most calls need no statement; what is not used within half a second is lost. The burst is
 * smaller by as many, so that over no stretch of time there are more calls than the rate allows.
 */
export function createSharedQuotas(system: Db): TokenStore {
  const spares = new LRUCache<string, Spare>({ max: maxBuckets })
  const takeSpares = (key: string, count: number): number => {
    const spare = spares.get(key)
    if (!spare || spare.until < performance.now()) return 0
    const taken = Math.min(count, spare.tokens)
    spare.tokens -= taken
    return taken
  }
  return {
    async take(key, rate, count) {
      const own = takeSpares(key, count)
      if (own === count) return { granted: own, waitMs: 0 }
      const { most, burst } = inAdvance(rate)
      const missing = count - own
      const last = spares.get(key)
      const ahead = last && last.until > performance.now() - spareMs ? Math.min(most, 2 * last.ahead + 1) : 0
      const began = performance.now()
      const { rows } = await sql<{ granted: number; waitMs: number }>`select granted, wait_ms as "waitMs"
        from take_calls(${key}, ${missing + ahead}::int, ${rate.rate}::float8, ${burst}::int)`.execute(system)
      const { granted, waitMs } = rows[0] ?? { granted: 0, waitMs: 1000 }
      spares.set(key, { tokens: Math.max(0, granted - missing), until: began + spareMs, ahead })
      return granted < missing ? { granted: own + granted, waitMs } : { granted: count, waitMs: 0 }
    },
    async pause(key, ms, rate) {
      spares.delete(key)
      const seconds = ms / 1000
      // What was counted until then is wrong where the service says that the bucket is empty.
      const fullAt = rate && sql`clock_timestamp() + make_interval(secs => ${seconds + (rate.burst - 1) / rate.rate})`
      await sql`insert into call_quota as q (key, full_at, paused_until)
        values (${key}, ${fullAt ?? sql`'-infinity'`}, clock_timestamp() + make_interval(secs => ${seconds}))
        on conflict (key) do update set full_at = ${fullAt ? sql`excluded.full_at` : sql`q.full_at`},
          paused_until = greatest(q.paused_until, excluded.paused_until)`.execute(system)
    },
  }
}

/** Every night, deletes what is known of full buckets, which is nothing. */
export const purgeQuotasJob = defineScheduledJob({
  name: 'purge-call-quotas',
  cron: '13 4 * * *',
  run: async ({ db }) => {
    await sql`delete from call_quota where full_at < now() - interval '1 day' and paused_until < now()`.execute(
      db.system,
    )
  },
})
