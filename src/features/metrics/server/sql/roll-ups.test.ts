import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { figuresBy } from './read-figures.ts'
import { productSums, rollUpProducts } from './read-products.ts'
import { replaceDays } from './replace-days.ts'
import { replaceProductTrade } from './replace-trade.ts'
import { rollUpWeeks } from './replace-days.ts'

const owner = { merchantId: 1, profileId: 1 }
const neighbour = { merchantId: 1, profileId: 2 }
const all = { from: '2026-01-28', to: '2026-03-10' }
function pull(of: typeof owner, range: typeof all, factor: number, target = 1) {
  return db.tenant(of.merchantId, async tx => {
    const rows = daysOf(range.from, range.to).map(date => ({
      campaign_id: 1,
      ad_group_id: 1,
      target_id: target * 10 + of.profileId,
      date,
      impressions: factor,
      clicks: factor,
      cost_micros: factor * Number(date.slice(8)),
      sales_micros: 0,
      orders: 0,
      units: 0,
    }))
    await replaceDays(tx, 'target_day', of, { ...range, adType: 'SPONSORED_PRODUCTS' }, rows)
    await rollUpWeeks(tx, of, { ...range, adType: 'SPONSORED_PRODUCTS' })
  })
}

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  await pull(owner, all, 1)
  await pull(neighbour, all, 1000)
})
afterAll(() => db.close())

async function costs(from: string, to: string) {
  const { rows } = await sql<{
    key: number
    cost: number
  }>`select f.key, f.cost_micros as cost from ${figuresBy('target', owner, from, to)} f`.execute(db.system)
  return rows
}
async function daily(from: string, to: string) {
  const { rows } = await sql<{ key: number; cost: number }>`select target_id as key, sum(cost_micros)::float8 as cost
    from target_day where merchant_id = 1 and profile_id = 1 and date between ${from} and ${to} group by target_id`.execute(
    db.system,
  )
  return rows
}

test('weeks and the days around them sum to what the days do, wherever a range begins and ends', async () => {
  for (const length of [1, 6, 7, 8, 13, 20, 35])
    for (let start = 0; start < 7; start++) {
      const from = addDays('2026-02-01', start)
      const to = addDays(from, length - 1)
      const found = await costs(from, to)
      expect([from, to, found]).toEqual([from, to, await daily(from, to)])
      expect(found).toHaveLength(1)
    }
})

test('a pull of some days brings the whole weeks around them up to date, and no other account’s', async () => {
  await pull(owner, { from: '2026-02-11', to: '2026-02-17' }, 5)
  expect(await costs('2026-02-02', '2026-03-01')).toEqual(await daily('2026-02-02', '2026-03-01'))
  const { rows } = await sql<{
    n: number
    wrong: number
  }>`select count(*) as n, count(*) filter (where impressions <> 7000) as wrong
    from target_week where profile_id = 2 and week between '2026-02-02' and '2026-03-02'`.execute(db.system)
  expect(rows[0]).toEqual({ n: 5, wrong: 0 })
})

test('a pull without figures empties the weeks it covers', async () => {
  await db.tenant(1, async tx => {
    const range = { from: '2026-02-16', to: '2026-03-01', adType: 'SPONSORED_PRODUCTS' } as const
    await replaceDays(tx, 'target_day', owner, range, [])
    await rollUpWeeks(tx, owner, range)
  })
  expect(await costs('2026-02-16', '2026-03-01')).toEqual([])
})

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

  test('are those of the days, wherever a range begins and ends, after days were replaced in any order', async () => {
    const days = daysOf('2026-01-20', '2026-04-20')
    await db.tenant(1, async tx => {
      const covered = { from: '2026-01-20', to: '2026-04-20', adType: 'SPONSORED_PRODUCTS' } as const
      const rows = days.flatMap(date => [
        ad(date, 1, 'A', dayNumber(date)),
        ad(date, 2, 'A', 100),
        ad(date, 3, null, 1),
      ])
      await replaceDays(tx, 'ad_day', owner, covered, rows)
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
    expect(await sums([{ from: '2027-01-01', to: '2027-02-28' }])).toEqual([])
  })
})
