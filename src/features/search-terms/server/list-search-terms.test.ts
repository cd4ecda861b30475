import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import { sumUpTerms } from '#features/metrics/server/sql/search-term-figures.ts'
import type { Ctx, Services } from '#server/context.ts'
import { parseInput } from '#server/http/parse-input.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
  testRange,
} from '../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../tests/support/services.ts'
import { sumFigures } from '../../../../tests/support/sum-figures.ts'
import { searchTermEndpoints as endpoints } from '../contract.ts'
import { searchTermRoutes } from './routes.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
let one: Awaited<ReturnType<typeof addTestCampaign>>
let two: Awaited<ReturnType<typeof addTestCampaign>>

type Figures = [impressions: number, clicks: number, cost: number, sales: number, orders: number]
async function addTerm(of: typeof one, term: string, figures: Figures, date = '2026-03-10') {
  const [impressions, clicks, cost, sales, orders] = figures
  await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, impressions,
      clicks, cost_micros, sales_micros, orders, units)
    values (${account.merchantId}, ${account.profileId}, ${of.campaignId}, ${of.adGroupId}, ${of.keywordId}, ${term}, ${date},
      ${impressions}, ${clicks}, ${cost * 1e6}::bigint, ${sales * 1e6}::bigint, ${orders}, ${orders})`.execute(
    services.db.system,
  )
  await sumUpTerms(services.db.system, account, { from: date, to: date })
}

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  one = await addTestCampaign(services, account, { name: 'Bottles', day: [5000, 200, 100, 400, 20] })
  two = await addTestCampaign(services, account, { name: 'Lids', day: [1000, 100, 50, 0, 0] })
  await addTerm(one, 'steel bottle', [100, 20, 10, 100, 5])
  await addTerm(one, 'steel bottle', [50, 10, 5, 20, 1], '2026-03-11')
  await addTerm(one, 'free bottle', [90, 30, 15, 0, 0])
  await addTerm(one, 'bottles keyword', [10, 2, 1, 0, 0])
  await addTerm(one, 'b0c1234567', [10, 4, 2, 0, 0])
  await addTerm(two, 'free lid', [40, 6, 3, 0, 0])
  await addTerm(two, 'steel bottle', [8, 1, 0.5, 0, 0])
  await sql`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state) values
    (${account.merchantId}, ${account.profileId}, ${two.campaignId}, null, '91', 'KEYWORD', 'Free', 'NEGATIVE_PHRASE', 'ENABLED'),
    (${account.merchantId}, ${account.profileId}, ${one.campaignId}, ${one.adGroupId}, '92', 'KEYWORD', 'free', 'NEGATIVE_EXACT', 'ENABLED')`.execute(
    services.db.system,
  )
  await sql`update target set text = 'Bottles Keyword' where id = ${one.keywordId}`.execute(services.db.system)
  ctx = await testCaller(services, account)
})
afterAll(() => services.close())

/** Calls as the server does: the query as text, the answer held to its own schema. */
async function ask<K extends keyof typeof endpoints>(
  what: K,
  query: Record<string, string> = {},
  { caller = ctx, params = {} }: { caller?: Ctx; params?: Record<string, string> } = {},
): Promise<v.InferOutput<(typeof endpoints)[K]['response']>> {
  const endpoint = endpoints[what]
  const input = parseInput(endpoint, { params, query: { ...testRange, ...query }, body: undefined })
  const found = searchTermRoutes.find(route => route.endpoint === endpoint)
  const answer = await found?.handler(caller as never, input as never)
  return v.parse(endpoint.response, answer) as v.InferOutput<(typeof endpoints)[K]['response']>
}
const terms = async (query: Record<string, string>) =>
  (await ask('ofAccount', query)).content.map(row => `${row.adGroupName}: ${row.term}`)

describe('the search terms of the account', () => {
  test('are one row an ad group and term, with the sums of the days and of all rows', async () => {
    const all = await ask('ofAccount')
    expect(all.page.totalElements).toBe(6)
    expect(all.totals).toMatchObject(sumFigures(all.content))
    expect(all.content.find(row => row.orders > 0)).toMatchObject({
      term: 'steel bottle',
      kind: 'TERM',
      campaignName: 'Bottles',
      adGroupName: 'Bottles group',
      adType: 'SPONSORED_PRODUCTS',
      clicks: 30,
      cost: 15,
      sales: 120,
      orders: 6,
      acos: 12.5,
      currency: 'USD',
      coverage: 'NEW',
      coveredBy: null,
      matchedBy: [{ id: one.keywordId, text: 'Bottles Keyword', matchType: 'EXACT', kind: 'KEYWORD' }],
      mistakeChance: null,
    })
    const second = await ask('ofAccount', { size: '4', page: '1' })
    expect([second.content.length, second.page.totalElements]).toEqual([2, 6])
    expect(second.totals).toEqual(all.totals)
    const beyond = await ask('ofAccount', { page: '9' })
    expect([beyond.content, beyond.totals]).toEqual([[], all.totals])
  })

  test('are marked where an exact keyword or a negative covers them', async () => {
    const { content } = await ask('ofAccount')
    const coverage = Object.fromEntries(content.map(row => [`${row.campaignName} ${row.term}`, row.coverage]))
    expect(coverage).toEqual({
      'Bottles steel bottle': 'NEW',
      // Another term contains the words of a negative exact: only a negative phrase would keep it away.
      'Bottles free bottle': 'NEW',
      'Bottles bottles keyword': 'KEYWORD',
      'Bottles b0c1234567': 'NEW',
      'Lids free lid': 'NEGATIVE',
      'Lids steel bottle': 'NEW',
    })
    expect(content.find(row => row.term === 'free lid')?.coveredBy).toMatchObject({
      text: 'Free',
      campaignName: 'Lids',
      adGroupId: null,
    })
    expect(content.find(row => row.term === 'b0c1234567')?.kind).toBe('PRODUCT')
    expect(await terms({ coverage: 'KEYWORD' })).toEqual(['Bottles group: bottles keyword'])
    expect(await terms({ coverage: 'NEGATIVE' })).toEqual(['Lids group: free lid'])
    expect(await terms({ coverage: 'NEW' })).toHaveLength(4)
  })

  test('without an order show how likely it is that negating is a mistake, by the rate of their ad group', async () => {
    const { content } = await ask('ofAccount', { orders: 'WITHOUT' })
    const chance = (term: string) => content.find(row => row.term === term)
    // 20 orders of 200 clicks, and the account's 20 of 300 with weight 4: about 9.2 % a click.
    expect(chance('free bottle')?.mistakeChance).toBeCloseTo(100 * (1 - 24 / (200 + 4 / (21 / 312.5))) ** 30, 5)
    expect(chance('bottles keyword')?.mistakeChance).toBeGreaterThan(80)
    expect(chance('free bottle')).toMatchObject({ clicksToBeSure: 24, settledClicks: 30 })
  })

  test('do not judge by clicks whose orders may still come', async () => {
    await sql`insert into metrics_state (merchant_id, profile_id, daily_as_of, daily_from, daily_to)
      values (${account.merchantId}, ${account.profileId}, '2026-03-14T08:00:00Z', '2026-01-01', '2026-03-14')`.execute(
      services.db.system,
    )
    const { content, freshness } = await ask('ofAccount', { searchTermName: 'FREE bottle' })
    expect(freshness.movingFrom).toBe('2026-03-07')
    expect(content).toMatchObject([{ clicks: 30, mistakeChance: null }])
    await sql`delete from metrics_state where merchant_id = ${account.merchantId}`.execute(services.db.system)
  })

  test('are narrowed by campaign, ad type, words, orders and clicks, and sorted by every figure', async () => {
    expect(await terms({ campaignId: String(two.campaignId), sortBy: 'term', sortDir: 'asc' })).toEqual([
      'Lids group: free lid',
      'Lids group: steel bottle',
    ])
    expect(await terms({ adType: 'SPONSORED_BRANDS' })).toEqual([])
    expect(await terms({ words: 'Free', sortBy: 'term', sortDir: 'asc' })).toEqual([
      'Bottles group: free bottle',
      'Lids group: free lid',
    ])
    expect(await terms({ words: 'bottle free' })).toEqual([])
    expect(await terms({ words: 'bottle' })).not.toContain('Bottles group: bottles keyword')
    expect(await terms({ orders: 'WITH' })).toEqual(['Bottles group: steel bottle'])
    expect(await terms({ minClicks: '30', sortBy: 'acos' })).toEqual([
      'Bottles group: free bottle',
      'Bottles group: steel bottle',
    ])
    for (const sortBy of endpoints.ofAccount.query.pipe[0].entries.sortBy.wrapped.options)
      expect(await terms({ sortBy }), sortBy).toHaveLength(6)
    await expect(ask('ofAccount', { dateFrom: '2026-03-02', dateTo: '2026-03-01' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  })
})

test('the terms of one ad group are its own, and another tenant’s is not found', async () => {
  const params = { adGroupId: String(two.adGroupId) }
  const { content, totals } = await ask('ofAdGroup', {}, { params })
  expect(content.map(row => row.term)).toEqual(['free lid', 'steel bottle'])
  expect(totals.cost).toBe(3.5)
  const caller = await testCaller(services, await addTestAccount(services))
  await expect(ask('ofAdGroup', {}, { params, caller })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await ask('ofAccount', {}, { caller })).content).toEqual([])
})

describe('the words of the search terms', () => {
  test('are summed over the terms that contain them, a term once, ASINs apart', async () => {
    const { content, page } = await ask('words', { sortBy: 'cost' })
    const row = (words: string) => content.find(one => one.words === words)
    expect(page.totalElements).toBe(6)
    expect(row('bottle')).toMatchObject({ terms: 2, clicks: 61, cost: 30.5, orders: 6, waste: 15.5 })
    expect(row('free')).toMatchObject({ terms: 2, cost: 18, sales: 0, acos: null })
    expect(row('b0c1234567')).toBeUndefined()
    expect((await ask('words')).content.slice(0, 2).map(one => one.words)).toEqual(['free', 'bottle'])
    const pairs = await ask('words', { length: '2', orders: 'WITHOUT' })
    expect(pairs.content.map(one => one.words).toSorted()).toEqual([
      'bottles keyword',
      'free bottle',
      'free lid',
      'steel bottle',
    ])
    expect((await ask('words', { length: '3' })).content).toEqual([])
    await expect(ask('words', { length: '4' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})

describe('the exported search terms', () => {
  const rowsOf = async (query: Record<string, string>, caller = ctx): Promise<string[][]> => {
    const file = (await ask('file', { format: 'csv', ...query }, { caller })) as FileAnswer
    return parse(Buffer.concat(await Readable.from(file.content).toArray()), { bom: true })
  }

  test('are the rows of the screen in its order, narrowed as it is', async () => {
    const query = { sortBy: 'clicks', sortDir: 'asc', orders: 'WITHOUT' }
    const [heads = [], ...rows] = await rowsOf(query)
    expect(heads.slice(0, 4)).toEqual(['Search term', 'Campaign', 'Ad group', 'Ad type'])
    const { content } = await ask('ofAccount', query)
    expect(rows.map(row => [row[0], row[2], Number(row[heads.indexOf('Ad spend (USD)')])])).toEqual(
      content.map(row => [row.term, row.adGroupName, row.cost]),
    )
    expect(rows.find(row => row[0] === 'free bottle')?.slice(4, 7)).toEqual(['NEW', '', 'Bottles Keyword EXACT'])
    expect(await rowsOf({ columns: 'term,acos', words: 'steel', adGroupId: String(one.adGroupId) })).toEqual([
      ['Search term', 'ACOS (%)'],
      ['steel bottle', '12.5'],
    ])
    await expect(rowsOf({ columns: 'password' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  test('come once each when they are read in several parts', async () => {
    await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, impressions,
        clicks, cost_micros, sales_micros, orders, units)
      select ${account.merchantId}, ${account.profileId}, ${one.campaignId}, ${one.adGroupId}, ${one.keywordId}, 'many ' || n, '2026-02-10',
        9, 1, n * 10000, 0, 0, 0 from generate_series(1, 2300) n`.execute(services.db.system)
    await sumUpTerms(services.db.system, account, { from: '2026-02-10', to: '2026-02-10' })
    const days = { dateFrom: '2026-02-10', dateTo: '2026-02-10' }
    const [, ...rows] = await rowsOf({ ...days, columns: 'term,cost', sortDir: 'asc' })
    expect(rows).toEqual(Array.from({ length: 2300 }, (_, i) => [`many ${i + 1}`, String((i + 1) / 100)]))
  })

  test('of another tenant are none', async () => {
    const caller = await testCaller(services, await addTestAccount(services))
    expect(await rowsOf({ columns: 'term' }, caller)).toEqual([['Search term']])
  })
})

test('days of which all may still change are listed like others', async () => {
  const own = { merchantId: account.merchantId, profileId: account.profileId }
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${own.merchantId}, ${own.profileId}, 1, now(), '2026-03-01', '2026-03-11')
    on conflict (merchant_id, profile_id) do update set daily_to = '2026-03-11'`.execute(services.db.system)
  expect(await terms({ dateFrom: '2026-03-10', dateTo: '2026-03-11' })).toContain('Bottles group: steel bottle')
})
