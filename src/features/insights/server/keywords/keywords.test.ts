import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sumUp } from '#features/metrics/server/sql/running-sums.ts'
import { sumUpTerms } from '#features/metrics/server/sql/search-term-figures.ts'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import { addDays } from '#shared/time.ts'
import { judgeKeyword, type KeywordStandard, maxCpcMicros } from '#features/search-terms/contract.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { actOf } from '../../keyword-acts.ts'
import { keywordEndpoints as endpoints } from '../../keyword-contract.ts'
import { savingOf } from '../../negative-saving.ts'
import { insightsRoutes } from '../routes.ts'

const M = 1e6
const sums = (clicks: number, orders: number, cost: number, sales: number) => ({
  clicks,
  orders,
  costMicros: cost * M,
  salesMicros: sales * M,
})
const standard: KeywordStandard = { cvr: 0.1, priceMicros: 25 * M, targetAcos: 30, breakEvenAcos: 40 }

describe('the tests of a keyword', () => {
  // ln 0.1 / ln 0.9 = 21.9: 22 clicks; 25 × 30 % = 7.50.
  test.each([
    [22, 7.5, 'NO_SALE'],
    [21, 7.5, undefined],
    [22, 7.49, undefined],
  ])('%i clicks without an order for %f is %s', (clicks, cost, expected) => {
    expect(judgeKeyword(sums(clicks, 0, cost, 0), standard)?.test).toBe(expected)
  })
  test('the confidence of no sale is that of the clicks: 0.9 to the 22nd is 9.85 %', () => {
    expect(judgeKeyword(sums(22, 0, 10, 0), standard)?.confidence).toBeCloseTo(90.15, 2)
  })
  // max(1.5 × 30, 40) = 45 %.
  test.each([
    [2, 45.1, 'TOO_DEAR'],
    [2, 45, undefined],
    [1, 90, undefined],
  ])('%i orders at an ACOS of %f %% is %s', (orders, cost, expected) => {
    expect(judgeKeyword(sums(50, orders, cost, 100), standard)?.test).toBe(expected)
  })
  test('the break-even ACOS is the limit where it is above one and a half targets, and where there is no target', () => {
    expect(judgeKeyword(sums(50, 4, 55, 100), { ...standard, breakEvenAcos: 60 })).toBeNull()
    expect(judgeKeyword(sums(50, 4, 61, 100), { ...standard, targetAcos: null, breakEvenAcos: 60 })?.test).toBe(
      'TOO_DEAR',
    )
    expect(judgeKeyword(sums(50, 4, 900, 100), { ...standard, targetAcos: null, breakEvenAcos: null })).toBeNull()
  })
  test('at twice the limit two orders came where four would: so few or fewer have a chance of 23.8 %', () => {
    expect(judgeKeyword(sums(50, 2, 90, 100), standard)?.confidence).toBeCloseTo(100 - 23.81, 2)
  })
  test('a click may cost target × value × rate, the own rate drawn towards the product’s', () => {
    // (8 + 20 × 0.1) / (60 + 20) = 12.5 %; 200 / 8 = 25: 0.3 × 25 × 0.125.
    expect(maxCpcMicros(sums(60, 8, 90, 200), standard)).toBeCloseTo(0.9375 * M, 6)
    expect(maxCpcMicros(sums(0, 0, 0, 0), { ...standard, targetAcos: null })).toBeNull()
  })
  test('the act follows from the test, and from what a click may cost', () => {
    const act = (test: Parameters<typeof actOf>[0], of: Parameters<typeof sums>, bid: number | null) => {
      const { kind, bidMicros } = actOf(test, sums(...of), standard, bid === null ? null : bid * M, 'USD')
      return [kind, bidMicros === null ? null : bidMicros / M]
    }
    expect(act('NO_SALE', [30, 0, 20, 0], 1)).toEqual(['PAUSE', null])
    // 2 orders in 40 clicks and 20 more at 10 %: 4 / 60 × 25 × 0.3 = 0.50.
    expect(act('TOO_DEAR', [40, 2, 40, 50], 1)).toEqual(['LOWER_BID', 0.5])
    expect(act('TOO_DEAR', [40, 2, 40, 50], 0.5)).toEqual(['PAUSE', null])
    // Never shown: 0.1 × 25 × 0.3 = 0.75 is the most.
    expect(act('STARVED', [0, 0, 0, 0], 0.5)).toEqual(['RAISE_BID', 0.65])
    expect(act('STARVED', [0, 0, 0, 0], 0.7)).toEqual(['RAISE_BID', 0.75])
    expect(act('STARVED', [0, 0, 0, 0], 0.75)).toEqual(['NONE', null])
    expect(act('STARVED', [0, 0, 0, 0], null)).toEqual(['NONE', null])
    expect(act(null, [60, 8, 30, 200], 0.8)).toEqual(['RAISE_BID', 0.93])
    expect(act(null, [60, 8, 90, 200], 1.2)).toEqual(['LOWER_BID', 0.93])
    expect(act(null, [9, 1, 1, 20], 0.5)).toEqual(['NONE', null])
  })
})

describe('what a negative saved', () => {
  const input = {
    clicks: 100,
    orders: 0,
    costMicros: 60 * M,
    daysBefore: 30,
    daysActive: 15,
    trafficIndex: 1.2,
    profitMicros: 5 * M,
    budgetMicros: null,
  }
  test('is the cost a day before × days × traffic, within what the counts allow', () => {
    // 60 / 30 × 15 × 1.2 = 36; 100 ± 16.45 clicks at 0.60; up to 1.645 orders at 5.00 may have been missed.
    const saving = savingOf(input)
    expect([saving.middle, saving.forgone]).toEqual([36 * M, 0])
    expect(saving.high / M).toBeCloseTo(116.45 * 0.6 * 0.6, 5)
    expect(saving.low / M).toBeCloseTo((83.55 * 0.6 - 1.645 * 5) * 0.6, 5)
  })
  test('takes off the profit of the orders that did not come, also below zero', () => {
    const saving = savingOf({ ...input, orders: 15 })
    expect([saving.middle, saving.forgone]).toEqual([-9 * M, 45 * M])
  })
  test('is never more than the campaign could spend', () => {
    expect(savingOf({ ...input, budgetMicros: 2 * M })).toMatchObject({ middle: 30 * M, high: 30 * M, isCapped: true })
  })
  test('is nothing where nothing was clicked', () => {
    expect(savingOf({ ...input, clicks: 0, costMicros: 0 })).toMatchObject({ low: 0, middle: 0, high: 0 })
  })
})

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
const at: Record<string, Awaited<ReturnType<typeof addTestCampaign>>> = {}

// Imported to March 25: what is before March 18 has settled.
const importedTo = '2026-03-25'
const settledDay = '2026-03-10'
const movingDay = '2026-03-20'

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
  const add = async (
    name: string,
    day: [number, number, number, number, number],
    days = [settledDay],
    state = 'ENABLED',
  ) => {
    at[name] = await addTestCampaign(services, account, { name, days, day, state, budget: 10 })
  }
  await add('sells', [9000, 400, 200, 1000, 50])
  await add('no sale', [900, 60, 30, 0, 0])
  await add('cheap', [900, 60, 3, 0, 0])
  await add('few clicks', [900, 5, 30, 0, 0])
  await add('dear', [900, 50, 90, 80, 4])
  await add('one order', [900, 50, 90, 20, 1])
  await add('recent', [900, 300, 90, 0, 0], [movingDay])
  await add('paused', [900, 60, 30, 0, 0], [settledDay], 'PAUSED')
  await add('starved', [12, 0, 0, 0, 0])
  const { system } = services.db
  const { merchantId, profileId } = account
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${merchantId}, ${profileId}, 1, '2026-03-25 20:00Z', '2026-01-01', ${importedTo})`.execute(system)
  await sql`update campaign set target_acos = 25 where id = any(${[at['no sale'], at.cheap, at['few clicks'], at.dear].map(one => one?.campaignId)}::bigint[])`.execute(
    system,
  )
  await sql`insert into product (merchant_id, marketplace_id, asin, sku, title, price_micros, updated_at)
    values (${merchantId}, 1, 'B0TEST0001', 'SKU-1', 'Bottle', 20000000, now())`.execute(system)
})
afterAll(() => services.close())

async function ask<K extends 'topTerms' | 'topKeywords' | 'underperforming' | 'negativeImpact'>(
  what: K,
  query: Record<string, string> = {},
  caller = ctx,
): Promise<v.InferOutput<(typeof endpoints)[K]['response']>> {
  const endpoint = endpoints[what]
  const input = parseInput(endpoint as never, { params: undefined, query, body: undefined } as never)
  const answer = await insightsRoutes.find(one => one.endpoint === endpoint)?.handler(caller as never, input as never)
  return v.parse(endpoint.response as never, answer)
}
const names = (rows: { campaignName: string }[]) => rows.map(row => row.campaignName)

test('underperforming are those that fail by their settled days, with the test, its numbers and its confidence', async () => {
  const { content, days, counts, page } = await ask('underperforming')
  expect(days).toEqual({ dateFrom: '2026-02-16', dateTo: '2026-03-17' })
  expect(names(content)).toEqual(['dear', 'no sale'])
  expect([counts, page.totalElements]).toEqual([{ NO_SALE: 1, TOO_DEAR: 1 }, 2])
  const [dear, noSale] = content
  // All products are one: 55 orders of 685 settled clicks, drawn towards itself: 8.0 %.
  expect(noSale?.verdict).toMatchObject({ test: 'NO_SALE', price: 20, spendAllowed: 5, clicksNeeded: 28 })
  expect(noSale?.verdict.productCvr).toBeCloseTo(8.03, 1)
  expect(noSale?.verdict.confidence).toBeCloseTo(100 * (1 - (1 - (noSale?.verdict.productCvr ?? 0) / 100) ** 60), 6)
  expect(noSale?.act).toEqual({ kind: 'PAUSE', bid: null })
  // 90 of 80 is 112.5 %, the limit 37.5; 4 orders came where 12 would have: 0.76 % by chance.
  expect(dear?.verdict).toMatchObject({ test: 'TOO_DEAR', acosLimit: 37.5 })
  expect(dear?.verdict.confidence).toBeCloseTo(100 - 0.76, 1)
  expect([dear?.effectiveBid, dear?.targetAcos, dear?.targetFrom]).toEqual([0.7, 25, 'CAMPAIGN'])
  // (4 + 20 × 8.03 %) / 70 × 20.00 × 25 %.
  expect(dear?.maxCpc).toBeCloseTo(0.4, 2)
  expect(dear?.act).toEqual({ kind: 'LOWER_BID', bid: 0.4 })
})

test('starved ones are a list of their own, with the opposite cure', async () => {
  const { content, page } = await ask('underperforming', { test: 'STARVED', sortBy: 'impressions', sortDir: 'asc' })
  expect(names(content)).toEqual(['starved'])
  expect(page.totalElements).toBe(1)
  expect(content[0]?.verdict).toMatchObject({ test: 'STARVED', confidence: null, impressionsNeeded: 100 })
  // The account's own ACOS stands in for a target: 463 of 1100.
  expect(content[0]?.targetFrom).toBe('ACCOUNT')
  expect(content[0]?.act.kind === 'RAISE_BID' || content[0]?.act.kind === 'NONE').toBe(true)
})

test('one test alone, by any figure, page by page', async () => {
  expect(names((await ask('underperforming', { test: 'NO_SALE' })).content)).toEqual(['no sale'])
  const byClicks = await ask('underperforming', { sortBy: 'clicks', size: '1', page: '1' })
  expect(names(byClicks.content)).toEqual(['dear'])
  expect(byClicks.page).toMatchObject({ totalElements: 2, totalPages: 2, number: 1 })
  const byConfidence = await ask('underperforming', { sortBy: 'confidence', sortDir: 'asc' })
  const confidences = byConfidence.content.map(row => row.verdict.confidence ?? 0)
  expect(confidences).toEqual(confidences.toSorted((a, b) => a - b))
  // Requested days that have not settled are left out.
  const { days } = await ask('underperforming', { dateFrom: '2026-03-09', dateTo: '2026-03-25' })
  expect(days).toEqual({ dateFrom: '2026-03-09', dateTo: '2026-03-17' })
})

test('a change of a target is judged at once, and the same data give the same judgment again', async () => {
  const setTarget = (targetAcos: number) =>
    services.db.tenant(account.merchantId, tx =>
      sql`update campaign set target_acos = ${targetAcos} where id = ${at.dear?.campaignId}`.execute(tx),
    )
  expect(names((await ask('underperforming')).content)).toEqual(['dear', 'no sale'])
  // One and a half times 80 is more than its 112.5 %.
  await setTarget(80)
  for (let i = 0; i < 2; i++) expect(names((await ask('underperforming')).content)).toEqual(['no sale'])
  await setTarget(25)
  expect(names((await ask('underperforming')).content)).toEqual(['dear', 'no sale'])
})

test('top keywords come best first, with what a click of each may cost', async () => {
  const { content, totals } = await ask('topKeywords', { dateFrom: '2026-03-01', dateTo: '2026-03-25' })
  expect(names(content).slice(0, 3)).toEqual(['sells', 'dear', 'one order'])
  expect(names(content)).not.toContain('starved')
  const { rows } = await sql<{
    cost: number
    clicks: number
  }>`select sum(cost_micros)::float8 / 1e6 as cost, sum(clicks)::float8 as clicks
    from target_day where merchant_id = ${account.merchantId} and date between '2026-03-01' and '2026-03-25'`.execute(
    services.db.system,
  )
  expect(totals).toMatchObject(rows[0] ?? {})
  const worst = await ask('topKeywords', { sortBy: 'acos', dateFrom: '2026-03-01', dateTo: '2026-03-17', size: '2' })
  expect(worst.content.every(row => row.sales === 0 && row.cost > 0)).toBe(true)
})

test('the pages of top keywords follow each other, with the sums of all, also beyond those that are kept', async () => {
  const range = { dateFrom: '2026-03-01', dateTo: '2026-03-25', sortBy: 'cost' }
  const whole = await ask('topKeywords', range)
  const { totalElements } = whole.page
  expect(totalElements).toBe(whole.content.length)
  for (const last of [1, totalElements]) {
    const page = await ask('topKeywords', { ...range, size: '1', page: String(last - 1) })
    expect(page).toMatchObject({ totals: whole.totals, content: [whole.content[last - 1]], page: { totalElements } })
  }
  const beyond = await ask('topKeywords', { ...range, size: '200', page: '2' })
  expect(beyond).toMatchObject({ totals: whole.totals, content: [], page: { totalElements } })
})

test('top keywords show at once what an import changed', async () => {
  const range = { dateFrom: '2026-03-01', dateTo: '2026-03-25' }
  const before = await ask('topKeywords', range)
  const days = { from: settledDay, to: settledDay }
  const addClicks = (clicks: number) =>
    services.db.tenant(account.merchantId, async tx => {
      await sql`update target_day set clicks = clicks + ${clicks} where merchant_id = ${account.merchantId}
        and date = ${settledDay} and target_id = ${before.content[0]?.id}`.execute(tx)
      await sumUp(tx, account, 'target_day', days)
    })
  await addClicks(7)
  const after = await ask('topKeywords', range)
  expect(after.content[0]?.clicks).toBe((before.content[0]?.clicks ?? 0) + 7)
  expect(after.totals.clicks).toBe(before.totals.clicks + 7)
  await addClicks(-7)
  expect(await ask('topKeywords', range)).toEqual(before)
})

async function addTerm(
  campaign: string,
  term: string,
  day: string,
  [clicks, cost, sales, orders]: [number, number, number, number],
) {
  const { campaignId, adGroupId, keywordId } = at[campaign] as (typeof at)[string]
  await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, impressions, clicks, cost_micros, sales_micros, orders, units)
    values (${account.merchantId}, ${account.profileId}, ${campaignId}, ${adGroupId}, ${keywordId}, ${term}, ${day}, 100, ${clicks}, ${cost * M}::bigint, ${sales * M}::bigint, ${orders}, ${orders})`.execute(
    services.db.system,
  )
  await sumUpTerms(services.db.system, account, { from: day, to: day })
}
async function addNegative(
  campaign: string,
  text: string,
  matchType: string | null,
  addedAt: string | null,
  isWhole = false,
) {
  const { campaignId, adGroupId } = at[campaign] as (typeof at)[string]
  const { system } = services.db
  const { merchantId, profileId, accountId } = account
  const { rows } = await sql<{
    id: number
  }>`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state)
    values (${merchantId}, ${profileId}, ${campaignId}, ${isWhole ? null : adGroupId}, ${`9${Math.random()}`.slice(0, 12)}, 'KEYWORD', ${text}, ${matchType}, 'ENABLED') returning id`.execute(
    system,
  )
  const id = rows[0]?.id ?? 0
  if (addedAt)
    await sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, origin, account_id, at)
      values (${merchantId}, ${profileId}, gen_random_uuid(), 'negative', ${id}, ${campaignId}, null, 'USER', ${accountId}, ${addedAt}::timestamptz)`.execute(
      system,
    )
  return id
}

test('top terms are those with orders; a negative shows what its terms cost before it, since when, and by whom', async () => {
  await addTerm('sells', 'glass bottle', '2026-02-10', [40, 24, 0, 0])
  await addTerm('sells', 'blue glass bottle', '2026-02-11', [20, 12, 0, 0])
  await addTerm('sells', 'glassware', '2026-02-11', [90, 99, 0, 0])
  await addTerm('sells', 'steel bottle', '2026-03-05', [30, 9, 60, 3])
  expect(
    (await ask('topTerms', { dateFrom: '2026-02-01', dateTo: '2026-03-25' })).content.map(row => row.term),
  ).toEqual(['steel bottle'])

  // Noon of March 6 in Los Angeles: the 30 days before are February 4 to March 5.
  const phrase = await addNegative('sells', 'Glass Bottle', 'NEGATIVE_PHRASE', '2026-03-06 20:00Z', true)
  const exact = await addNegative('sells', 'glass bottle', 'NEGATIVE_EXACT', '2026-03-16 20:00Z')
  await addNegative('sells', 'old one', 'NEGATIVE_EXACT', null)
  const { content, withoutDate } = await ask('negativeImpact')
  expect(withoutDate).toBe(1)
  expect(content.map(row => row.id)).toEqual([phrase, exact])
  const [first, second] = content
  expect(first).toMatchObject({ adGroupId: null, addedAt: '2026-03-06T20:00:00.000Z', origin: 'USER', daysActive: 20 })
  expect(first?.addedBy).toBeTruthy()
  expect(first?.before).toEqual({
    dateFrom: '2026-02-04',
    dateTo: '2026-03-05',
    days: 30,
    terms: 2,
    clicks: 60,
    orders: 0,
    cost: 36,
    sales: 0,
  })
  // The campaign had no click in those days: its traffic cannot be compared.
  expect(first?.trafficIndex).toBeNull()
  // 36 / 30 × 20 days.
  expect([first?.saved, first?.forgone]).toEqual([24, 0])
  expect([first?.marginPercent, first?.isMarginAssumed]).toEqual([30, true])
  expect(first?.savedLow).toBeLessThan(24)
  expect(first?.savedHigh).toBeCloseTo(24 * (1 + 1.645 / Math.sqrt(60)), 4)
  // Its own ad group, before March 15: 400 clicks then (March 10), none now: nothing more to save.
  expect(second?.before).toMatchObject({ dateFrom: '2026-02-14', dateTo: '2026-03-15', clicks: 0 })
  expect(second?.saved).toBe(0)

  const march = await ask('negativeImpact', {
    dateFrom: '2026-03-20',
    dateTo: '2026-03-22',
    sortBy: 'addedAt',
    sortDir: 'asc',
  })
  expect(march.content.map(row => [row.id, row.daysActive])).toEqual([
    [phrase, 3],
    [exact, 3],
  ])
  expect(march.content[0]?.saved).toBeCloseTo(3.6, 6)
  expect((await ask('negativeImpact', { dateTo: addDays('2026-03-06', 1) })).content.map(row => row.id)).toEqual([
    phrase,
  ])
})

test('a negative product keeps away the searches that are reported as its ASIN', async () => {
  await addTerm('sells', 'b0badbad01', '2026-02-12', [7, 5, 0, 0])
  const added = await addNegative('sells', 'ASIN_SAME_AS: B0BADBAD01', null, '2026-03-07 20:00Z')
  const expression = [{ type: 'ASIN_SAME_AS', value: 'B0BADBAD01' }]
  await sql`update negative set kind = 'PRODUCT', expression = ${JSON.stringify(expression)} where id = ${added}`.execute(
    services.db.system,
  )
  const { content } = await ask('negativeImpact')
  expect(content.find(row => row.id === added)).toMatchObject({ expression, before: { clicks: 7, cost: 5 } })
})

test('an account without figures has nothing to judge, and says so', async () => {
  const fresh = await testCaller(services, await addTestAccount(services))
  expect(await ask('underperforming', {}, fresh)).toMatchObject({ content: [], days: null })
  expect(await ask('negativeImpact', {}, fresh)).toMatchObject({ content: [], days: null, withoutDate: 0 })
  expect(await ask('topKeywords', {}, fresh)).toMatchObject({ content: [] })
  expect(await ask('topTerms', {}, fresh)).toMatchObject({ content: [] })
})

test.each([
  ['underperforming', { test: 'LAZY' }, 'test'],
  ['underperforming', { sortBy: 'text' }, 'sortBy'],
  ['topKeywords', { size: '201' }, 'size'],
  ['topTerms', { sortBy: 'luck' }, 'sortBy'],
  ['negativeImpact', { page: '-1' }, 'page'],
  ['topKeywords', { dateFrom: '2026-03-02', dateTo: '2026-03-01' }, 'first day'],
] as const)('%s with %j is not accepted', async (what, query, field) => {
  const failed = await ask(what, query as Record<string, string>).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'VALIDATION_FAILED' })
  expect(JSON.stringify(failed)).toContain(field)
})

test('each part is a file too, in the order of the screen', async () => {
  const lines = async (what: 'exportKeywords' | 'exportUnderperforming' | 'exportImpact', query = {}) => {
    const endpoint = endpoints[what]
    const input = parseInput(
      endpoint as never,
      { params: undefined, query: { format: 'csv', ...query }, body: undefined } as never,
    )
    const route = insightsRoutes.find(one => one.endpoint === endpoint)
    const file = (await route?.handler(ctx as never, input as never)) as { content: AsyncIterable<Uint8Array> }
    const parts: Uint8Array[] = []
    for await (const part of file.content) parts.push(part)
    return Buffer.concat(parts).toString().replace('﻿', '').trim().split(/\r?\n/)
  }
  expect((await lines('exportUnderperforming', { columns: 'text,test,cost' })).slice(0, 3)).toEqual([
    'Keyword,Test,Ad spend (USD)',
    'dear keyword,TOO_DEAR,90',
    'no sale keyword,NO_SALE,30',
  ])
  expect(await lines('exportUnderperforming', { test: 'STARVED', columns: 'text,impressions' })).toEqual([
    'Keyword,Impressions',
    'starved keyword,12',
  ])
  expect((await lines('exportKeywords', { columns: 'text', dateFrom: '2026-03-01', dateTo: '2026-03-25' }))[1]).toBe(
    'sells keyword',
  )
  expect((await lines('exportImpact', { columns: 'text,saved' }))[1]).toBe('Glass Bottle,24')
})

test('nothing of it is another merchant’s', async () => {
  const stranger = await testCaller(services, await addTestAccount(services))
  for (const what of ['topTerms', 'topKeywords', 'underperforming', 'negativeImpact'] as const)
    expect((await ask(what, { dateFrom: '2026-01-01', dateTo: '2026-03-25' }, stranger)).page.totalElements).toBe(0)
})
