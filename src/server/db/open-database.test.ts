import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../../tests/support/database.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'

let db: Database

beforeAll(async () => {
  db = await openTestDatabase()
  await sql`create table probe (merchant_id bigint not null, id bigint not null, name text not null, primary key (merchant_id, id))`.execute(
    db.system,
  )
  await sql`alter table probe enable row level security`.execute(db.system)
  await sql`create policy tenant on probe using (merchant_id = any(current_merchants()))`.execute(db.system)
  await sql`insert into probe values (1, 1, 'one'), (2, 2, 'two')`.execute(db.system)
})
afterAll(() => db.close())

function names(merchants: number | number[]) {
  return db.tenant(merchants, async tx =>
    (await sql<{ name: string }>`select name from probe order by id`.execute(tx)).rows.map(r => r.name),
  )
}

test('migrating again changes nothing', async () => {
  expect(await migrate(db.system)).toEqual([])
})

test('a tenant sees its own rows and no others, whatever the statement asks for', async () => {
  expect(await names(1)).toEqual(['one'])
  expect(await names([1, 2])).toEqual(['one', 'two'])
  expect(await names([])).toEqual([])
})

test('a tenant cannot write rows of another', async () => {
  await expect(db.tenant(1, tx => sql`insert into probe values (2, 3, 'theirs')`.execute(tx))).rejects.toThrow(
    /row-level security/,
  )
  const changed = await db.tenant(1, tx => sql`update probe set name = 'changed' where merchant_id = 2`.execute(tx))
  expect(Number(changed.numAffectedRows)).toBe(0)
})

test('tenants at the same time stay apart, and nothing of them is left afterwards', async () => {
  const seen = await Promise.all([1, 2, 1, 2, 1, 2].map(merchant => names(merchant)))
  expect(seen).toEqual([['one'], ['two'], ['one'], ['two'], ['one'], ['two']])
  const { rows } = await sql<{
    merchants: string | null
  }>`select current_setting('tideline.merchants', true) as merchants`.execute(db.system)
  expect(rows[0]?.merchants || null).toBeNull()
})

test('a notification reaches a listener', async () => {
  const heard = new Promise<string>(
    resolve =>
      void db
        .listen('probe_channel', resolve)
        .then(() => sql`select pg_notify('probe_channel', 'hello')`.execute(db.system)),
  )
  expect(await heard).toBe('hello')
})
