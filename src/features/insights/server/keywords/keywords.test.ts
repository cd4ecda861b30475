import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sumUp } from '#features/metrics/server/sql/running-sums.ts'
import type { Ctx, Services } from '#server/context.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { askKeywords, exportedLines } from '../../../../../tests/support/keyword-insights.ts'

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

const ask = <K extends Parameters<typeof askKeywords>[0]>(what: K, query: Record<string, string> = {}, caller = ctx) =>
  askKeywords(what, caller, query)
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
  const lines = (what: Parameters<typeof exportedLines>[0], query = {}) => exportedLines(what, ctx, query)
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
})

test('nothing of it is another merchant’s', async () => {
  const stranger = await testCaller(services, await addTestAccount(services))
  for (const what of ['topKeywords', 'underperforming'] as const)
    expect((await ask(what, { dateFrom: '2026-01-01', dateTo: '2026-03-25' }, stranger)).page.totalElements).toBe(0)
})
