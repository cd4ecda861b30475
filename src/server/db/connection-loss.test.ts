import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startOwnPostgres } from '../../../tests/support/postgres-server.mjs'
import { notingSaves } from './connection-loss.ts'
import { migrate } from './migrate.ts'
import { type Database, openServer } from './open-database.ts'
import type { Db } from './tables.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

// The embedded database has no connections to lose, and only the step with a server is sure to find PostgreSQL installed.
const isServerStep = process.env.TEST_DATABASE_URL !== undefined
if (!isServerStep)
  process.stdout.write('Lost connections to PostgreSQL are tested in the step that has a PostgreSQL server.\n')

describe.skipIf(!isServerStep)('a database server that goes away', () => {
  let server: Awaited<ReturnType<typeof startOwnPostgres>>
  let admin: pg.Client
  let db: Database
  const connectAdmin = async () => {
    admin = new pg.Client({ connectionString: server.url })
    admin.on('error', () => undefined)
    await admin.connect()
  }
  const crash = async () => {
    await server.crash()
    server.start()
  }
  beforeAll(async () => {
    server = await startOwnPostgres()
    db = await openServer(server.url)
    await migrate(db.system)
    await sql`create table written (text text primary key)`.execute(db.system)
    await sql`grant all on written to tideline_app`.execute(db.system)
    await connectAdmin()
  })
  afterAll(async () => {
    await db.close()
    await admin.end()
    await server.stop()
  })

  const insert = (text: string) => (on: Db) => sql`insert into written values (${text})`.execute(on)
  const isWritten = async (text: string, on: Db = db.system): Promise<boolean> =>
    (await sql`select from written where text = ${text}`.execute(on)).rows.length > 0
  const comesBack = () => vi.waitFor(async () => expect(await db.ping()).toBe(true), { timeout: 20_000, interval: 50 })
  const terminateOthers = (where = 'true') =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database() and ${where}`,
    )

  test('a connection that is ended within a transaction undoes it and says so; the next one works', async () => {
    const broken = db.transaction(async tx => {
      await insert('half')(tx)
      await terminateOthers()
      // Nothing waits for an answer while the server hangs up.
      await new Promise(resolve => setTimeout(resolve, 200))
      await insert('other half')(tx)
    })
    await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 })
    expect([await isWritten('half'), await isWritten('other half')]).toEqual([false, false])
  })

  test('connections that are ended while they lie idle are replaced without a word', async () => {
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.1)`.execute(db.system)))
    await terminateOthers()
    await vi.waitFor(() => db.transaction(insert('after idle')), { timeout: 5000 })
    expect(await isWritten('after idle')).toBe(true)
  })

  test('a statement that is ended while it runs may be sent again where it only read, and is unclear where it wrote', async () => {
    const running = [
      sql`select pg_sleep(30)`.execute(db.system),
      sql`insert into written select 'unclear' from pg_sleep(30)`.execute(db.system),
      db.transaction(tx => sql`insert into written select 'undone' from pg_sleep(30)`.execute(tx)),
      db.reading([], tx => sql`select pg_sleep(30)`.execute(tx)),
    ]
    const ended = Promise.all(running.map(one => one.catch((error: unknown) => (error as { code: string }).code)))
    await waitUntil(async () => {
      const { rowCount } = await admin.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)
      expect(rowCount).toBe(4)
    })
    await terminateOthers()
    expect(await ended).toEqual(['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'UNAVAILABLE', 'UNAVAILABLE'])
  })

  test('a call that saved something before it lost the connection is unclear, and one that only read is not', async () => {
    const lost = async (first: () => Promise<unknown>) => {
      const call = notingSaves(async () => {
        await first()
        await Promise.all([
          sql`select pg_sleep(30)`.execute(db.system),
          waitUntil(async () => expect((await terminateOthers(`wait_event = 'PgSleep'`)).rowCount).toBe(1)),
        ])
      })
      return call.catch((error: unknown) => (error as { code: string }).code)
    }
    const ways: [string, () => Promise<unknown>][] = [
      ['OUTCOME_UNKNOWN', () => db.transaction(insert('saved first'))],
      ['OUTCOME_UNKNOWN', () => db.tenant(1, insert('saved as tenant'))],
      ['OUTCOME_UNKNOWN', () => insert('saved alone')(db.system)],
      ['UNAVAILABLE', () => db.transaction(tx => isWritten('saved first', tx))],
      ['UNAVAILABLE', () => db.reading([], tx => isWritten('saved first', tx))],
      ['UNAVAILABLE', () => isWritten('saved first')],
    ]
    for (const [code, first] of ways) expect(await lost(first), first.toString()).toBe(code)
  })

  test('while no server is there each call fails at once, and none ends the process', async () => {
    await server.crash()
    expect(await db.ping()).toBe(false)
    const began = performance.now()
    await expect(db.transaction(insert('never'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(db.system.selectNoFrom(sql`1`.as('one')).execute()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(performance.now() - began).toBeLessThan(2000)
    server.start()
    await comesBack()
    await connectAdmin()
    expect(await isWritten('never')).toBe(false)
  })

  test('under load nothing acknowledged is lost, and nothing is there that was said not to be', async () => {
    const acknowledged: string[] = []
    const denied: string[] = []
    const unclear: string[] = []
    let isOver = false
    const ways: ((text: string) => Promise<unknown>)[] = [
      text => db.transaction(insert(text)),
      text => insert(text)(db.system),
      text => db.tenant(1, insert(text)),
    ]
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n++) {
        const text = `${writer} ${n}`
        try {
          await ways[n % ways.length]?.(text)
          acknowledged.push(text)
        } catch (error) {
          const { code } = error as { code: string }
          expect(['UNAVAILABLE', 'OUTCOME_UNKNOWN']).toContain(code)
          ;(code === 'UNAVAILABLE' ? denied : unclear).push(text)
          await new Promise(resolve => setTimeout(resolve, 20))
        }
      }
    }
    const writers = Array.from({ length: 12 }, (_, writer) => write(writer))
    for (let round = 0; round < 3; round++) {
      const before = acknowledged.length
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(before + 100), { timeout: 20_000 })
      await crash()
    }
    await comesBack()
    isOver = true
    await Promise.all(writers)
    await connectAdmin()
    const { rows } = await admin.query<{ text: string }>('select text from written')
    const there = new Set(rows.map(row => row.text))
    expect(acknowledged.filter(text => !there.has(text))).toEqual([])
    expect(denied.filter(text => there.has(text))).toEqual([])
    expect(denied.length).toBeGreaterThan(0)
  })

  test('a listener hears that it may have missed something, and then hears again', async () => {
    const heard: string[] = []
    let gaps = 0
    const listening = await db.listen('probe', payload => void heard.push(payload), { onGap: () => gaps++ })
    await crash()
    await comesBack()
    await vi.waitFor(() => expect(gaps).toBe(1), { timeout: 10_000 })
    await sql`select pg_notify('probe', 'hello')`.execute(db.system)
    await waitUntil(() => expect(heard).toEqual(['hello']))
    await listening.stop()
    await connectAdmin()
  })

  describe('a connection that is cut at the commit', () => {
    let door: Server
    let through: Database
    /** Whether the server still hears the commit. */
    let passesOn = true
    const open = new Set<Socket>()
    beforeAll(async () => {
      const { port } = new URL(server.url)
      door = createServer(visitor => {
        const inner = connect(Number(port), '127.0.0.1')
        open.add(visitor)
        inner.on('error', () => visitor.destroy()).on('close', () => visitor.destroy())
        visitor.on('error', () => inner.destroy()).on('close', () => inner.destroy())
        let isCut = false
        inner.on('data', part => isCut || visitor.write(part))
        visitor.on('data', part => {
          isCut ||= part.includes('commit')
          if (isCut && !passesOn) return visitor.destroy()
          inner.write(part)
          if (isCut) setTimeout(() => visitor.destroy(), 100)
        })
      })
      await new Promise<void>(resolve => door.listen(0, '127.0.0.1', resolve))
      through = await openServer(`postgres://postgres@127.0.0.1:${(door.address() as AddressInfo).port}/postgres`)
    })
    afterAll(async () => {
      await through.close()
      open.forEach(visitor => visitor.destroy())
      door.close()
    })

    test.each([
      ['is kept, of which nobody hears', true],
      ['never arrives', false],
    ])('is unclear: it %s', async (_, isKept) => {
      passesOn = isKept
      const text = `cut ${isKept}`
      await expect(through.transaction(insert(text))).rejects.toMatchObject({
        code: 'OUTCOME_UNKNOWN',
        message: expect.stringContaining('Check whether your change is there'),
      })
      await waitUntil(async () => expect(await isWritten(text)).toBe(isKept))
    })

    test('is none of a reader’s: it sends no commit', async () => {
      for (let n = 0; n < 3; n++) await expect(through.reading([], tx => isWritten('x', tx))).resolves.toBe(false)
      expect([...open].some(visitor => !visitor.destroyed)).toBe(true)
    })
  })

  describe('at the start', () => {
    test('a server that is still coming up is waited for, and the reason is given', async () => {
      await server.crash()
      const reasons: string[] = []
      const opening = openServer(server.url, { waitMs: 30_000, onWait: reason => void reasons.push(reason) })
      await waitUntil(() => expect(reasons).toHaveLength(1))
      server.start()
      const opened = await opening
      expect(await opened.ping()).toBe(true)
      expect(reasons[0]).toMatch(/ECONNREFUSED|starting up/)
      await opened.close()
      await comesBack()
    })

    test('one that never comes up is given up after the time allowed', async () => {
      const nobody = new URL(server.url)
      nobody.port = '1'
      const began = performance.now()
      await expect(openServer(nobody.href, { waitMs: 1200 })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
      expect(performance.now() - began).toBeGreaterThan(1200)
    })

    test('one that hangs up without a word is waited for as well', async () => {
      const rude = createServer(visitor => visitor.destroy())
      await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
      const url = `postgres://postgres@127.0.0.1:${(rude.address() as AddressInfo).port}/postgres`
      const began = performance.now()
      await expect(openServer(url, { waitMs: 1200 })).rejects.toMatchObject({ code: 'ECONNRESET' })
      expect(performance.now() - began).toBeGreaterThan(1200)
      rude.close()
    })

    test('an unknown database or host is given up at once', async () => {
      const [base, host] = [new URL(server.url), new URL(server.url)]
      base.pathname = '/nowhere'
      host.hostname = 'nowhere.invalid'
      const began = performance.now()
      await expect(openServer(base.href, { waitMs: 30_000 })).rejects.toMatchObject({ code: '3D000' })
      await expect(openServer(host.href, { waitMs: 30_000 })).rejects.toMatchObject({ code: 'ENOTFOUND' })
      expect(performance.now() - began).toBeLessThan(15_000)
    })
  })
})
