import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import { databaseUnavailable, outcomeUnknown } from '../db/connection-loss.ts'
import type { Database } from '../db/open-database.ts'
import { createLog } from '../log/log.ts'
import type { Services } from '../context.ts'
import { onceByKey, purgeKeysJob } from './idempotency.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => db.close())

const log = createLog({ level: 'silent' })
function call(key: string, run: () => Promise<unknown>, lease = 60) {
  return onceByKey(
    { db, log, actor: { accountId: 1 }, idempotencyKey: key },
    'POST /probes',
    { n: 1 },
    async () => ({ status: 201, body: await run() }),
    lease,
  )
}
async function seconds(expression: RawBuilder<unknown>, key: string): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`select extract(epoch from ${expression})::float8 as seconds
    from idempotency_key where key = ${key}`.execute(db.system)
  return rows[0]?.seconds ?? Number.NaN
}
/** How much of a key's lease is left; negative once it has run out. */
const left = (key: string) => seconds(sql`locked_until - now()`, key)
/** When it ends. */
const endOf = (key: string) => seconds(sql`locked_until`, key)
function letPass(key: string, passed: number) {
  return sql`update idempotency_key set locked_until = locked_until - make_interval(secs => ${passed}) where key = ${key}`.execute(
    db.system,
  )
}

/** Starts a call whose work ends on command. */
async function beginCall(key: string) {
  const work = Promise.withResolvers<unknown>()
  const started = Promise.withResolvers<void>()
  const answer = call(key, () => {
    started.resolve()
    return work.promise
  })
  await started.promise
  return { answer, end: work.resolve, fail: work.reject }
}

test('a call that takes longer than its lease keeps it, and runs once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const slow = await beginCall('long')
  for (let passed = 0; passed < 180; passed += 20) {
    await letPass('long', 20)
    vi.advanceTimersByTime(20_000)
    await waitUntil(async () => expect(await left('long')).toBeGreaterThan(45))
  }
  await expect(call('long', async () => 'second')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  slow.end('first')
  expect((await slow.answer).body).toBe('first')
  expect((await call('long', async () => 'second')).body).toBe('first')
  expect(vi.getTimerCount()).toBe(0)
})

test('a call that is over renews nothing, whether it went well or failed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await call('well', async () => 'done')
  await expect(call('badly', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(vi.getTimerCount()).toBe(0)
})

test('whose lease was taken over frees nothing that is another’s, and its answer does not replace the other’s', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const [failing, ending] = [await beginCall('taken'), await beginCall('taken too')]
  for (const key of ['taken', 'taken too']) await letPass(key, 90)
  const [other, third] = [await beginCall('taken'), await beginCall('taken too')]
  failing.fail(new Error('too late'))
  await expect(failing.answer).rejects.toThrow('too late')
  await expect(call('taken', async () => 'again')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  ending.end('late')
  await ending.answer
  third.end('third')
  other.end('other')
  expect([(await other.answer).body, (await third.answer).body]).toEqual(['other', 'third'])
  expect((await call('taken', async () => 'again')).body).toBe('other')
  expect((await call('taken too', async () => 'again')).body).toBe('third')
})

describe('while the database is away', () => {
  /** The database, whose next updates fail so often. */
  const failing = (times: number): Database['system'] =>
    new Proxy(db.system, {
      get: (target, name) => {
        if (name === 'updateTable' && times-- > 0)
          return () => {
            throw databaseUnavailable(new Error('away'))
          }
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const callThrough = (system: Database['system'], key: string, run: () => Promise<unknown>) =>
    onceByKey(
      { db: { ...db, system }, log, actor: { accountId: 1 }, idempotencyKey: key },
      'POST /probes',
      { n: 1 },
      async () => ({ status: 201, body: await run() }),
    )

  test('what was done is answered once that is kept', async () => {
    expect((await callThrough(failing(2), 'late', async () => 'done')).body).toBe('done')
    expect((await call('late', async () => 'again')).body).toBe('done')
  })

  test('what was done and cannot be kept is unclear, and not done again at once', async () => {
    const answer = callThrough(failing(100), 'never kept', async () => 'done')
    await expect(answer).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(call('never kept', async () => 'again')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
  })

  test('an unclear failure keeps its key, a clear one frees it', async () => {
    const fail = (error: Error) => () => Promise.reject(error)
    await expect(call('unclear', fail(outcomeUnknown(null)))).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' })
    await expect(call('unclear', async () => 'again')).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
    await expect(call('clear', fail(databaseUnavailable(null)))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await call('clear', async () => 'again')).body).toBe('again')
  })
})

// The embedded database belongs to one process.
describe.skipIf(process.env.TEST_DATABASE_URL === undefined)('two processes, which need a database server', () => {
  const script = fileURLToPath(new URL('../../../tests/support/hold-key.ts', import.meta.url))
  const children: ChildProcess[] = []
  const holdElsewhere = async (key: string, lease: number) => {
    const url = 'connectionString' in db.raw ? db.raw.connectionString : ''
    const child = fork(script, [url, key, String(lease)])
    children.push(child)
    expect((await once(child, 'message'))[0]).toBe('working')
    return child
  }
  afterEach(() => children.forEach(child => child.kill('SIGKILL')))

  test('what one works on longer than its lease, the other never begins', async () => {
    const child = await holdElsewhere('far', 3)
    const first = await endOf('far')
    // Until the first lease is long over.
    for (let end = first; end < first + 4; end = await endOf('far')) {
      await expect(call('far', async () => 'here', 3)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    child.send('there')
    expect((await once(child, 'message'))[0]).toEqual({ status: 201, body: 'there' })
    expect((await call('far', async () => 'here', 3)).body).toBe('there')
  })

  test('what a killed one worked on, the other may begin when the lease has run out', async () => {
    const child = await holdElsewhere('dead', 2)
    child.kill('SIGKILL')
    await expect(call('dead', async () => 'here', 2)).rejects.toMatchObject({ code: 'IDEMPOTENCY_IN_FLIGHT' })
    await waitUntil(async () => expect((await call('dead', async () => 'here', 2)).body).toBe('here'))
  })
})

test('a key is deleted once it is 24 hours old, but not while its call is running', async () => {
  const hoursOld: Record<string, number> = { young: 23, old: 25, running: 25 }
  const running = await beginCall('running')
  for (const key of ['young', 'old']) await call(key, async () => key)
  for (const [key, hours] of Object.entries(hoursOld))
    await sql`update idempotency_key set created_at = created_at - make_interval(hours => ${hours}),
      locked_until = case state when 'done' then locked_until - make_interval(hours => ${hours}) else locked_until end
      where key = ${key}`.execute(db.system)
  const job = { id: 'purge', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
  await purgeKeysJob.run({ db, log } as Services, {}, job)
  const keys = db.system.selectFrom('idempotency_key').select('key').where('key', 'in', Object.keys(hoursOld))
  expect((await keys.orderBy('key').execute()).map(row => row.key)).toEqual(['running', 'young'])
  running.end('done')
  expect(await running.answer).toEqual({ status: 201, body: 'done' })
})
