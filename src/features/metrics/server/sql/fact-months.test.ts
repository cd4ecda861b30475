import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/open-database.ts'
import { purgeTenant } from '#server/db/purge-tenant.ts'
import type { Db } from '#server/db/tables.ts'
import { dailyRows } from '../../../../../tests/support/daily-rows.ts'
import { isCluster } from '../../../../../tests/support/cluster.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { addFactMonths, turnMonths } from './fact-months.ts'
import { profileDays } from './read-figures.ts'
import { replaceDays } from './replace-days.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const signal = new AbortController().signal
const metrics = sql`impressions, clicks, cost_micros, sales_micros, orders, units`
/** Where the days of a merchant lie, by the name of the partition. */
async function placesOf(system: Db, table: string, merchantId: number): Promise<[day: string, place: string][]> {
  const { rows } = await sql<{ day: string; place: string }>`select date as day, tableoid::regclass::text as place
    from ${sql.table(table)} where merchant_id = ${merchantId} order by date`.execute(system)
  // On a cluster the name ends with the number of a shard.
  return rows.map(({ day, place }) => [day, place.replace(table, '').replace(/_\d{6,}$/, '')])
}

// On a cluster the days move before their tables do.
test.skipIf(isCluster)(
  'the migration moves the days that are there into their months, and keeps days of no sensible month',
  async () => {
    const older = await openTestDatabase()
    const { system } = older
    try {
      await sql`drop schema public cascade`.execute(system)
      await sql`create schema public`.execute(system)
      await migrate(system, '0420')
      // Relative to today, as the months are that the migration makes.
      const months = sql`(values (0), (1), (14), (40), (-400)) as m(n)`
      await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, ${metrics})
      select 1, 1, 1, 1, 1, now()::date - make_interval(months => n), 1, 1, n, 1, 1, 1 from ${months}`.execute(system)
      await sql`insert into running_sum (merchant_id, profile_id, entity, date, key, ${metrics})
      select 1, 1, 'target', now()::date - make_interval(months => n), 1, 1, 1, n, 1, 1, 1 from ${months}`.execute(
        system,
      )
      const stateOf = async (table: string) => {
        const { rows } = await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.table(table)} t
        order by date`.execute(system)
        return rows
      }
      const before = [await stateOf('target_day'), await stateOf('running_sum')]
      expect(await migrate(system)).toContain('0420_metrics_months')
      expect([await stateOf('target_day'), await stateOf('running_sum')]).toEqual(before)
      const inMonth = ([day, place]: [string, string]) => place === `_${day.slice(0, 7).replace('-', '_')}`
      for (const table of ['target_day', 'running_sum']) {
        const places = await placesOf(system, table, 1)
        expect(places.map(one => (inMonth(one) ? 'its month' : one[1]))).toEqual([
          '_rest',
          'its month',
          'its month',
          'its month',
          '_rest',
        ])
      }
    } finally {
      await older.close()
    }
  },
)

describe('on 23 November 2026', () => {
  const today = '2026-11-23'
  const owner = { merchantId: 1, profileId: 1 }
  const importDay = (date: string) =>
    db.tenant(1, tx =>
      replaceDays(
        tx,
        'campaign_day',
        owner,
        { from: date, to: date, adType: 'SPONSORED_PRODUCTS' },
        dailyRows([
          { campaign_id: 1, date, impressions: 9, clicks: 3, cost_micros: 70, sales_micros: 0, orders: 0, units: 0 },
        ]),
      ),
    )

  test('days older than two years are dropped, and others get a month, also if they came before it or with a wrong clock', async () => {
    await addFactMonths(db.system, { from: '2024-10-01', to: '2024-11-01' })
    const days = ['2023-05-01', '2024-10-31', '2024-11-01', '2026-02-14', today, '2031-01-01']
    for (const day of days) await importDay(day)
    await sql`insert into product_sum (merchant_id, profile_id, asin, days, start) values (1, 1, 'B0OLD', 28, '2024-10-03'),
      (1, 1, 'B0OLD', 28, '2024-10-05')`.execute(db.system)
    await sql`insert into day_revision (merchant_id, profile_id, ad_type, date, seen_at, last_seen_at, ${metrics})
      values (1, 1, 'SPONSORED_PRODUCTS', '2024-10-31', now(), now(), 1, 1, 1, 1, 1, 1)`.execute(db.system)
    await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, ${metrics})
      select 1, 1, 1, d, 5, 1, 1, 1, 1, 1, 1 from unnest('{2025-09-30, 2025-10-01}'::date[]) d`.execute(db.system)
    await sql`insert into metrics_state (merchant_id, profile_id, daily_from, hourly_from)
      values (1, 1, '2023-05-01', '2026-01-01')`.execute(db.system)
    expect(await placesOf(db.system, 'campaign_day', 1)).toContainEqual(['2026-02-14', '_rest'])

    const dropped = await turnMonths(db.system, today, signal)
    expect(dropped).toEqual(expect.arrayContaining(['campaign_day_2024_10', 'running_sum_2024_10']))
    // Hours of that month are too old, its days are not.
    expect(dropped.filter(name => !name.endsWith('_2024_10'))).toEqual(['campaign_hour_2024_11'])
    expect(await placesOf(db.system, 'campaign_day', 1)).toEqual([
      ['2024-11-01', '_2024_11'],
      ['2026-02-14', '_2026_02'],
      [today, '_2026_11'],
      ['2031-01-01', '_rest'],
    ])
    expect(await placesOf(db.system, 'campaign_hour', 1)).toEqual([['2025-10-01', '_2025_10']])
    const { rows } = await sql`select (select jsonb_agg(start) from product_sum) as sums,
      (select count(*)::int from day_revision) as revisions, daily_from as "dailyFrom",
      to_char(hourly_from, 'YYYY-MM-DD') as "hourlyFrom" from metrics_state`.execute(db.system)
    expect(rows).toEqual([{ sums: ['2024-10-05'], revisions: 1, dailyFrom: '2024-11-01', hourlyFrom: '2026-01-01' }])
    // The day before it is in the rest, the day after it in a month of its own.
    const sums = await db.tenant(1, tx => profileDays(tx, 1, [1], '2026-11-22', today))
    expect(sums.map(day => [day.date, day.costMicros])).toEqual([
      ['2026-11-22', 0],
      [today, 70],
    ])
    expect(await turnMonths(db.system, today, signal)).toEqual([])
  })

  test('a tenant reads a day again and again through the table, and no month on its own', async () => {
    await importDay(today)
    await importDay('2026-12-01')
    const months = await sql<{ name: string }>`select c.oid::regclass::text as name from pg_class c
      where c.relispartition and c.relkind = 'r' and has_table_privilege('tideline_app', c.oid, 'select')`.execute(
      db.system,
    )
    expect(months.rows).toEqual([])
    const seen = (merchantId: number) =>
      db.tenant(merchantId, async tx => {
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from campaign_day`.execute(tx)
        return rows[0]?.n
      })
    expect([await seen(1), await seen(2)]).toEqual([5, 0])
  })

  test('the sums of a range are read from its months alone', async () => {
    const { rows } = await sql<Record<'QUERY PLAN', string>>`explain (costs off) select * from running_sum
      where merchant_id = 1 and profile_id = 1 and entity = 'campaign' and date between '2026-10-01' and '2026-10-31'`.execute(
      db.system,
    )
    const plan = rows.map(row => row['QUERY PLAN']).join('\n')
    // A coordinator's plan names no tables.
    if (!isCluster) expect(plan).toContain('running_sum_2026_10')
    expect(plan).not.toMatch(/running_sum_(2026_(09|11)|rest)/)
  })

  test('a purge deletes what a merchant has in every month, and nothing of others', async () => {
    await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, ${metrics})
      select m, m, 1, 1, n, d, 1, 1, 1, 1, 1, 1 from generate_series(1, 6000) n, unnest('{2026-09-05, 2026-10-05}'::date[]) d,
        unnest('{7, 8}'::bigint[]) m`.execute(db.system)
    const deleted = await purgeTenant(db.system, 7, [], signal)
    expect(deleted).toEqual({ target_day: 12_000 })
    const { rows } = await sql`select merchant_id as merchant, count(*)::int as days from target_day
      where merchant_id in (7, 8) group by 1`.execute(db.system)
    expect(rows).toEqual([{ merchant: 8, days: 12_000 }])
  })
})
