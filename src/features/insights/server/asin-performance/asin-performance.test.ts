import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getCards } from '#features/home/server/get-cards.ts'
import { rollUpProducts } from '#features/metrics/server/sql/read-products.ts'
import type { Ctx, Services } from '#server/context.ts'
import { addDays, daysOf } from '#shared/time.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import type { AsinColumn } from '../../asin-columns.ts'
import { asinEndpoints as endpoints } from '../../asin-contract.ts'
import { chartAsins, exportAsins, listAsins } from './asin-performance.ts'

const range = { dateFrom: '2026-03-01', dateTo: '2026-03-10' }
const [dear, uncosted, quiet] = ['B0TEST0001', 'B0TEST0002', 'B0TEST0003'] as const

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx
const run = (statement: ReturnType<typeof sql>) => statement.execute(services.db.system)

/** Units and sales in cents of a product on a day. */
async function sell(asin: string, date: string, units: number, cents: number) {
  await run(sql`insert into product_trade_day (merchant_id, marketplace_id, date, asin, units, sales_micros, sessions, page_views)
    values (${account.merchantId}, 1, ${date}, ${asin}, ${units}, ${cents * 10_000}::bigint, 0, 0)`)
}

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
  const { merchantId, profileId } = account
  await run(sql`insert into product (merchant_id, marketplace_id, sku, asin, title, price_micros, currency, fees_micros)
    values (${merchantId}, 1, 'SKU-1', ${dear}, 'Garden hose', 20000000, 'USD', 3000000),
      (${merchantId}, 1, 'SKU-2', ${uncosted}, 'Desk lamp', 10000000, 'USD', 1000000),
      (${merchantId}, 1, 'SKU-3', ${quiet}, 'Yoga mat', 30000000, 'USD', 1000000)`)
  await run(sql`insert into product_cost (merchant_id, marketplace_id, sku, valid_from, cogs_micros, changed_at)
    values (${merchantId}, 1, 'SKU-1', '2000-01-01', 4000000, now()), (${merchantId}, 1, 'SKU-1', '2026-03-06', 5000000, now())`)
  await run(sql`insert into product_day (merchant_id, product_id, date, available, taken_at)
    select merchant_id, id, '2026-03-10', case when sku = 'SKU-1' then 28 when sku = 'SKU-3' then 7 end, now() from product where merchant_id = ${merchantId}`)
  await run(sql`insert into product_event (merchant_id, marketplace_id, date, product_id, kind, before_value, after_value)
    select merchant_id, 1, '2026-03-04', id, 'PRICE_CHANGED', 19000000, 20000000 from product where merchant_id = ${merchantId} and sku = 'SKU-1'`)
  await addTestCampaign(services, account, {
    name: 'Hoses',
    day: [100, 10, 5, 20, 1],
    days: daysOf('2026-03-01', '2026-03-10'),
  })
  // A Brands campaign shows several products: none of them has its figures.
  const brand = await addTestCampaign(services, account, {
    name: 'Brand',
    day: [50, 5, 30, 60, 2],
    days: ['2026-03-05'],
  })
  await run(sql`delete from ad_day where ad_id = ${brand.adId}`)
  for (const date of daysOf('2026-02-19', '2026-03-10')) {
    const [units, cents] = date < '2026-03-01' ? [1, 2000] : [2, 4000]
    await sell(dear, date, units, cents)
    // On March 3 the marketplace counts 5 dollars for which it names no product.
    const others = { '2026-03-02': 1000, '2026-03-03': 500 }[date] ?? 0
    await run(sql`insert into trade_day (merchant_id, marketplace_id, date, units, orders, sales_micros, sessions, page_views)
      values (${merchantId}, 1, ${date}, ${units}, 1, ${(cents + others) * 10_000}::bigint, 0, 0)`)
    await run(
      sql`insert into product_trade_pull (merchant_id, marketplace_id, date, pulled_at) values (${merchantId}, 1, ${date}, now())`,
    )
  }
  await sell(uncosted, '2026-03-02', 1, 1000)
  await run(sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to, trade_as_of)
    values (${merchantId}, ${profileId}, 1, now(), '2026-02-01', '2026-03-10', now())`)
  const all = { from: '2026-02-01', to: '2026-03-31' }
  await services.db.tenant(merchantId, tx => rollUpProducts(tx, { ...account, marketplaceId: 1 }, all))
})
afterAll(() => services.close())

type Asked = Partial<Parameters<typeof listAsins>[1]>
const list = async (query: Asked = {}, caller = ctx) =>
  v.parse(
    endpoints.list.response,
    await listAsins(caller, { ...range, sortBy: 'cost', sortDir: 'desc', page: 0, size: 20, ...query }),
  )
const names = async (sortBy: AsinColumn, sortDir: 'asc' | 'desc') =>
  (await list({ sortBy, sortDir })).content.map(row => row.title)

describe('a product', () => {
  test('has its ad figures, all its sales, and its profit at the cost of each day', async () => {
    const [row] = (await list()).content
    expect(row).toMatchObject({
      asin: dear,
      title: 'Garden hose',
      cost: 50,
      sales: 200,
      acos: 25,
      clicks: 100,
      totalSales: 400,
      totalUnits: 20,
      tacos: 12.5,
      // 400 - 20 x 3 in fees - 10 x 4 and 10 x 5 for the goods - 50 for ads.
      profit: 200,
      profitUnknown: null,
      available: 28,
      // 24 units in 14 days: 20 in March, one on each of the last four days of February.
      coverDays: 16.3,
      previous: { cost: 0, totalSales: 200, totalUnits: 10, tacos: 0 },
      trend: Array.from({ length: 10 }, () => 40),
    })
  })

  test('without costs has no profit and says why, and one without sales has no cover', async () => {
    const { content } = await list()
    expect(content.find(row => row.asin === uncosted)).toMatchObject({
      totalSales: 10,
      profit: null,
      profitUnknown: 'COGS',
      available: null,
      coverDays: null,
    })
    expect(content.find(row => row.asin === quiet)).toMatchObject({
      cost: 0,
      acos: null,
      totalSales: 0,
      tacos: null,
      profit: 0,
      available: 7,
      coverDays: null,
    })
  })

  test('of days whose sales by product are missing has no total sales', async () => {
    const days = { dateFrom: '2026-02-10', dateTo: '2026-02-28' }
    const { content, totals } = await list(days)
    expect(content[0]).toMatchObject({ totalSales: null, tacos: null, profit: null, profitUnknown: 'SALES' })
    expect(totals).toMatchObject({ totalSales: null, profit: null })
    expect(await names('profit', 'desc')).toHaveLength(3)
  })
})

describe('the list', () => {
  test('with what belongs to no product is what Home shows', async () => {
    const { totals, unassigned, missingCosts } = await list()
    expect(totals).toMatchObject({ cost: 50, sales: 200, totalSales: 410, totalUnits: 21, profit: 200 })
    expect(unassigned).toMatchObject({ cost: 30, sales: 60, totalSales: 5 })
    expect(missingCosts).toBe(1)
    const { cards } = await getCards(ctx, range)
    const value = (metric: string) => cards.find(card => card.metric === metric)?.value
    expect(value('spend')).toBe(totals.cost + (unassigned?.cost ?? 0))
    expect(value('sales')).toBe(totals.sales + (unassigned?.sales ?? 0))
    expect(value('profit')).toBe((totals.profit ?? 0) - (unassigned?.cost ?? 0))
    expect(value('tacos')).toBeCloseTo((80 / 415) * 100, 10)
  })

  test('is ordered by any figure, what is unknown last in both directions', async () => {
    expect(await names('title', 'asc')).toEqual(['Desk lamp', 'Garden hose', 'Yoga mat'])
    expect(await names('totalSales', 'desc')).toEqual(['Garden hose', 'Desk lamp', 'Yoga mat'])
    expect(await names('profit', 'desc')).toEqual(['Garden hose', 'Yoga mat', 'Desk lamp'])
    expect(await names('profit', 'asc')).toEqual(['Yoga mat', 'Garden hose', 'Desk lamp'])
    expect(await names('available', 'asc')).toEqual(['Yoga mat', 'Garden hose', 'Desk lamp'])
    expect((await names('coverDays', 'asc'))[0]).toBe('Garden hose')
    expect((await names('tacos', 'desc'))[0]).toBe('Garden hose')
  })

  test('is searched, paged without overlap, and its sums are of what matches', async () => {
    const found = await list({ search: 'sku-2' })
    expect(found.content.map(row => row.asin)).toEqual([uncosted])
    expect(found).toMatchObject({ unassigned: null, totals: { totalSales: 10, cost: 0 }, page: { totalElements: 1 } })
    const pages = [await list({ size: 2 }), await list({ size: 2, page: 1 })]
    expect(new Set(pages.flatMap(one => one.content.map(row => row.asin))).size).toBe(3)
    expect(pages[1]?.page).toEqual({ size: 2, number: 1, totalElements: 3, totalPages: 2 })
    expect((await list({ search: '%' })).content).toEqual([])
  })

  test('of another merchant is empty, and days before any import have no figures', async () => {
    const stranger = await testCaller(services, await addTestAccount(services))
    expect(await list({}, stranger)).toMatchObject({ content: [], unassigned: null, totals: { cost: 0 } })
    expect((await chartAsins(stranger, { ...range, asin: dear })).points.every(point => point.cost === 0)).toBe(true)
    const before = await list({ dateFrom: '2026-04-01', dateTo: addDays('2026-04-01', 3) })
    expect(before.totals).toMatchObject({ cost: 0, totalSales: null })
  })
})

test('the chart has a point a day, of one product or of all, with what happened', async () => {
  const one = v.parse(endpoints.chart.response, await chartAsins(ctx, { ...range, asin: dear }))
  expect(one.points).toHaveLength(10)
  expect(one.points[2]).toMatchObject({ date: '2026-03-03', cost: 5, totalSales: 40, totalUnits: 2, tacos: 12.5 })
  expect(one.events).toEqual([
    { date: '2026-03-04', asin: dear, title: 'Garden hose', kind: 'PRICE_CHANGED', before: 19, after: 20 },
  ])
  // Of days whose sales by product are missing nothing is known, not that nothing was sold.
  const early = await chartAsins(ctx, { dateFrom: '2026-02-18', dateTo: '2026-02-19', asin: dear })
  expect(early.points.map(point => point.totalSales)).toEqual([null, 20])
  const all = await chartAsins(ctx, range)
  expect(all.points[2]).toMatchObject({ totalSales: 45 })
  expect(all.points[4]).toMatchObject({ cost: 35 })
  const searched = await chartAsins(ctx, { ...range, search: 'lamp' })
  expect(searched.points.map(point => point.totalSales)).toEqual([0, 10, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(searched.events).toEqual([])
})

test('the export has every product with the columns of the screen', async () => {
  const file = await exportAsins(ctx, {
    ...range,
    sortBy: 'totalSales',
    sortDir: 'desc',
    format: 'csv',
    columns: ['cost', 'totalSales', 'profit', 'coverDays'],
  })
  expect(file.name).toBe('tideline-products-us-2026-03-01-to-2026-03-10.csv')
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of file.content) text += decoder.decode(part, { stream: true })
  expect(text.trim().split(/\r?\n/)).toEqual([
    'ASIN,Product,Ad spend (USD),Total sales (USD),Profit after ads (USD),Days of cover',
    `${dear},Garden hose,50,400,200,16.3`,
    `${uncosted},Desk lamp,0,10,,`,
    `${quiet},Yoga mat,0,0,0,`,
  ])
})
