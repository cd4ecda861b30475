import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { addSums, noSums } from '#shared/metrics.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { noteDaily } from './metrics-state.ts'
import { deleteOldRevisions, saveRevisions, versionsOf } from './revisions.ts'
import { learnFromRevisions, settlingBand, settlingBands } from './settling.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

interface DayRow {
  date: string
  clicks: number
  sales: number
  orders: number
}
const row = (date: string, clicks: number): DayRow => ({ date, clicks, sales: 0, orders: 0 })
const adType = 'SPONSORED_PRODUCTS'
const account = { merchantId: 1, profileId: 10, timezone: 'America/Los_Angeles', accountType: 'seller' } as const
const revisionsOf = (from: string, to: string) => db.tenant(1, tx => versionsOf(tx, account, from, to))
const shown = (...rows: DayRow[]) => {
  const sumsOf = ({ clicks, sales, orders }: DayRow) => ({
    ...noSums,
    impressions: clicks * 100,
    clicks,
    costMicros: clicks * 500_000,
    salesMicros: sales * 1_000_000,
    orders,
  })
  return new Map([...Map.groupBy(rows, one => one.date)].map(([date, own]) => [date, addSums(own.map(sumsOf))]))
}
const pull = (days: { from: string; to: string }, rows: DayRow[], seenAt: string) =>
  db.tenant(1, tx => saveRevisions(tx, account, { ...days, adType }, shown(...rows), new Date(seenAt)))

test('each version of a day is kept once, with the time in which it was reported', async () => {
  // Los Angeles moved its clocks on March 8: that day of 23 hours ended at 7:00 UTC, not 8:00.
  const days = { from: '2026-03-07', to: '2026-03-08' }
  const [first, second] = [row('2026-03-08', 4), row('2026-03-08', 6)]
  await pull(days, [first], '2026-03-09T07:00:00Z')
  await pull(days, [first, second], '2026-03-09T15:00:00Z')
  await pull(days, [second, first], '2026-03-10T07:00:00Z')
  // The same report again, after a crash.
  await pull(days, [first, second], '2026-03-10T07:00:00Z')
  await pull(days, [], '2026-03-11T07:00:00Z')
  const seen = (await revisionsOf(days.from, days.to)).map(({ date, fromAge, toAge, sums }) => [
    date,
    fromAge,
    toAge,
    sums.clicks,
  ])
  // A day without figures has no version until it had some.
  expect(seen).toEqual([
    ['2026-03-08', 0, 0, 4],
    ['2026-03-08', 8, 24, 10],
    ['2026-03-08', 48, 48, 0],
  ])
})

test('revisions teach the bands of young days; settled days have none, and nobody without history has any', async () => {
  const first = '2026-04-01'
  const dates = Array.from({ length: 30 }, (_, i) => addDays(first, i))
  const withOrders = (date: string, orders: number) => ({ date, clicks: 100, sales: orders * 20, orders })
  const hoursAfter = (date: string, hours: number) =>
    new Date(startOfDayIn(addDays(date, 1), account.timezone).getTime() + hours * 3_600_000)
  const orders = (i: number) => (i % 2 ? 120 : 80)
  await db.tenant(1, async tx => {
    for (const [i, date] of dates.entries())
      for (const [age, count] of [
        [24, 50],
        [72, orders(i)],
        [240, orders(i)],
      ] as const) {
        if (hoursAfter(date, age) > hoursAfter('2026-04-30', 24)) continue
        await saveRevisions(
          tx,
          account,
          { from: date, to: date, adType },
          shown(withOrders(date, count)),
          hoursAfter(date, age),
        )
      }
    const range = { from: first, to: '2026-04-30' }
    const days = [{ ...noSums, date: '2026-04-30', clicks: 100, costMicros: 5e7, salesMicros: 1e9, orders: 50 }]
    expect(await settlingBands(tx, account, days)).toEqual(new Map())
    expect(await settlingBand(tx, account, days)).toBeNull()
    await noteDaily(tx, account, range, hoursAfter('2026-04-30', 24))
    await learnFromRevisions(tx, account, hoursAfter('2026-04-30', 24))
    const bands = await settlingBands(tx, account, [...days, { ...days[0], ...noSums, date: first }])
    expect([...bands.keys()]).toEqual(['2026-04-30'])
    const band = bands.get('2026-04-30')
    // Of 50 orders came 80 or 120; 1,000.00 of sales became 1,600 or 2,400; 50.00 were spent.
    expect(band?.orders.low).toBeGreaterThanOrEqual(76)
    expect(band?.orders.low).toBeLessThanOrEqual(82)
    expect(band?.orders.high).toBeGreaterThanOrEqual(116)
    expect(band?.orders.high).toBeLessThanOrEqual(122)
    expect(band?.sales.low).toBeCloseTo(20 * (band?.orders.low ?? 0), -2)
    expect(Math.abs((band?.cost.low ?? 0) - 50)).toBeLessThan(1)
    expect(band?.acos?.low).toBeCloseTo((100 * 50) / 2400, 0)
    // Thirty orders of a day that has settled are added as they are.
    const settled = { ...noSums, date: first, orders: 30 }
    expect((await settlingBand(tx, account, [...days, settled]))?.orders).toEqual({
      low: (band?.orders.low ?? 0) + 30,
      high: (band?.orders.high ?? 0) + 30,
    })
    expect(await settlingBand(tx, account, [settled])).toBeNull()
  })
})

test('revisions of days that settled long ago are deleted', async () => {
  await deleteOldRevisions(db.system, new Date('2026-07-07T03:00:00Z'))
  expect((await revisionsOf('2026-03-01', '2026-03-31')).length).toBe(0)
  expect((await revisionsOf('2026-04-01', '2026-04-30')).length).toBeGreaterThan(0)
})
