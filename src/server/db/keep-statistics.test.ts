import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analyzeChanged, vacuumChanged } from './keep-statistics.ts'
import { type Database, openEmbedded } from './open-database.ts'

let db: Database
beforeAll(async () => {
  db = await openEmbedded()
  await sql`create table probe (id bigint primary key)`.execute(db.system)
})
afterAll(() => db.close())

const add = (from: number, to: number) =>
  db.transaction(tx => sql`insert into probe select generate_series(${from}::int, ${to}::int)`.execute(tx))
const rowsPlannedFor = async () => {
  const { rows } = await sql<{ n: number }>`select reltuples as n from pg_class where relname = 'probe'`.execute(
    db.system,
  )
  return rows[0]?.n
}

test('a table is analyzed once it has changed by more than a tenth, and not again while it stays as it is', async () => {
  expect(await analyzeChanged(db.system)).toEqual([])
  await add(1, 1000)
  expect([await analyzeChanged(db.system), await rowsPlannedFor()]).toEqual([['probe'], 1000])
  await add(1001, 1150)
  expect(await analyzeChanged(db.system)).toEqual([])
  await add(1151, 1200)
  expect([await analyzeChanged(db.system), await rowsPlannedFor()]).toEqual([['probe'], 1200])
})

test('a table is vacuumed once a fifth of it was added or is dead, and not again while it stays as it is', async () => {
  const isVacuumed = async () => (await vacuumChanged(db.system)).includes('public.probe')
  await add(1201, 3000)
  expect([await isVacuumed(), await isVacuumed()]).toEqual([true, false])
  await db.transaction(tx => sql`delete from probe where id <= 500`.execute(tx))
  expect(await isVacuumed()).toBe(false)
  await db.transaction(tx => sql`delete from probe where id <= 1000`.execute(tx))
  expect([await isVacuumed(), await isVacuumed()]).toEqual([true, false])
})
