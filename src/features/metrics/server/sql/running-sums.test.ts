import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { dailyRows } from '../../../../../tests/support/daily-rows.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { noteDailyPart } from './metrics-state.ts'
import { figuresBy, profileBreakdown, profileDays, totalsOf } from './read-figures.ts'
import { type DailyTable, replaceDays } from './replace-days.ts'

const owner = { merchantId: 1, profileId: 1 }
const neighbor = { merchantId: 1, profileId: 2 }
const products = 'SPONSORED_PRODUCTS'
const display = 'SPONSORED_DISPLAY'
/** Ids 1 to 4, in two campaigns, of which 4 is of Sponsored Display; the targets 1 and 2 are keywords. */
const ids = [1, 2, 3, 4]
const adTypeOf = (id: number): AdType => (id === 4 ? display : products)
const idOf = (of: typeof owner, id: number) => of.profileId * 100 + id

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  for (const of of [owner, neighbor])
    for (const id of ids) {
      const row = sql`${of.merchantId}, ${of.profileId}, ${idOf(of, id)}, ${`a${idOf(of, id)}`}`
      const adType = adTypeOf(id)
      await sql`insert into campaign (merchant_id, profile_id, id, amazon_id, ad_type, name, state, targeting_type) values (${row}, ${adType}, 'c', 'ENABLED', 'MANUAL')`.execute(
        db.system,
      )
      await sql`insert into ad_group (merchant_id, profile_id, id, amazon_id, ad_type, campaign_id, name, state) values (${row}, ${adType}, ${idOf(of, id)}, 'g', 'ENABLED')`.execute(
        db.system,
      )
      await sql`insert into product_ad (merchant_id, profile_id, id, amazon_id, ad_type, campaign_id, ad_group_id, state) values (${row}, ${adType}, ${idOf(of, id)}, ${idOf(of, id)}, 'ENABLED')`.execute(
        db.system,
      )
      await sql`insert into target (merchant_id, profile_id, id, amazon_id, ad_type, campaign_id, ad_group_id, kind, text, state) values (${row}, ${adType}, ${idOf(of, id)}, ${idOf(of, id)}, ${id < 3 ? 'KEYWORD' : 'PRODUCT'}, 't', 'ENABLED')`.execute(
        db.system,
      )
    }
})
afterAll(() => db.close())

const keyOf = { campaign_day: 'campaign_id', target_day: 'target_id', ad_day: 'ad_id' } as const
type Table = keyof typeof keyOf

/** Ids that have figures on a day: each begins and pauses somewhere else, and 3 has a single day a month. */
const isActive = (id: number, date: string): boolean => {
  const day = Number(date.slice(8))
  return id === 3 ? day === 17 : (day + id * 3) % 7 < 5
}

// Every other pull is compared as few rows are.
let pulls = 0
async function pull(
  of: typeof owner,
  table: Table,
  from: string,
  to: string,
  factors: number | ((id: number) => number),
  adType: AdType,
) {
  const factorOf = (id: number) => (typeof factors === 'number' ? factors : factors(id))
  const rows = daysOf(from, to).flatMap(date =>
    ids
      .filter(id => adTypeOf(id) === adType && factorOf(id) > 0 && isActive(id, date))
      .map(id => ({
        campaign_id: idOf(of, id),
        ad_group_id: idOf(of, id),
        [keyOf[table]]: idOf(of, id),
        date,
        impressions: factorOf(id) * id,
        clicks: factorOf(id),
        cost_micros: factorOf(id) * Number(date.slice(8)) * 1_000_003,
        sales_micros: factorOf(id) * 7,
        orders: id,
        units: id * 2,
      })),
  )
  await db.tenant(of.merchantId, async tx => {
    const count = pulls++ % 2 ? rows.length : Infinity
    await replaceDays(tx, table satisfies DailyTable, of, { from, to, adType }, dailyRows(rows), count)
    await noteDailyPart(tx, of)
  })
}
async function pullAll(of: typeof owner, from: string, to: string, factor: number, adTypes: AdType[] = [products]) {
  for (const table of Object.keys(keyOf) as Table[])
    for (const adType of adTypes) await pull(of, table, from, to, factor, adType)
}

const entities = {
  campaign: { table: 'campaign_day', key: 'campaign_id' },
  adGroup: { table: 'ad_group_day', key: 'ad_group_id' },
  target: { table: 'target_day', key: 'target_id' },
  keyword: { table: 'target_day', key: 'target_id', kind: sql`t.kind = 'KEYWORD'` },
  otherTarget: { table: 'target_day', key: 'target_id', kind: sql`t.kind <> 'KEYWORD'` },
  ad: { table: 'ad_day', key: 'ad_id' },
} as const
const columns = ['impressions', 'clicks', 'cost_micros', 'sales_micros', 'orders', 'units']

async function summed(what: keyof typeof entities, of: typeof owner, from: string, to: string) {
  const { rows } = await db.tenant(of.merchantId, tx =>
    sql`select key, ${sql.raw(columns.join(', '))} from ${figuresBy(what, of, from, to)} f order by key`.execute(tx),
  )
  return rows
}
async function daily(what: keyof typeof entities, of: typeof owner, from: string, to: string) {
  const { table, key, ...rest } = entities[what]
  const ofKind =
    'kind' in rest
      ? sql`and ${sql.ref(key)} in (select t.id from target t where t.merchant_id = ${of.merchantId} and ${rest.kind})`
      : sql``
  const sums = columns.map(column => `sum(${column})::float8 as ${column}`).join(', ')
  const { rows } = await sql`select ${sql.ref(key)} as key, ${sql.raw(sums)} from ${sql.table(table)}
    where merchant_id = ${of.merchantId} and profile_id = ${of.profileId} and date between ${from} and ${to} ${ofKind}
    group by 1 order by 1`.execute(db.system)
  return rows
}

async function together(what: keyof typeof entities, of: typeof owner, from: string, to: string) {
  const { rows } = await db.tenant(of.merchantId, tx =>
    sql`select ${sql.raw(columns.join(', '))} from ${totalsOf(what, of, from, to)} f`.execute(tx),
  )
  return rows[0]
}
const sumsOf = (rows: readonly unknown[]) =>
  Object.fromEntries(
    columns.map(column => [
      column,
      rows.reduce<number>((sum, row) => sum + (row as Record<string, number>)[column]!, 0),
    ]),
  )

/** Every entity of both accounts over ranges that begin and end anywhere, and the accounts themselves. */
async function expectExact() {
  for (const of of [owner, neighbor])
    for (const [from, length] of ranges) {
      const to = addDays(from, length - 1)
      for (const what of Object.keys(entities) as (keyof typeof entities)[])
        expect([what, from, to, await summed(what, of, from, to)]).toEqual([
          what,
          from,
          to,
          await daily(what, of, from, to),
        ])
      for (const what of Object.keys(entities) as (keyof typeof entities)[])
        expect([what, from, to, await together(what, of, from, to)]).toEqual([
          what,
          from,
          to,
          sumsOf(await daily(what, of, from, to)),
        ])
      const { rows } = await sql<{
        date: string
        cost: number
      }>`select date, sum(cost_micros)::float8 as cost from campaign_day
        where profile_id = ${of.profileId} and date between ${from} and ${to} group by 1`.execute(db.system)
      const costs = new Map(rows.map(row => [row.date, row.cost]))
      const days = await db.tenant(1, tx => profileDays(tx, 1, [of.profileId], from, to))
      expect(days.map(day => [day.date, day.costMicros])).toEqual(
        daysOf(from, to).map(date => [date, costs.get(date) ?? 0]),
      )
      const parts = await db.tenant(1, tx => profileBreakdown(tx, [of], from, to))
      const total = days.reduce((sum, day) => sum + day.costMicros, 0)
      expect(parts.find(part => part.profileId === of.profileId)?.costMicros ?? 0).toBe(total)
    }
}
const ranges = [
  ['2026-01-20', 5],
  ['2026-01-31', 1],
  ['2026-02-01', 28],
  ['2026-02-11', 1],
  ['2026-02-27', 3],
  ['2026-01-15', 60],
  ['2026-03-01', 31],
  ['2026-03-09', 20],
  ['2026-04-01', 7],
] as const

describe('running sums give every range what its days give', () => {
  test('after pulls in disorder: the newest days first, a hole, and the hole filled', async () => {
    await pullAll(neighbor, '2026-01-20', '2026-03-12', 1000, [products, display])
    await pullAll(owner, '2026-03-05', '2026-03-10', 2)
    await expectExact()
    await pullAll(owner, '2026-01-25', '2026-02-03', 3)
    await pullAll(owner, '2026-02-20', '2026-02-22', 4)
    await expectExact()
    await pullAll(owner, '2026-02-01', '2026-03-04', 5)
    await expectExact()
  })

  test('after overlapping and repeated pulls', async () => {
    for (let i = 0; i < 2; i++) await pullAll(owner, '2026-02-11', '2026-02-17', 6)
    await pullAll(owner, '2026-02-15', '2026-03-02', 7)
    await pullAll(owner, '2026-01-31', '2026-02-12', 8)
    await expectExact()
  })

  test('after a pull that changes one entity, and one without which another is left', async () => {
    const all = ['2026-02-11', '2026-03-04'] as const
    await pullAll(owner, ...all, 5)
    for (const table of Object.keys(keyOf) as Table[]) {
      await pull(owner, table, ...all, id => (id === 1 ? 6 : 5), products)
      await expectExact()
      await pull(owner, table, ...all, id => (id === 2 ? 0 : 5), products)
    }
    await expectExact()
  })

  test('after a pull of another ad type over other days', async () => {
    await pullAll(owner, '2026-02-25', '2026-03-14', 9, [display])
    await pullAll(owner, '2026-03-12', '2026-03-13', 2)
    await expectExact()
  })

  test('after a pull without figures, at the end and in the middle', async () => {
    await pullAll(owner, '2026-03-08', '2026-03-14', 0, [products, display])
    await pullAll(owner, '2026-02-16', '2026-02-23', 0)
    await expectExact()
    await pullAll(owner, '2026-03-09', '2026-03-11', 3)
    await expectExact()
  })

  test('and a pull that fails leaves them as they were', async () => {
    const failing = db.tenant(1, async tx => {
      await replaceDays(
        tx,
        'campaign_day',
        owner,
        { from: '2026-02-01', to: '2026-02-05', adType: products },
        dailyRows([]),
      )
      throw new Error('the connection is lost')
    })
    await expect(failing).rejects.toThrow('the connection is lost')
    await expectExact()
  })

  test('the sums of a month end with its last imported day', async () => {
    const { rows } =
      await sql`select to_char(date, 'YYYY-MM') as month, max(date) as last, count(distinct key) filter (where date = m.last) = count(distinct key) as complete
      from running_sum join (select to_char(date, 'YYYY-MM') as of, max(date) as last from running_sum where profile_id = 2 and entity = 'ad' group by 1) m
        on m.of = to_char(date, 'YYYY-MM') where profile_id = 2 and entity = 'ad' group by 1 order by 1`.execute(
        db.system,
      )
    expect(rows).toEqual([
      { month: '2026-01', last: '2026-01-31', complete: true },
      { month: '2026-02', last: '2026-02-28', complete: true },
      { month: '2026-03', last: '2026-03-12', complete: true },
    ])
  })
})
