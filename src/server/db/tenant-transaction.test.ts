import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isCluster } from '../../../tests/support/cluster.ts'
import { openTestDatabase } from '../../../tests/support/database.ts'
import type { Database } from './open-database.ts'
import { prepared } from './prepared.ts'
import type { Db } from './tables.ts'
import { raiseVersion } from './tenant-version.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function versionOf(merchantId: number): Promise<number> {
  const { rows } = await sql<{
    version: number
  }>`select version from tenant_version where merchant_id = ${merchantId}`.execute(db.system)
  return rows[0]?.version ?? 0
}
const insertMark = (merchantId: number) => (tx: Db) =>
  sql`insert into metrics_state (merchant_id, profile_id) values (${merchantId}, 1)
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1`.execute(tx)
const marksOf = async (tx: Db) => (await sql`select merchant_id from metrics_state`.execute(tx)).rows

test('a transaction that wrote raises the version of its merchants, one that only read does not', async () => {
  await db.tenant([2, 1], insertMark(1))
  expect([await versionOf(1), await versionOf(2)]).toEqual([1, 1])
  await db.tenant(1, insertMark(1))
  await db.tenant(1, marksOf)
  await db.reading(1, marksOf)
  expect([await versionOf(1), await versionOf(2)]).toEqual([2, 1])
})

test('a transaction that failed raises nothing and leaves nothing behind', async () => {
  const failing = db.tenant(3, async tx => {
    await insertMark(3)(tx)
    throw new Error('broken off')
  })
  await expect(failing).rejects.toThrow('broken off')
  expect(await versionOf(3)).toBe(0)
  expect(await db.reading(3, marksOf)).toEqual([])
})

test('a transaction whose error was swallowed is not reported as saved', async () => {
  const swallowing = db.tenant(4, async tx => {
    await insertMark(4)(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(swallowing).rejects.toThrow(/abort|rolled back/)
  expect(await versionOf(4)).toBe(0)
  await db.tenant(4, insertMark(4))
  expect(await versionOf(4)).toBe(1)
})

test('a reading transaction sees only its merchants and cannot write', async () => {
  await db.tenant(5, insertMark(5))
  await db.tenant(6, insertMark(6))
  expect(await db.reading(5, marksOf)).toEqual([{ merchant_id: 5 }])
  expect(await db.reading([5, 6], marksOf)).toHaveLength(2)
  await expect(db.reading(5, insertMark(5))).rejects.toThrow('read-only')
})

test('neither role nor merchants outlive their transaction, nor reach one opened within it', async () => {
  await db.tenant(5, async () => undefined)
  const { rows } = await sql<{
    role: string
    merchants: string | null
  }>`select current_setting('role') as role, nullif(current_setting('tideline.merchants', true), '') as merchants`.execute(
    db.system,
  )
  expect(rows).toEqual([{ role: 'none', merchants: null }])
})

test('an owner’s transaction raises the version by name, so that it rises once and with it', async () => {
  await db.transaction(tx => raiseVersion(tx, 7))
  await db.transaction(tx => raiseVersion(tx, 7))
  expect(await versionOf(7)).toBe(2)
})

test('writers of one merchant at the same time each raise it, and none waits in a circle', async () => {
  const before = await versionOf(8)
  await Promise.all(Array.from({ length: 12 }, (_, n) => db.tenant(n % 2 ? [8, 9] : [9, 8], insertMark(n % 2 ? 8 : 9))))
  expect([await versionOf(8), await versionOf(9)]).toEqual([before + 12, 12])
})

test('a prepared statement sees the rows of its transaction only, whichever tenant used the connection before', async () => {
  const merchants = [21, 22, 23]
  for (const id of merchants) await db.tenant(id, insertMark(id))
  const read = async (tx: Db, profileId: number) =>
    (
      await sql<{ id: number }>`${prepared}select merchant_id as id from metrics_state
        where profile_id = ${profileId} and merchant_id = any(${merchants}::bigint[]) order by merchant_id`.execute(tx)
    ).rows.map(row => row.id)
  // More often than PostgreSQL plans a statement for its values.
  for (let round = 0; round < 12; round++) {
    for (const id of merchants) expect(await db.reading(id, tx => read(tx, 1))).toEqual([id])
    expect(await db.reading([23, 21], tx => read(tx, 1))).toEqual([21, 23])
    expect(await read(db.system, 1)).toEqual(merchants)
    expect(await db.reading(24, tx => read(tx, 1))).toEqual([])
  }
  const atOnce = await Promise.all(
    Array.from({ length: 60 }, (_, n) => db.reading(merchants[n % 3] ?? 0, tx => read(tx, 1))),
  )
  expect(atOnce).toEqual(atOnce.map((_, n) => [merchants[n % 3]]))
})

test('more prepared statements than a connection keeps are still answered, also in a transaction that failed', async () => {
  await db.tenant(25, insertMark(25))
  const read = (tx: Db, n: number) =>
    sql<{ n: number }>`${prepared}select ${sql.lit(n)}::int as n from metrics_state where merchant_id = ${25}`.execute(
      tx,
    )
  for (let round = 0; round < 2; round++)
    await db.reading(25, async tx => {
      for (let n = 0; n < 90; n++) expect((await read(tx, n)).rows).toEqual([{ n }])
    })
  const failed = db.reading(25, async tx => {
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
    for (let n = 100; n < 170; n++) await read(tx, n).catch(() => undefined)
    throw new Error('broken off')
  })
  await expect(failed).rejects.toThrow('broken off')
  for (const start of [0, 100])
    await db.reading(25, async tx => {
      for (let n = start; n < start + 70; n++) expect((await read(tx, n)).rows).toEqual([{ n }])
    })
})

test('a reading transaction that failed or read nothing leaves neither tenant nor role on its connection', async () => {
  for (let round = 0; round < 12; round++) {
    await db.reading(1, async () => undefined)
    const failing = db.reading(1, tx => sql`select 1 / 0`.execute(tx))
    await expect(failing).rejects.toThrow('division by zero')
    const writing = db.reading(1, insertMark(1))
    await expect(writing).rejects.toThrow('read-only')
    const { rows } = await sql<{
      isOwner: boolean
      merchants: string | null
    }>`select current_user = session_user as "isOwner",
      nullif(current_setting('tideline.merchants', true), '') as merchants`.execute(db.system)
    expect(rows).toEqual([{ isOwner: true, merchants: null }])
  }
})

// The embedded database has one connection, whose transaction ends with the first failure.
// So have the readings of a cluster.
test.skipIf(process.env.TEST_DATABASE_URL === undefined || isCluster)(
  'statements sent at once on one connection each see their own merchants, whatever fails between them',
  async () => {
    const merchants = [31, 32, 33]
    for (const id of merchants) await db.tenant(id, insertMark(id))
    const own = async (tx: Db) =>
      (
        await sql<{
          id: number
          role: string
        }>`${prepared}select merchant_id as id, current_user as role from metrics_state
        where merchant_id = any(${merchants}::bigint[])`.execute(tx)
      ).rows
    const all = merchants.flatMap(id => Array.from({ length: 12 }, () => id))
    const answers = await Promise.all(
      all.map(id =>
        db.reading(id, tx =>
          Promise.all([
            own(tx),
            sql`${prepared}select * from there_is_no_such_table where merchant_id = ${id}`
              .execute(tx)
              .catch(() => 'failed'),
            own(tx),
            insertMark(id)(tx).catch(() => 'refused'),
            own(tx),
          ]),
        ),
      ),
    )
    const seen = (id: number) => [{ id, role: 'tideline_app' }]
    expect(answers).toEqual(all.map(id => [seen(id), 'failed', seen(id), 'refused', seen(id)]))
    // The same connections, as the owner again.
    const owners = await Promise.all(Array.from({ length: 12 }, () => own(db.system)))
    expect(owners.map(rows => rows.length)).toEqual(Array(12).fill(3))
    expect(new Set(owners.flat().map(({ role }) => role))).not.toContain('tideline_app')
  },
)
