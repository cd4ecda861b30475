import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localTables, managedTables, referenceTables } from '#server/db/distribute/tables.ts'
import type { Database } from '#server/db/open-database.ts'
import { brokenRules, type DistributionRules } from './support/distribution-rules.ts'
import { openTestDatabase } from './support/database.ts'

const local = [...localTables, ...managedTables]
const rules: DistributionRules = { column: 'merchant_id', reference: referenceTables, local }

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function namesOf(condition: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and ${sql.raw(condition)} order by 1`.execute(
    db.system,
  )
  return rows.map(row => row.name)
}

test('every tenant table can be distributed by merchant', async () => {
  expect(await brokenRules(db.system, rules)).toEqual([])
})

test('every tenant table has row-level security with a policy', async () => {
  const shared = [...referenceTables, ...local]
  const open = await namesOf(
    'not (c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd = $$*$$))',
  )
  expect(open.filter(name => !shared.includes(name))).toEqual([])
})

test('a partition, which has no policy, is out of reach of a tenant', async () => {
  const { rows } = await sql<{ name: string; reachable: boolean }>`select c.relname as name,
      has_table_privilege('tideline_app', c.oid, 'select, insert, update, delete') as reachable
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relispartition and c.relkind = 'r'`.execute(
    db.system,
  )
  expect(rows.map(row => row.name)).toContain('target_day_rest')
  expect(rows.filter(row => row.reachable)).toEqual([])
})

test('every policy reads the tenant once a statement, not for each row', async () => {
  const { rows } = await sql<{ name: string }>`select polrelid::regclass::text as name from pg_policy
    where pg_get_expr(polqual, polrelid) like '%ANY (current_merchants())%'`.execute(db.system)
  expect(rows).toEqual([])
})

test('the lists of shared tables name existing tables only', async () => {
  const all = await namesOf('true')
  expect([...referenceTables, ...local].filter(name => !all.includes(name))).toEqual([])
})

describe('the rules report', () => {
  const cases: [what: string, ddl: string[], found: string][] = [
    ['a key without the merchant', ['create table x (merchant_id bigint not null, id bigint primary key)'], 'x_pkey'],
    ['a table without a merchant', ['create table x (id bigint)'], 'x: no merchant_id'],
    ['a merchant of another type', ['create table x (merchant_id int not null)'], 'several types'],
    ['a merchant that may be missing', ['create table x (merchant_id bigint)'], 'x.merchant_id: nullable'],
    [
      'a foreign key to a user',
      ['create table x (merchant_id bigint not null, account_id bigint references account (id))'],
      'local table account',
    ],
    [
      'a foreign key without the merchant',
      [
        'create table y (merchant_id bigint not null, id bigint not null, primary key (merchant_id, id))',
        'create unique index y_id on y (id)',
        'create table x (merchant_id bigint not null, y_id bigint references y (id))',
      ],
      'lacks the pair',
    ],
    [
      'a foreign key that sets the merchant to null',
      [
        'create table x (merchant_id bigint not null, campaign_id bigint, foreign key (merchant_id, campaign_id) references campaign (merchant_id, id) on delete set null)',
      ],
      'set null',
    ],
    [
      'a trigger',
      [
        "create function f() returns trigger language plpgsql as 'begin return new; end'",
        'create trigger tr before insert on campaign for each row execute function f()',
      ],
      'trigger tr',
    ],
    [
      'an identity column of type integer',
      ['create table x (merchant_id bigint not null, id int generated always as identity)'],
      'sequence on integer',
    ],
    ['a materialized view', ['create materialized view v as select merchant_id from campaign'], 'v: materialized view'],
  ]
  for (const [what, ddl, found] of cases)
    test(what, async () => {
      class Undo extends Error {}
      const attempt = db.transaction(async tx => {
        for (const statement of ddl) await sql.raw(statement).execute(tx)
        expect((await brokenRules(tx, rules)).join('\n')).toContain(found)
        throw new Undo()
      })
      await expect(attempt).rejects.toThrow(Undo)
    })
})
