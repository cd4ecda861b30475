import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addHours, type HourDelta } from '#features/metrics/server/sql/add-hours.ts'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { noSums } from '#shared/metrics.ts'
import { daysOf } from '#shared/time.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { hourlyEndpoints as endpoints } from '../../hourly-contract.ts'
import { insightsRoutes } from '../routes.ts'
import { type ReadHour, readWeek } from './read-week.ts'

describe('the sentence', () => {
  const week = (change: (day: number, hour: number) => Partial<ReadHour>): ReadHour[] =>
    Array.from({ length: 168 }, (_, i) => ({
      clicks: 40,
      orders: 4,
      cost: 40,
      sales: 100,
      ...change(Math.floor(i / 24), i % 24),
    }))

  test('says nothing of a week without a difference, of a young account, or of too few orders', () => {
    expect(
      readWeek(
        week(() => ({})),
        28,
      ),
    ).toEqual([])
    const nights = week((_, hour) => (hour >= 1 && hour < 5 ? { orders: 1, sales: 25 } : {}))
    expect(readWeek(nights, 13)).toEqual([])
    const thin = nights.map(one => ({ ...one, clicks: one.clicks / 20, orders: one.orders / 20, cost: one.cost / 20 }))
    expect(readWeek(thin, 28)).toEqual([])
  })
  test('finds nights that cost more than they sell, with their shares', () => {
    const [found, ...others] = readWeek(
      week((_, hour) => (hour >= 1 && hour < 5 ? { orders: 1, sales: 25 } : {})),
      28,
    )
    expect(others).toEqual([])
    // 28 of 168 hours: 1/6 of the spend; sales 28 × 25 of 28 × 25 + 140 × 100.
    expect(found).toMatchObject({ kind: 'WASTES', from: 1, to: 5, weekdays: [0, 1, 2, 3, 4, 5, 6], orders: 28 })
    expect(found?.costShare).toBeCloseTo(100 / 6, 6)
    expect(found?.salesShare).toBeCloseTo((100 * 700) / 14_700, 6)
    expect(found?.expectedOrders).toBeCloseTo(112, 6)
    expect([found?.acos, found?.usualAcos]).toEqual([160, 40])
  })
  test('finds the evenings of one day that sell at half the ACOS, and hours past midnight', () => {
    const mondays = week((day, hour) => (day === 0 && hour >= 18 && hour < 22 ? { orders: 12, sales: 300 } : {}))
    expect(readWeek(mondays, 28)).toMatchObject([{ kind: 'SELLS', weekdays: [0], from: 18, to: 22 }])
    const late = week((_, hour) => (hour >= 22 || hour < 2 ? { orders: 8, sales: 200 } : {}))
    expect(readWeek(late, 28)).toMatchObject([{ kind: 'SELLS', from: 22, to: 2 }])
  })
})

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
let first: number
let second: number

const days = daysOf('2026-02-20', '2026-03-20')
// Thirteen to the next: neither the days of a week nor the hours of a day divide it.
const isAt = (index: number): boolean => index % 13 === 0

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
  first = (await addTestCampaign(services, account, { name: 'first' })).campaignId
  second = (await addTestCampaign(services, account, { name: 'second' })).campaignId
  const { merchantId, profileId } = account
  const hours = days.flatMap((date, d) =>
    Array.from({ length: 24 }, (_, hour) => ({ date, hour, index: d * 24 + hour })),
  )
  const deltas = hours
    .filter(({ date, hour, index }) => isAt(index) && !(date === '2026-03-08' && hour === 2))
    .flatMap(({ date, hour, index }) =>
      [first, second].map(
        (campaignId, i): HourDelta => ({
          ...noSums,
          idempotencyId: `${index} ${campaignId}`,
          profileId,
          campaignId,
          date,
          hour,
          adType: 'SPONSORED_PRODUCTS',
          sentAt: new Date(`${date}T23:00:00Z`),
          impressions: 100,
          clicks: 20 + (index % 7),
          costMicros: 1_000_000 * (1 + i),
          salesMicros: (index % 3) * 4_000_000,
          orders: index % 3,
          units: index % 3,
        }),
      ),
    )
  const { db } = services
  await db.tenant(merchantId, tx => addHours(tx, merchantId, deltas, services.clock.now()))
  // Hours came from noon of February 21 on, the last at the end of March 20.
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, hourly_from, hourly_as_of)
    values (${merchantId}, ${profileId}, 1, '2026-02-21 20:00Z', '2026-03-21 07:00Z')`.execute(db.system)
})
afterAll(() => services.close())

const range = { dateFrom: '2026-02-01', dateTo: '2026-03-31' }
async function heatmap(query: Record<string, string>, caller = ctx) {
  const input = parseInput(endpoints.heatmap, { params: undefined, query, body: undefined } as never)
  const route = insightsRoutes.find(one => one.endpoint === endpoints.heatmap)
  return v.parse(endpoints.heatmap.response, await route?.handler(caller as never, input as never))
}

/** The same another way: row by row, in the database. */
async function summed(campaigns: number[], until: string) {
  const { rows } = await sql<{ at: number; clicks: number; cost: number; sales: number }>`
    select ((extract(isodow from date) - 1) * 24 + hour)::int as at, sum(clicks)::int as clicks, sum(cost_micros)::float8 / 1e6 as cost, sum(sales_micros)::float8 / 1e6 as sales
    from campaign_hour where merchant_id = ${account.merchantId} and campaign_id = any(${campaigns}::bigint[])
      and (date + hour * interval '1 hour') >= '2026-02-21 12:00' and (date + hour * interval '1 hour') < ${until}::timestamp
    group by 1`.execute(services.db.system)
  return new Map(rows.map(({ at, ...sums }) => [at, sums]))
}

test('each hour of the week has the sums that its rows have, of the account and of one campaign', async () => {
  for (const [campaigns, query] of [
    [[first, second], {}],
    [[first], { campaignId: String(first) }],
  ] as const) {
    const { cells, totals } = await heatmap({ ...range, metric: 'cost', ...query })
    const expected = await summed([...campaigns], '2026-03-21 00:00')
    expect(cells).toHaveLength(168)
    for (const [index, { clicks, cost, sales, value, times, perHour, isThin }] of cells.entries()) {
      expect({ index, clicks, cost, sales }).toEqual({
        index,
        ...(expected.get(index) ?? { clicks: 0, cost: 0, sales: 0 }),
      })
      expect(value).toBe(cost)
      expect(perHour).toBeCloseTo(cost / times, 9)
      expect(isThin).toBe(clicks < 30)
    }
    expect(totals.cost).toBe([...expected.values()].reduce((sum, one) => sum + one.cost, 0))
  }
})

test('metrics with orders leave out the last 72 hours, spend does not', async () => {
  const acos = await heatmap({ ...range, metric: 'acos' })
  expect(acos.countedUntil).toBe('2026-03-18T07:00:00.000Z')
  const expected = await summed([first, second], '2026-03-18 00:00')
  for (const [index, { cost, sales, value }] of acos.cells.entries()) {
    expect([index, cost, sales]).toEqual([index, expected.get(index)?.cost ?? 0, expected.get(index)?.sales ?? 0])
    expect(value).toBe(sales > 0 ? (cost / sales) * 100 : null)
  }
  expect((await heatmap({ ...range, metric: 'cpc' })).countedUntil).toBe('2026-03-21T07:00:00.000Z')
})

test('the days that were collected are whole days, and an hour that never was counts for nothing', async () => {
  const { collected, cells, since, minClicks } = await heatmap({ ...range, metric: 'clicks' })
  expect(since).toBe('2026-02-21T20:00:00.000Z')
  expect(minClicks).toBe(30)
  // February 22 to March 20.
  expect(collected).toEqual({ days: 27, needed: 28 })
  expect(cells[6 * 24 + 2]).toMatchObject({ weekday: 7, hour: 2, days: 3, times: 3 })
  expect(cells[6 * 24 + 3]).toMatchObject({ days: 4, times: 4 })
  // Saturdays from noon on the first, all day after.
  expect([cells[5 * 24 + 11]?.days, cells[5 * 24 + 12]?.days]).toEqual([3, 4])
})

test('on the user’s clock the hours move, and their sum does not', async () => {
  const own = await heatmap({ ...range, metric: 'cost' })
  const berlin = await heatmap({ ...range, metric: 'cost', clock: 'USER', timezone: 'Europe/Berlin' })
  expect([berlin.timezone, own.timezone]).toEqual(['Europe/Berlin', 'America/Los_Angeles'])
  expect(berlin.totals).toEqual(own.totals)
  const one = await heatmap({
    dateFrom: '2026-02-25',
    dateTo: '2026-02-25',
    metric: 'clicks',
    clock: 'USER',
    timezone: 'Europe/Berlin',
  })
  const at = days.indexOf('2026-02-25') * 24
  const expected = Array.from({ length: 24 }, (_, hour) => hour).filter(hour => isAt(at + hour))
  // Wednesday in Los Angeles, nine hours on; after 15 h it is Thursday.
  expect(one.cells.flatMap(({ clicks }, index) => (clicks ? [index] : []))).toEqual(expected.map(hour => 48 + hour + 9))
})

test('an account without hours shows an empty week that says so', async () => {
  const fresh = await testCaller(services, await addTestAccount(services))
  const answer = await heatmap({ ...range, metric: 'cost' }, fresh)
  expect(answer).toMatchObject({ since: null, asOf: null, collected: { days: 0, needed: 28 }, findings: [] })
  expect(answer.cells.every(({ value, times, isThin }) => value === null && times === 0 && isThin)).toBe(true)
})

test.each([
  [{ metric: 'luck' }, 'metric'],
  [{ clock: 'MINE' }, 'clock'],
  [{ clock: 'USER' }, 'timezone'],
  [{ clock: 'USER', timezone: 'Mars/Base' }, 'timezone'],
  [{ clock: 'USER', timezone: '+02:00' }, 'timezone'],
  [{ campaignId: '0' }, 'campaignId'],
  [{ dateFrom: '2026-02-30' }, 'dateFrom'],
  [{ dateFrom: '2026-03-02', dateTo: '2026-03-01' }, null],
])('%j is not accepted', async (query, field) => {
  const failed = await heatmap(query as Record<string, string>).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'VALIDATION_FAILED' })
  if (field) expect(JSON.stringify(failed)).toContain(field)
})

test('another merchant’s campaign is not found, and its hours are nobody else’s', async () => {
  const stranger = await testCaller(services, await addTestAccount(services))
  await expect(heatmap({ ...range, campaignId: String(first) }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await heatmap({ ...range, metric: 'cost' }, stranger)).totals.cost).toBe(0)
})

test('the file has a row for each hour of the week', async () => {
  const route = insightsRoutes.find(one => one.endpoint === endpoints.exported)
  const input = parseInput(endpoints.exported, {
    params: undefined,
    query: { ...range, metric: 'cost', format: 'csv', columns: 'cost,acos' },
    body: undefined,
  } as never)
  const file = (await route?.handler(ctx as never, input as never)) as {
    name: string
    content: AsyncIterable<Uint8Array>
  }
  const parts: Uint8Array[] = []
  for await (const part of file.content) parts.push(part)
  const lines = Buffer.concat(parts).toString().trim().split(/\r?\n/)
  expect(file.name).toBe('tideline-hourly-trends-us-2026-02-01-to-2026-03-31.csv')
  expect(lines).toHaveLength(169)
  expect(lines[0]).toContain('Ad spend (USD)')
  expect(lines.at(-1)).toMatch(/^Sunday,23,/)
})
