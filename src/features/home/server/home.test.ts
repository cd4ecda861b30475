import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importDays, importTrade } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { homeEndpoints } from '../contract.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getCards } from './get-cards.ts'
import { bucketOf } from '../days.ts'
import { getPerformance } from './get-performance.ts'

let world: Awaited<ReturnType<typeof servicesWithOutside>>
let seller: ConnectedSeller
let ctx: Ctx
let range: { dateFrom: string; dateTo: string }

beforeAll(async () => {
  world = await servicesWithOutside()
  const { services } = world
  seller = await connectSeller(services, { login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX' })
  const us = seller.profiles.find(profile => profile.countryCode === 'US')
  if (!us) throw new Error('the seller has no US profile')
  const progress = { signal: new AbortController().signal, onProgress: async () => undefined }
  const to = dayIn(services.clock.now(), us.timezone)
  range = { dateFrom: addDays(to, -20), dateTo: addDays(to, -1) }
  await importStructure(services, us, progress)
  await importDays(services, us, { ...progress, from: addDays(to, -60), to })
  await importTrade(services, us, addDays(to, -60), to, progress.signal)
  ctx = seller.ctx
})
afterAll(() => world.services.close())

const cards = async () => v.parse(homeEndpoints.cards.response, await getCards(ctx, range))
const value = async (metric: string) => (await cards()).cards.find(card => card.metric === metric)?.value

test('the cards, the chart and the breakdown tell one and the same spend', async () => {
  const spend = await value('spend')
  const chart = v.parse(homeEndpoints.performance.response, await getPerformance(ctx, { ...range, granularity: 'DAY' }))
  const weeks = v.parse(
    homeEndpoints.performance.response,
    await getPerformance(ctx, { ...range, granularity: 'WEEK' }),
  )
  const { rows } = v.parse(homeEndpoints.breakdown.response, await getBreakdown(ctx, range))
  const sum = (points: { cost: number }[]) =>
    points.reduce((total, point) => total + Math.round(point.cost * 100), 0) / 100
  expect(spend).toBeGreaterThan(0)
  expect(sum(chart.points)).toBe(spend)
  expect(sum(weeks.points)).toBe(spend)
  const daysOfWeeks = Map.groupBy(chart.points, point => bucketOf(point.date, 'WEEK'))
  const clicks = [...daysOfWeeks].map(([week, days]) => [week, days.reduce((total, one) => total + one.clicks, 0)])
  expect(weeks.points.map(week => [week.date, week.clicks])).toEqual(clicks)
  expect(rows.find(row => row.countryCode === 'US')?.cost).toBe(spend)
})

test.each([
  ['2026-03-01', '2026-03-30', '2026-01-30', '2026-02-28'],
  ['2026-11-12', '2026-11-18', '2026-11-05', '2026-11-11'],
  ['2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
])('the period before %s to %s has the same length and ends the day before', async (dateFrom, dateTo, from, to) => {
  expect(await getCards(ctx, { dateFrom, dateTo })).toMatchObject({ previousFrom: from, previousTo: to })
})

test('the spend is what the marketplace itself has counted', async () => {
  const { sandbox } = world
  const us = [...sandbox.world.store.profiles.values()].find(
    p => p.sellerId === 'A4DRIFTWOODUSX' && p.countryCode === 'US',
  )
  const facts = sandbox.world
    .market()
    .facts(us?.profileId ?? 0, range.dateFrom, range.dateTo, sandbox.world.clock.now())
  const counted = facts.reduce((total, fact) => total + fact.costMicros, 0) / 1_000_000
  expect(await value('spend')).toBeCloseTo(counted, 2)
})

test('every day of the range is in the chart, and the days that may still move are named', async () => {
  const answer = await getPerformance(ctx, { ...range, granularity: 'DAY' })
  expect(answer.points.map(point => point.date)).toEqual(
    Array.from({ length: 20 }, (_, i) => addDays(range.dateFrom, i)),
  )
  expect(answer.freshness.movingFrom).toBe(addDays(range.dateTo, 1 - 7))
  expect(answer.freshness.asOf).not.toBeNull()
})

test('TACOS is known since the seller’s whole trade is; profit is not, and says why', async () => {
  const answer = await cards()
  const tacos = answer.cards.find(card => card.metric === 'tacos')
  const acos = answer.cards.find(card => card.metric === 'acos')
  expect(tacos?.value).toBeGreaterThan(0)
  expect(tacos?.value).toBeLessThan(acos?.value ?? 0)
  expect(answer.cards.find(card => card.metric === 'profit')).toMatchObject({
    value: null,
    unknownBecause: expect.stringContaining('Not known'),
  })
})

test('a marketplace without figures is there, in its own currency and converted', async () => {
  const { rows, userCurrency } = await getBreakdown(ctx, range)
  expect(userCurrency).toBe('USD')
  expect(rows.find(row => row.countryCode === 'MX')).toMatchObject({
    currency: 'MXN',
    cost: 0,
    acos: null,
    converted: { cost: 0, sales: 0, rate: expect.closeTo(20.5251 / 1.1298, 6) },
  })
})

test('converted money is in whole units of the user’s currency, at a dated rate', async () => {
  const { services } = world
  const answer = v.parse(homeEndpoints.breakdown.response, await getBreakdown(ctx, range))
  expect(answer.ratesOf).toBe('2026-10-01')
  await services.db.tenant(seller.merchantId, async tx => {
    const mexico = seller.profiles.find(profile => profile.countryCode === 'MX')
    await sql`insert into campaign_day (merchant_id, profile_id, campaign_id, date, impressions, clicks, cost_micros, sales_micros, orders, units)
      values (${seller.merchantId}, ${mexico?.profileId}, 987654, ${range.dateTo}, 9, 3, 1234560000, 7777770000, 1, 1)`.execute(
      tx,
    )
  })
  const { rows } = await getBreakdown(ctx, range)
  expect(rows.find(row => row.countryCode === 'MX')).toMatchObject({
    cost: 1234.56,
    converted: { cost: 67.96, sales: 428.13 },
  })
})

test('without a merchant there is nothing to show', async () => {
  const stranger = await callerOf(world.services, await addAccount(world.services))
  await expect(getCards(stranger, range)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
})
