import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import { createLog } from '../log/log.ts'
import { createLease, LeaseLost } from './lease.ts'
import type { Database } from './open-database.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  await sql`create table task (id int primary key, done_by text, leased_until timestamptz, leased_by text)`.execute(
    db.system,
  )
})
beforeEach(async () => {
  await sql`delete from task`.execute(db.system)
  await sql`insert into task (id) values (1), (2)`.execute(db.system)
})
afterEach(() => void vi.useRealTimers())
afterAll(() => db.close())

const log = createLog({ level: 'silent' })
async function taskRow() {
  const { rows } = await sql<{ doneBy: string | null; until: string | null }>`select done_by as "doneBy",
    leased_until::text as until from task where id = 1`.execute(db.system)
  return rows[0]
}
const takeAway = () =>
  sql`update task set leased_until = now() + interval '1 hour', leased_by = 'another'`.execute(db.system)

// Both kinds of rows: those that name the holder and those that only say until when they are leased.
describe.each([
  ['names its holder', { holder: 'leased_by' }],
  ['has no column for its holder', {}],
])('a lease on a row that %s', (_kind, columns) => {
  let transactions = 0
  const lease = (seconds = 60) =>
    createLease({
      table: 'task' as never,
      key: { id: 1 },
      until: 'leased_until',
      ...columns,
      seconds,
      transact: run => {
        transactions += 1
        return db.transaction(run)
      },
    })
  /** A lease that was taken and has run out. */
  const expiredLease = async () => {
    const expired = lease(0.001)
    await expired.take()
    await sleep(10)
    return expired
  }
  const markDone = (by: string) => (tx: Database['system']) =>
    sql`update task set done_by = ${by} where id = 1`.execute(tx)

  test('belongs to one worker at a time', async () => {
    const [first, second] = [lease(), lease()]
    const taken = await Promise.all([first.take(), second.take()])
    expect(taken.filter(Boolean)).toHaveLength(1)
    await (taken[0] ? first : second).release()
    expect(await (taken[0] ? second : first).take()).toBe(true)
  })

  test('is taken only if the row meets the condition', async () => {
    expect(await lease().take(sql`done_by is not null`)).toBe(false)
    expect(await lease().take(sql`done_by is null`)).toBe(true)
  })

  test('can be renewed after it has run out, as long as nobody took it', async () => {
    const worker = await expiredLease()
    await worker.write(markDone('worker'))
    expect(await taskRow()).toMatchObject({ doneBy: 'worker' })
  })

  test('keeps a worker that lost it from touching the row', async () => {
    const [late, other] = [await expiredLease(), lease()]
    expect(await other.take()).toBe(true)
    await expect(late.write(markDone('late'))).rejects.toThrow(LeaseLost)
    await expect(late.renew()).rejects.toThrow(LeaseLost)
    await expect(late.ensure()).rejects.toThrow(LeaseLost)
    await late.release()
    expect(await lease().take()).toBe(false)
    await other.write(markDone('other'))
    expect(await taskRow()).toMatchObject({ doneBy: 'other' })
  })

  test('does not count as renewed when the transaction fails', async () => {
    const worker = await expiredLease()
    await expect(worker.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await lease().take()).toBe(true)
    await expect(worker.renew()).rejects.toThrow(LeaseLost)
  })

  test('asks the database only if the lease may have run out', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const worker = lease()
    await worker.take()
    transactions = 0
    await worker.ensure()
    expect(transactions).toBe(0)
    vi.advanceTimersByTime(60_000)
    await worker.ensure()
    expect(transactions).toBe(1)
  })

  test('is renewed regularly until it is lost', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const worker = lease()
    await worker.take()
    worker.keepRenewing(log)
    const first = (await taskRow())?.until
    vi.advanceTimersByTime(20_000)
    await waitUntil(async () => expect((await taskRow())?.until).not.toBe(first))
    await takeAway()
    vi.advanceTimersByTime(20_000)
    await waitUntil(() => expect(vi.getTimerCount()).toBe(0))
  })

  test('is no longer renewed once the signal aborts', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const process = new AbortController()
    const worker = lease()
    await worker.take()
    worker.keepRenewing(log, process.signal)
    expect(vi.getTimerCount()).toBe(1)
    process.abort()
    expect(vi.getTimerCount()).toBe(0)
  })
})
