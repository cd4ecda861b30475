import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { errorStatus } from '#shared/errors.ts'
import { readMail } from '../../../src/main/demonstration/outside-world.ts'
import { startOwnPostgres } from '../../support/postgres-server.mjs'
import { type Processes, type Running, startProcesses } from '../../support/processes.ts'
import { waitUntil } from '../../support/wait-until.ts'

// A restart is for a server of its own, since others use that of TEST_DATABASE_URL meanwhile.
const isServerStep = process.env.TEST_DATABASE_URL !== undefined
if (!isServerStep) process.stdout.write('Restarts of PostgreSQL are tested in the step that has a PostgreSQL server.\n')

const password = 'Drift&Wood7!'
const letters = 'abcdefghijklmnopqrstuvwxyz'
/** A name that counts: persons have no figures in theirs. */
const nameOf = (n: number): string => (n < 26 ? (letters[n] ?? '') : nameOf(Math.floor(n / 26)) + nameOf(n % 26))

describe.skipIf(!isServerStep)('a restart of PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof startOwnPostgres>>
  let world: Processes
  let worker: Running
  beforeAll(async () => {
    database = await startOwnPostgres()
    const env = { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'warn', CLIENT: 'off', JOBS: 'off' }
    world = await startProcesses({ databaseUrl: database.url, scenario: 'new-seller', env })
    worker = await world.startWorker()
  })
  afterAll(async () => {
    await worker.stop()
    await world.stop()
    await database.stop()
  })

  const crash = async (awayMs: number) => {
    await database.crash()
    await sleep(awayMs)
    database.start()
  }
  const call = async (
    method: string,
    path: string,
    { body, ip, token }: { body?: object; ip?: string; token?: string },
  ) => {
    const answer = await fetch(`${world.product.url}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        // Each caller has its own rate limit. Nothing may be between the test and the health endpoint.
        ...(ip && { 'x-forwarded-for': ip }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
  }
  const inDatabase = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query<Record<string, unknown>>(text, values)
    await client.end()
    return rows
  }
  const isReady = async () => (await call('GET', '/readyz', {})).status === 200
  const becomesReady = () =>
    vi.waitFor(async () => expect(await isReady()).toBe(true), { timeout: 20_000, interval: 50 })
  const register = (email: string, ip: string) =>
    call('POST', '/api/auth/register', {
      ip,
      body: { email, password, firstName: 'Dana', lastName: 'Driftwood', accountType: 'SELLER' },
    })
  const logIn = async (email: string, ip: string): Promise<string> => {
    expect((await register(email, ip)).status).toBe(201)
    await inDatabase('update account set email_verified_at = now() where email = $1', [email])
    const { body } = await call('POST', '/api/auth/login', { ip, body: { email, password } })
    return (body as { accessToken: string }).accessToken
  }

  /** A failed call has the shape of every failure, with the time after which it may be sent again. */
  const expectAway = ({ status, retryAfter, body }: Awaited<ReturnType<typeof call>>) => {
    const problem = body as {
      errorCode: keyof typeof errorStatus
      message: string
      details: unknown
      requestId: string
    }
    expect([status, retryAfter]).toEqual([503, '2'])
    expect(['UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain(problem.errorCode)
    expect(problem).toMatchObject({ details: [], requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    return problem.errorCode
  }

  test('costs no acknowledged write, answers 503 meanwhile, and is over within ten seconds of the server’s return', async () => {
    const people = Array.from({ length: 6 }, (_, n) => ({ email: `writer${n}@example.com`, ip: `10.1.0.${n + 1}` }))
    const codes: string[] = []
    let isOver = false
    let acknowledged = 0
    const write = async ({ email, ip }: (typeof people)[number]) => {
      const token = await logIn(email, ip)
      const possible: string[] = []
      for (let n = 26; !isOver; n++) {
        const answer = await call('PATCH', '/api/user', { ip, token, body: { lastName: nameOf(n) } })
        if (answer.status === 200) {
          acknowledged++
          possible.splice(0, possible.length, nameOf(n))
        } else {
          const code = expectAway(answer)
          codes.push(code)
          if (code === 'OUTCOME_UNKNOWN') possible.push(nameOf(n))
        }
        await sleep(110)
      }
      const [row] = await inDatabase('select last_name from account where email = $1', [email])
      expect(possible).toContain(row?.['last_name'])
    }
    const writers = Promise.all(people.map(write))
    const returns: number[] = []
    for (const awayMs of [1500, 0, 700]) {
      const before = acknowledged
      await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(before + 30), { timeout: 30_000 })
      const restarted = crash(awayMs)
      if (awayMs) await waitUntil(async () => expect((await call('GET', '/readyz', {})).status).toBe(503))
      expect((await call('GET', '/healthz', {})).status).toBe(200)
      await restarted
      const began = performance.now()
      await becomesReady()
      returns.push(performance.now() - began)
    }
    await sleep(500)
    isOver = true
    await writers
    expect(codes.length).toBeGreaterThan(0)
    expect(Math.max(...returns)).toBeLessThan(10_000)
  })

  test('leaves the queue working: the same worker sends a mail that is requested afterwards', async () => {
    await crash(300)
    await becomesReady()
    expect((await register('after@example.com', '10.2.0.1')).status).toBe(201)
    expect(await readMail(world.sandbox, 'after@example.com', '/verify-email')).toContain('token=')
  })

  test('ends each event stream, so that its client connects again and reads what it missed', async () => {
    const token = await logIn('listener@example.com', '10.3.0.1')
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', 'x-forwarded-for': '10.3.0.1' }
    const stream = await fetch(`${world.product.url}/api/events`, { headers })
    const ended = stream.text()
    await crash(300)
    expect(await ended).toContain('hello')
    await becomesReady()
  })

  test('is no different from every connection being terminated, again and again', async () => {
    const [email, ip] = ['terminated@example.com', '10.4.0.1']
    const token = await logIn(email, ip)
    let last = ''
    for (let n = 26; n < 66; n++) {
      const [answer] = await Promise.all([
        call('PATCH', '/api/user', { ip, token, body: { lastName: nameOf(n) } }),
        n % 4
          ? undefined
          : inDatabase('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
      ])
      if (answer.status === 200) last = nameOf(n)
      else if (expectAway(answer) === 'OUTCOME_UNKNOWN') last = ''
    }
    const [row] = await inDatabase('select last_name from account where email = $1', [email])
    if (last) expect(row?.['last_name']).toBe(last)
    expect((await call('GET', '/healthz', {})).status).toBe(200)
    await becomesReady()
  })

  test('is waited for by a process that starts meanwhile, which says so', async () => {
    await world.product.stop()
    await database.crash()
    const waits = Promise.withResolvers<void>()
    const starting = world.restartProduct(printed => printed.includes('waiting for the database') && waits.resolve())
    await waits.promise
    database.start()
    await starting
    await becomesReady()
  })

  test('is not to be confused with an unknown database, at which a start ends at once with one sentence', async () => {
    const url = new URL(database.url)
    url.pathname = '/nowhere'
    const began = performance.now()
    const started = startProcesses({ databaseUrl: url.href, scenario: 'new-seller' })
    await expect(started).rejects.toThrow(
      /The database rejected the connection \(database "nowhere" does not exist\); check DATABASE_URL\.\n$/,
    )
    // Far from the minute for which it would wait.
    expect(performance.now() - began).toBeLessThan(40_000)
  })
})
