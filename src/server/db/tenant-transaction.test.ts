import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import type { Database } from './open-database.ts'
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
