import { loadModule } from 'libpg-query'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Kind } from '#server/db/distribute/plan.ts'
import { breachesOf, type Rule, type Schema } from './rules.ts'

const kinds: Record<string, Kind> = {
  campaign: 'distributed',
  target: 'distributed',
  plan: 'reference',
  account: 'local',
  tenant_version: 'managed',
}
const volatilities: Record<string, 'volatile' | 'stable'> = {
  now: 'stable',
  to_jsonb: 'stable',
  random: 'volatile',
  jsonb_build_object: 'stable',
}
const schema: Schema = {
  column: 'merchant_id',
  kindOf: table => kinds[table] ?? null,
  volatilityOf: name => volatilities[name] ?? 'immutable',
  isTime: column => column === 'ends_on',
}
const found = (text: string): string[] => breachesOf(text, schema).map(({ rule, what }) => `${rule} ${what}`)

beforeAll(() => loadModule())

const tied = 't.merchant_id = $1'
/** For each rule what breaks it, with what is named, and the same as it should be. */
const cases: [Rule, what: string, broken: string, right: string][] = [
  [
    'untied',
    'campaign',
    'select 1 from campaign where id = $1',
    'select 1 from campaign where merchant_id = $2 and id = $1',
  ],
  [
    'untied',
    'campaign',
    'select 1 from campaign t where t.merchant_id = $1 or t.id = $2',
    `select 1 from campaign t where ${tied} and (t.id = $2 or t.id = $3)`,
  ],
  [
    'untied',
    'target',
    `select 1 from campaign t join target x on x.campaign_id = t.id where ${tied}`,
    `select 1 from campaign t join target x on x.merchant_id = t.merchant_id and x.campaign_id = t.id where ${tied}`,
  ],
  [
    'untied',
    'target',
    `select 1 from campaign t left join target x using (id) where ${tied}`,
    `select 1 from campaign t left join target x using (merchant_id, id) where ${tied}`,
  ],
  [
    'untied',
    'target',
    `select 1 from campaign t join target x on (x.merchant_id, x.id) = (t.id, t.merchant_id) where ${tied}`,
    `select 1 from campaign t join target x on (x.merchant_id, x.id) = (t.merchant_id, t.id) where ${tied}`,
  ],
  [
    'untied',
    'target',
    `with c as (select * from campaign t where ${tied}) select 1 from c join target x on x.merchant_id = c.merchant_id`,
    `with c as (select * from campaign t where ${tied}) select 1 from c join target x on x.merchant_id = $2`,
  ],
  [
    'untied',
    'target',
    `select 1 from campaign t where ${tied} union all select 1 from target`,
    `select 1 from campaign t where ${tied} union all select 1 from target where merchant_id = $1::bigint`,
  ],
  [
    'untied',
    'campaign',
    'update campaign t set name = u.name from unnest($1, $2) as u(merchant_id, name) where t.merchant_id = u.merchant_id',
    'update campaign t set name = u.name from unnest($2) as u(name) where t.merchant_id = $1',
  ],
  [
    'untied',
    'target',
    'delete from campaign t using target x where x.id = t.id and t.merchant_id = 7',
    'delete from campaign t using target x where x.merchant_id = t.merchant_id and t.merchant_id = 7',
  ],
  [
    'untied',
    'target',
    'insert into campaign (merchant_id, id) select $1, id from target',
    'insert into campaign (merchant_id, id) select $1, id from target where merchant_id = $1',
  ],
  [
    'correlated',
    'target',
    `select (select count(*) from target x where x.merchant_id = t.merchant_id) from campaign t where ${tied}`,
    `select (select count(*) from target x where x.merchant_id = $1) from campaign t where ${tied}`,
  ],
  [
    'correlated',
    'target',
    `select 1 from campaign t cross join lateral (select 1 from target x where x.merchant_id = t.merchant_id limit 1) l where ${tied}`,
    `select 1 from campaign t cross join lateral (select 1 from target x where x.merchant_id = $1 limit 1) l where ${tied}`,
  ],
  [
    'many',
    'campaign',
    'select 1 from campaign t join target x on x.merchant_id = t.merchant_id where t.merchant_id = any($1)',
    `select 1 from campaign t join target x on x.merchant_id = t.merchant_id where ${tied}`,
  ],
  [
    'many',
    'target',
    'select 1 from campaign t join target x using (merchant_id) where t.merchant_id in ($1, $2)',
    'select 1 from campaign t join target x using (merchant_id) where t.merchant_id in ($1)',
  ],
  [
    'local',
    'account',
    `select (select email from account limit 1) from campaign t where ${tied}`,
    `select (select name from plan limit 1) from campaign t where ${tied}`,
  ],
  [
    'local',
    'account',
    `with done as (update account set at = null returning *) select 1 from done left join campaign t on ${tied}`,
    'with done as (update account set at = null returning *) select 1 from done',
  ],
  [
    'local',
    'account',
    `delete from account using campaign t where ${tied}`,
    'delete from account using tenant_version v where v.merchant_id = $1',
  ],
  [
    'conflict',
    'ON CONFLICT',
    'insert into campaign (merchant_id) select $1 on conflict (id) do update set name = $2',
    'insert into campaign (merchant_id, name) select $1, $2 on conflict (id) do update set name = excluded.name',
  ],
  [
    'conflict',
    'ON CONFLICT',
    'insert into campaign (merchant_id) select $1 on conflict (id) do update set id = 1 where campaign.id < $2',
    'insert into campaign (merchant_id) values ($1) on conflict (id) do update set id = 1 where campaign.id < $2',
  ],
  [
    'inserted',
    'VALUES',
    'insert into campaign (merchant_id, name) values ($1, (select name from plan))',
    'insert into campaign (merchant_id, name) select $1, name from plan',
  ],
  [
    'unstable',
    'random',
    `update campaign t set id = random() where ${tied}`,
    `update campaign t set id = $2 where ${tied}`,
  ],
  [
    'unstable',
    'now',
    `update campaign t set at = coalesce(at, now()) where ${tied}`,
    `update campaign t set at = now() where ${tied}`,
  ],
  [
    'unstable',
    'now',
    `update campaign t set at = case when id = 1 then now() end where ${tied}`,
    `update campaign t set at = (select case when t.id = 1 then now() end) where ${tied}`,
  ],
  [
    'unstable',
    'to_jsonb',
    `update campaign t set base = to_jsonb(t.name) where ${tied}`,
    `update campaign t set base = to_jsonb($2::text) where ${tied}`,
  ],
  [
    'unstable',
    'to_jsonb',
    `delete from campaign t where to_jsonb(t.name) = $2 and ${tied}`,
    `delete from campaign t where to_jsonb($3::text) = $2 and ${tied}`,
  ],
  [
    'unstable',
    'now',
    'insert into campaign (merchant_id) values ($1) on conflict (id) do update set at = now()',
    'insert into campaign (merchant_id, at) values ($1, now()) on conflict (id) do update set at = excluded.at',
  ],
  [
    'unstable',
    'jsonb_build_object',
    `update campaign t set id = 1 where ${tied} returning jsonb_build_object('id', id)`,
    `update campaign t set id = 1 where ${tied} returning id`,
  ],
  [
    'unstable',
    'ends_on::',
    `update campaign t set id = 1 where ${tied} returning t.ends_on::text`,
    `update campaign t set id = 1 where ${tied} returning t.ends_on`,
  ],
]

test.each(cases)('%s: names %s in “%s”', (rule, what, broken, right) => {
  expect(found(broken)).toContain(`${rule} ${what}`)
  expect(found(right)).toEqual([])
})

test('a breach says where in the statement it is', () => {
  const text = `select 1 from campaign t, target where ${tied}`
  expect(breachesOf(text, schema)).toEqual([{ rule: 'untied', what: 'target', at: text.indexOf('target') }])
})

describe('what the rules are not about', () => {
  test.each([
    ['tables that are not distributed', 'select 1 from account a join plan p on p.id = a.plan_id'],
    ['one table read for several merchants', 'select 1 from campaign where merchant_id = any($1::bigint[])'],
    [
      'a WITH query of the name of a table',
      `with target as (select 1 from campaign t where ${tied}) select 1 from target`,
    ],
    ['an update of a local table', 'update account set at = coalesce(at, now()) returning now()'],
    [
      'an inner query that is tied itself',
      `select (select name from target x where x.merchant_id = $2 and x.id = t.id) from campaign t where ${tied}`,
    ],
  ])('%s', (_, text) => expect(found(text)).toEqual([]))
})

test('what is no statement of PostgreSQL 15 is an error', () => {
  expect(() => found('select 1 frm campaign')).toThrow('syntax error')
  expect(() => found('insert into campaign values (1) returning with (old as o) o.id')).toThrow('syntax error')
})
