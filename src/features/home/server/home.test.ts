import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCurrentMarketplace, getCurrentMerchant } from '#features/accounts/server/public.ts'
import { compareCampaigns, importDays, importTrade } from '#features/metrics/server/public.ts'
import { noteDailyPart } from '#features/metrics/server/sql/metrics-state.ts'
import { getSubscription } from '#features/subscription/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import { addSums } from '#shared/metrics.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { sumUpDay } from '../../../../tests/support/campaign-account.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { homeEndpoints } from '../contract.ts'
import { exportBreakdown, exportCards, exportPerformance } from './export-home.ts'
import { getBreakdown } from './get-breakdown.ts'
import { getCards } from './get-cards.ts'
import { bucketOf } from '../days.ts'
import { getPerformance } from './get-performance.ts'
import { getStart } from './get-start.ts'
import { getWhy } from './get-why.ts'
import { startEndpoint } from '../start-contract.ts'

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

test('the start answers what the calls of a first visit answer, with the cards of 30 days until today', async () => {
  const { merchants, currentMerchant, currentMarketplace, subscription, cards } = v.parse(
    startEndpoint.response,
    await getStart(ctx, { cards: true }),
  )
  const us = seller.profiles.find(profile => profile.countryCode === 'US')
  const dateTo = dayIn(world.services.clock.now(), us?.timezone ?? '')
  const calls = [getCurrentMerchant(ctx), getCurrentMarketplace(ctx), getSubscription(ctx)]
  expect([currentMerchant, currentMarketplace, subscription]).toEqual(await Promise.all(calls))
  expect(merchants.map(one => one.id)).toEqual(ctx.actor.merchantIds)
  expect(cards).toEqual(await getCards(ctx, { dateFrom: addDays(dateTo, -29), dateTo }))
  expect((await getStart(ctx, { cards: false })).cards).toBeNull()
})
test('the start of a user without merchants, or without access, has no cards and rejects nothing', async () => {
  const stranger = await callerOf(world.services, await addAccount(world.services))
  expect(await getStart(stranger, { cards: true })).toEqual({
    merchants: [],
    currentMerchant: null,
    currentMarketplace: null,
    subscription: null,
    cards: null,
  })
  const unpaid = { ...ctx, actor: { ...ctx.actor, hasAccess: false } }
  expect(await getStart(unpaid, { cards: true })).toMatchObject({
    currentMerchant: { name: expect.any(String) },
    cards: null,
  })
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
    if (!mexico) throw new Error('the seller has no MX profile')
    await sumUpDay(tx, mexico, range.dateTo)
    await noteDailyPart(tx, mexico)
  })
  const { rows } = await getBreakdown(ctx, range)
  expect(rows.find(row => row.countryCode === 'MX')).toMatchObject({
    cost: 1234.56,
    converted: { cost: 67.96, sales: 428.13 },
  })
})

test('why is explained by campaigns whose parts add up to the account’s change to the cent', async () => {
  const answer = v.parse(homeEndpoints.why.response, await getWhy(ctx, range))
  const spend = (await cards()).cards.find(card => card.metric === 'spend')
  expect(answer.compared).toEqual({
    from: range.dateFrom,
    to: range.dateTo,
    previousFrom: addDays(range.dateFrom, -20),
    previousTo: addDays(range.dateFrom, -1),
  })
  expect(answer.cost).toMatchObject({ before: spend?.previous, after: spend?.value })
  const cents = (values: number[]) => values.reduce((sum, value) => sum + Math.round(value * 100), 0)
  for (const explained of [answer.acos, answer.cost, answer.sales]) {
    if (!explained) throw new Error('both periods have clicks and orders')
    expect(cents(explained.factors.map(one => one.effect))).toBe(cents([explained.change]))
    for (const { effect, parts } of explained.factors) expect(cents(parts.map(p => p.effect))).toBe(cents([effect]))
  }
  const named = answer.cost?.factors.flatMap(one => one.parts.flatMap(part => part.name ?? [])) ?? []
  expect(named.length).toBeGreaterThan(0)
})

test('the campaigns that are not listed are one row, and the account stays whole', async () => {
  const { services } = world
  const us = seller.profiles.find(profile => profile.countryCode === 'US')
  if (!us) throw new Error('the seller has no US profile')
  const [before, after] = [
    { from: addDays(range.dateFrom, -20), to: addDays(range.dateFrom, -1) },
    { from: range.dateFrom, to: range.dateTo },
  ]
  const compare = (most: number) =>
    services.db.reading(us.merchantId, tx => compareCampaigns(tx, us, before, after, most))
  const [all, few] = [await compare(1000), await compare(1)]
  expect(few.map(row => row.campaignId === null)).toEqual(expect.arrayContaining([true, false]))
  expect(few).toHaveLength(2)
  expect(addSums(few.map(row => row.after))).toEqual(addSums(all.map(row => row.after)))
  expect(addSums(few.map(row => row.before))).toEqual(addSums(all.map(row => row.before)))
})

test('cards, chart and marketplaces are exported as they are shown', async () => {
  const text = async (file: FileAnswer) => {
    const parts: Uint8Array[] = []
    for await (const part of file.content) parts.push(part)
    return Buffer.concat(parts).toString('utf8')
  }
  const shown = await cards()
  const figures = await exportCards(ctx, { ...range, format: 'csv' })
  expect(figures.name).toBe(`tideline-figures-us-${range.dateFrom}-to-${range.dateTo}.csv`)
  const spend = shown.cards.find(card => card.metric === 'spend')
  const ends = [spend?.band?.low ?? '', spend?.band?.high ?? '']
  expect(await text(figures)).toContain(
    `Ad spend,USD,${[spend?.value, ...ends, spend?.compared, spend?.previous].join()}`,
  )
  const chart = await text(await exportPerformance(ctx, { ...range, granularity: 'DAY', format: 'csv' }))
  expect(chart.trim().split(/\r?\n/)).toHaveLength(21)
  const marketplaces = await text(await exportBreakdown(ctx, { ...range, format: 'csv' }))
  expect(marketplaces).toContain('Mexico,MXN')
  expect((await exportBreakdown(ctx, { ...range, format: 'xlsx' })).mediaType).toMatch(/spreadsheetml/)
})

test('all merchants of the user are side by side, and only converted amounts are added', async () => {
  const { services } = world
  const german = await connectSeller(services, {
    login: 'agency@sandbox.test',
    sellerId: 'A2NORDHAFENDE1',
    regionId: 2,
    countries: ['DE'],
    accountId: seller.accountId,
  })
  const [germany] = german.profiles
  await services.db.tenant(german.merchantId, async tx => {
    await sql`insert into campaign_day (merchant_id, profile_id, campaign_id, date, impressions, clicks, cost_micros, sales_micros, orders, units)
      values (${german.merchantId}, ${germany?.profileId}, 55, ${range.dateTo}, 9, 3, 100000000, 400000000, 1, 1)`.execute(
      tx,
    )
    if (!germany) throw new Error('the seller has no DE profile')
    await sumUpDay(tx, germany, range.dateTo)
    await noteDailyPart(tx, germany)
  })
  const both = await callerOf(services, seller.accountId)
  const mine = { ...both, actor: { ...both.actor, merchantId: seller.merchantId, marketplaceId: 1 } }
  const answer = v.parse(homeEndpoints.breakdown.response, await getBreakdown(mine, range))
  expect(answer.rows.map(row => row.countryCode).toSorted()).toEqual(['DE', 'MX', 'US'])
  const row = answer.rows.find(one => one.countryCode === 'DE')
  // 100 euros at 1.1298 dollars.
  expect(row).toMatchObject({ merchantId: german.merchantId, currency: 'EUR', cost: 100, converted: { cost: 112.98 } })
  expect(row?.merchantName).not.toBe(answer.rows.find(one => one.countryCode === 'US')?.merchantName)
  const cents = (values: (number | undefined)[]) =>
    values.reduce<number>((sum, n) => sum + Math.round((n ?? 0) * 100), 0)
  expect(cents([answer.total?.cost])).toBe(cents(answer.rows.map(one => one.converted?.cost)))
  expect(answer.total?.acos).toBeCloseTo(((answer.total?.cost ?? 0) / (answer.total?.sales ?? 1)) * 100, 9)
})

test('without a merchant there is nothing to show', async () => {
  const stranger = await callerOf(world.services, await addAccount(world.services))
  for (const get of [getCards, getWhy, getBreakdown])
    await expect(get(stranger, range)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
})
