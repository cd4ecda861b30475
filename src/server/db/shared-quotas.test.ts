import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messagesDuring } from '../../../tests/support/answers-scene.ts'
import { testServices } from '../../../tests/support/services.ts'
import { createHttpClient, type HttpClient } from '../http-client/http-client.ts'
import { UpstreamThrottled } from '../http-client/upstream-errors.ts'
import { createLog } from '../log/log.ts'
import { createTokenBuckets, type TokenBuckets } from '../http-client/token-buckets.ts'
import { createSharedQuotas, purgeQuotasJob } from './shared-quotas.ts'

let services: Awaited<ReturnType<typeof testServices>>
/** As several processes have them: they share nothing but the database. */
let processes: TokenBuckets[]
beforeAll(async () => {
  services = await testServices()
  processes = Array.from({ length: 3 }, () => createTokenBuckets(createSharedQuotas(services.db.system)))
})
afterAll(() => services.close())

test.each([
  { rate: 20, burst: 40 },
  { rate: 2, burst: 2 },
  { rate: 0.0167, burst: 15 },
])('all processes together get $burst at once and then $rate a second', async rate => {
  const key = `together ${rate.burst}`
  const began = performance.now()
  let taken = 0
  const callers = processes.flatMap(buckets =>
    Array.from({ length: 4 }, async () => {
      while (performance.now() - began < 1500) {
        if ((await buckets.take(key, rate, 400)) === 0) taken += 1
        else await new Promise(resolve => setTimeout(resolve, 20))
      }
    }),
  )
  await Promise.all(callers)
  const allowed = rate.burst + ((performance.now() - began) / 1000) * rate.rate
  expect(taken).toBeLessThanOrEqual(allowed)
  // What is taken in advance makes the burst smaller by half a second's calls.
  expect(taken).toBeGreaterThanOrEqual(Math.floor(rate.burst - rate.rate / 2))
})

test('a pause that one process notes holds for all, and a token is there after the wait that was named', async () => {
  const [one, other] = processes as [TokenBuckets, TokenBuckets]
  const rate = { rate: 5, burst: 1 }
  await one.pause('paused', 60_000)
  expect(await other.take('paused', rate, 0)).toBeGreaterThan(50_000)
  await other.pause('paused', 10)
  expect(await one.take('paused', rate, 0)).toBeGreaterThan(50_000)
  expect(await one.take('free', rate, 0)).toBe(0)
  expect(await other.take('free', rate, 5000)).toBe(0)
})

test('after a 429 that does not say for how long, no process makes use of what it took for its burst', async () => {
  let calls = 0
  const throttled = async () => {
    calls += 1
    return new Response('{}', { status: 429 })
  }
  const policy = { retries: 0, maxDelayMs: 100, maxWaitMs: 150 }
  const log = createLog({ level: 'silent' })
  const clients = processes.map(buckets =>
    createHttpClient({ upstream: 'throttled', log, fetch: throttled, policy, buckets }),
  )
  const bucket = { key: 'seller', rate: { rate: 0.5, burst: 20 } }
  const request = { operation: 'ask', method: 'GET', url: 'http://localhost', effect: 'read', bucket } as const
  const ask = (client: HttpClient) => expect(client.sendText(request)).rejects.toBeInstanceOf(UpstreamThrottled)
  const [first] = clients as [HttpClient]
  const began = performance.now()
  await ask(first)
  await Promise.all(clients.flatMap(client => Array.from({ length: 5 }, () => ask(client))))
  // Without the others' knowledge it would be 16. One is let through whenever a token may be there: after each pause.
  const pauses = Math.ceil((performance.now() - began) / policy.maxDelayMs)
  expect(calls).toBeLessThanOrEqual(Math.min(15, Math.max(4, 1 + pauses)))
})

test('calls that follow each other quickly need few statements', async () => {
  const buckets = createTokenBuckets(createSharedQuotas(services.db.system))
  const rate = { rate: 40, burst: 200 }
  const { messages } = await messagesDuring(services.db, async () => {
    for (let n = 0; n < 60; n++) expect(await buckets.take('quick', rate, 5000)).toBe(0)
    await Promise.all(Array.from({ length: 60 }, () => buckets.take('quick', rate, 5000)))
  })
  expect(messages).toBeLessThan(40)
})

test('without its database nothing is given, and the caller learns why', async () => {
  const failing = createTokenBuckets({
    take: () => Promise.reject(new Error('no database')),
    pause: () => Promise.resolve(),
  })
  const both = [failing.take('k', { rate: 1, burst: 1 }, 1000), failing.take('k', { rate: 1, burst: 1 }, 1000)]
  expect(await Promise.allSettled(both)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
})

test('a full bucket is forgotten, one that is in use is not', async () => {
  const { system } = services.db
  await sql`insert into call_quota (key, full_at) values ('old', now() - interval '2 days'), ('new', now())`.execute(
    system,
  )
  await purgeQuotasJob.run(services, {}, { id: '', attempt: 0, lastAttempt: false, signal: AbortSignal.any([]) })
  const { rows } = await sql<{ key: string }>`select key from call_quota where key in ('old', 'new')`.execute(system)
  expect(rows).toEqual([{ key: 'new' }])
})
