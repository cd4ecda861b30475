import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { dailyRows } from '../../../../../tests/support/daily-rows.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { productSales, productSums, rollUpProducts } from './read-products.ts'
import { replaceDays } from './replace-days.ts'
import { replaceProductTrade } from './replace-trade.ts'
import { searchTermsBy } from './search-term-figures.ts'

const owner = { merchantId: 1, profileId: 1 }

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

describe('the sums of products', () => {
  const account = { ...owner, marketplaceId: 1 }
  const sold = (date: string, asin: string, units: number) => ({
    date,
    asin,
    units,
    salesMicros: units * 2_000_000,
    sessions: 0,
    pageViews: 0,
  })
  const ad = (date: string, id: number, asin: string | null, cost: number) => ({
    campaign_id: 1,
    ad_group_id: 1,
    ad_id: id,
    asin,
    date,
    impressions: 0,
    clicks: 0,
    cost_micros: cost,
    sales_micros: 0,
    orders: 0,
    units: 0,
  })
  const dayNumber = (date: string) => Number(date.slice(8))
  async function sums(spans: { from: string; to: string }[]) {
    const { rows } = await sql<{ asin: string; span: number; cost: number; units: number; sales: number }>`
      select asin, span, cost_micros as cost, total_units as units, total_sales_micros as sales
      from ${productSums(account, spans)} s order by asin, span`.execute(db.system)
    return rows
  }

  async function sales(spans: { from: string; to: string }[]) {
    const { rows } = await sql<{ asin: string; span: number; units: number; sales: number }>`
      select asin, span, total_units as units, total_sales_micros as sales
      from ${productSales(account, spans)} s where total_units <> 0 order by asin, span`.execute(db.system)
    return rows
  }

  test('are those of the days, wherever a range begins and ends, after days were replaced in any order', async () => {
    const days = daysOf('2026-01-20', '2026-04-20')
    await db.tenant(1, async tx => {
      const covered = { from: '2026-01-20', to: '2026-04-20', adType: 'SPONSORED_PRODUCTS' } as const
      const rows = days.flatMap(date => [
        ad(date, 1, 'A', dayNumber(date)),
        ad(date, 2, 'A', 100),
        ad(date, 3, null, 1),
      ])
      await replaceDays(tx, 'ad_day', owner, covered, dailyRows(rows), rows.length)
      await rollUpProducts(tx, account, covered)
      // The newest day comes first, as the import has it, and one day comes twice.
      for (const date of [...days.toReversed(), '2026-02-10']) {
        await replaceProductTrade(tx, account, date, [sold(date, 'A', 1), sold(date, 'B', dayNumber(date))])
        await rollUpProducts(tx, account, { from: date, to: date })
      }
    })
    for (const length of [1, 6, 7, 8, 27, 28, 29, 35, 60])
      for (const start of [0, 1, 5, 12, 13]) {
        const from = addDays('2026-01-28', start)
        const to = addDays(from, length - 1)
        const total = daysOf(from, to).reduce((sum, date) => sum + dayNumber(date), 0)
        expect(await sums([{ from, to }])).toEqual([
          { asin: 'A', span: 0, cost: total + length * 100, units: length, sales: length * 2_000_000 },
          { asin: 'B', span: 0, cost: 0, units: total, sales: total * 2_000_000 },
        ])
        expect(await sales([{ from, to }])).toEqual([
          { asin: 'A', span: 0, units: length, sales: length * 2_000_000 },
          { asin: 'B', span: 0, units: total, sales: total * 2_000_000 },
        ])
      }
  })

  test('are apart for each span, and empty for days without any', async () => {
    const spans = [
      { from: '2026-02-01', to: '2026-02-14' },
      { from: '2026-02-15', to: '2026-02-16' },
    ]
    expect((await sums(spans)).filter(row => row.asin === 'B').map(row => [row.span, row.units])).toEqual([
      [0, 105],
      [1, 31],
    ])
    expect((await sales(spans)).filter(row => row.asin === 'B').map(row => row.units)).toEqual([105, 31])
    expect(await sums([{ from: '2027-01-01', to: '2027-02-28' }])).toEqual([])
    expect(await sales([{ from: '2027-01-01', to: '2027-02-28' }])).toEqual([])
    expect(await sales([{ from: '2026-02-02', to: '2026-02-01' }])).toEqual([])
  })
})

describe('the sums of search terms', () => {
  const own = { merchantId: 1, profileId: 7 }
  const term = (date: string, target: number, text: string, clicks: number) => ({
    campaign_id: target,
    ad_group_id: target,
    target_id: target,
    search_term: text,
    date,
    impressions: 100,
    clicks,
    cost_micros: clicks * 1_000_003,
    sales_micros: 0,
    orders: 0,
    units: 0,
  })
  const covered = (from: string, to: string) => ({ from, to, adType: 'SPONSORED_PRODUCTS' }) as const
  const pull = (from: string, to: string, rows: ReturnType<typeof term>[]) =>
    db.tenant(1, tx => replaceDays(tx, 'search_term_day', own, covered(from, to), dailyRows(rows), rows.length))

  async function expectExact(filter = sql`true`) {
    for (const length of [1, 6, 7, 15, 28, 30, 45, 60])
      for (const start of [0, 1, 4, 12, 26]) {
        const days = { from: addDays('2026-01-28', start), to: addDays('2026-01-28', start + length - 1) }
        const { rows } = await sql`select ad_group_id, campaign_id, search_term, impressions, clicks, cost_micros
          from ${searchTermsBy(own, days, filter)} s order by 1, 3`.execute(db.system)
        const daily =
          await sql`select ad_group_id, min(campaign_id) as campaign_id, search_term, sum(impressions)::float8 as impressions,
            sum(clicks)::float8 as clicks, sum(cost_micros)::float8 as cost_micros
          from search_term_day d where profile_id = 7 and date between ${days.from} and ${days.to} and ${filter}
          group by 1, 3 order by 1, 3`.execute(db.system)
        expect([days, rows]).toEqual([days, daily.rows])
      }
  }

  test('are those of the days over any range, after pulls that repeat, restate and remove, newest days first', async () => {
    for (const id of [1, 2]) {
      const row = sql`1, 7, ${id}, ${`${id}`}, 'SPONSORED_PRODUCTS', 'ENABLED'`
      await sql`insert into campaign (merchant_id, profile_id, id, amazon_id, ad_type, state, name, targeting_type) values (${row}, 'c', 'MANUAL')`.execute(
        db.system,
      )
      await sql`insert into ad_group (merchant_id, profile_id, id, amazon_id, ad_type, state, campaign_id, name) values (${row}, ${id}, 'g')`.execute(
        db.system,
      )
      await sql`insert into target (merchant_id, profile_id, id, amazon_id, ad_type, state, campaign_id, ad_group_id, kind, text) values (${row}, ${id}, ${id}, 'KEYWORD', 't')`.execute(
        db.system,
      )
    }
    const ofDay = (date: string) => [
      term(date, 1, 'hose', Number(date.slice(8))),
      term(date, 2, 'hose', 1),
      ...(date.endsWith('5') ? [term(date, 1, 'green hose', 2)] : []),
    ]
    const pullDays = (from: string, to: string) => pull(from, to, daysOf(from, to).flatMap(ofDay))
    await pullDays('2026-03-01', '2026-03-31')
    await pullDays('2026-01-20', '2026-02-28')
    await expectExact()
    await expectExact(sql`d.ad_group_id = 2`)
    await pullDays('2026-02-01', '2026-02-20')
    await pull('2026-02-15', '2026-02-15', [term('2026-02-15', 1, 'hose', 99)])
    await expectExact()
  })
})
