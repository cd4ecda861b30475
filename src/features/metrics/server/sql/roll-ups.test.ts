import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { dailyRows } from '../../../../../tests/support/daily-rows.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { productSales, productSums, rollUpProducts } from './read-products.ts'
import { replaceDays } from './replace-days.ts'
import { replaceProductTrade } from './replace-trade.ts'

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
      await replaceDays(tx, 'ad_day', owner, covered, dailyRows(rows))
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
