import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseInput } from '#server/http/parse-input.ts'
import type { Ctx, Services } from '#server/context.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import { campaignPageEndpoints as endpoints } from '../../page-contract.ts'
import { campaignsRoutes } from '../routes.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount
let ctx: Ctx

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  ctx = await testCaller(services, account)
})
afterAll(() => services.close())

/** Calls as the server does, the answer held to its own schema. */
async function ask<K extends keyof typeof endpoints>(
  what: K,
  params: object,
  query: object = {},
  caller: Ctx = ctx,
): Promise<v.InferOutput<(typeof endpoints)[K]['response']>> {
  const endpoint = endpoints[what]
  const input = parseInput(endpoint as never, { params, query, body: undefined } as never)
  const answer = await campaignsRoutes
    .find(route => route.endpoint === endpoint)
    ?.handler(caller as never, input as never)
  return v.parse(endpoint.response as never, answer)
}
const noteState = (columns: string, values: ReturnType<typeof sql>) =>
  sql`insert into metrics_state (merchant_id, profile_id, data_version, ${sql.raw(columns)})
    values (${account.merchantId}, ${account.profileId}, 1, ${values})
    on conflict (merchant_id, profile_id) do update set ${sql.join(
      columns.split(', ').map(name => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
    )}`.execute(services.db.system)

test('the use of a budget is unknown until the marketplace sends hours, and then comes by the hour', async () => {
  const { campaignId } = await addTestCampaign(services, account, { name: 'by the hour', budget: 25 })
  const before = await ask('budgetUse', { id: campaignId })
  expect(before).toMatchObject({ since: null, asOf: null, currency: 'USD', timezone: 'America/Los_Angeles' })
  expect(before.days).toHaveLength(7)
  expect(before.days.every(day => day.spent === null && day.lostMinutes === null)).toBe(true)

  const today = before.days.at(-1)?.date ?? ''
  const yesterday = before.days.at(-2)?.date ?? ''
  const since = new Date(services.clock.now().getTime() - 10 * 86_400_000)
  await noteState(
    'hourly_from, hourly_as_of, stream_subscriptions',
    sql`${since}, ${services.clock.now()}, '{"budget-usage": "s"}'::jsonb`,
  )
  const { system } = services.db
  const owner = sql`${account.merchantId}, ${account.profileId}, ${campaignId}`
  await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
    values (${owner}, ${yesterday}, 9, 500, 20, 25000000, 0, 0, 0)`.execute(system)
  await sql`insert into campaign_budget_usage (merchant_id, profile_id, campaign_id, at, budget_micros, usage_percent)
    values (${owner}, (${`${yesterday} 10:00`}::timestamp at time zone 'America/Los_Angeles'), 25000000, 100)`.execute(
    system,
  )
  const { days } = await ask('budgetUse', { id: campaignId })
  expect(days.at(-2)).toMatchObject({ budget: 25, spent: 25, lostMinutes: 14 * 60, isPartial: false })
  expect(days.at(-2)?.hours[9]).toEqual({ hour: 9, cost: 25, outMinutes: 0 })
  expect(days.at(-1)).toMatchObject({ date: today, lostMinutes: 0 })
})

test('the places of a campaign add up over the days asked for, the dearest first', async () => {
  const { campaignId } = await addTestCampaign(services, account, { name: 'by place' })
  const add = (place: string, date: string, clicks: number, cost: number, sales: number, orders: number) =>
    sql`insert into placement_day (merchant_id, profile_id, campaign_id, placement, date, impressions, clicks, cost_micros, sales_micros, orders, units)
      values (${account.merchantId}, ${account.profileId}, ${campaignId}, ${place}, ${date}, ${clicks * 100}, ${clicks}, ${cost * 1e6}::bigint, ${sales * 1e6}::bigint, ${orders}, ${orders})`.execute(
      services.db.system,
    )
  await add('REST_OF_SEARCH', '2026-03-10', 10, 5, 0, 0)
  await add('TOP_OF_SEARCH', '2026-03-10', 20, 30, 100, 4)
  await add('TOP_OF_SEARCH', '2026-03-11', 20, 20, 100, 4)
  await add('TOP_OF_SEARCH', '2026-03-12', 20, 99, 0, 0)
  await add('OFF_AMAZON', '2026-03-11', 0, 0, 0, 0)
  const { content, currency } = await ask(
    'places',
    { id: campaignId },
    { dateFrom: '2026-03-10', dateTo: '2026-03-11' },
  )
  expect(currency).toBe('USD')
  expect(content).toMatchObject([
    { place: 'TOP_OF_SEARCH', clicks: 40, cost: 50, sales: 200, orders: 8, acos: 25, cvr: 20 },
    { place: 'REST_OF_SEARCH', clicks: 10, cost: 5, orders: 0, acos: null },
  ])
})

test('keywords are wasting once their clicks are enough to be sure, and an order may not cost less', async () => {
  const days = ['2026-03-10', '2026-03-11']
  const add = (name: string, day: [number, number, number, number, number], state = 'ENABLED') =>
    addTestCampaign(services, account, { name, days, day, state })
  const burns = await add('burns', [900, 40, 15, 0, 0])
  await add('few clicks', [900, 4, 60, 0, 0])
  await add('sells', [900, 60, 15, 200, 9])
  await add('paused', [900, 40, 15, 0, 0], 'PAUSED')
  const cheap = await add('cheap', [900, 40, 1, 0, 0])
  await noteState('daily_to', sql`'2026-03-25'::date`)
  const { content, days: settled, currency } = await ask('wasting', {})
  expect(currency).toBe('USD')
  expect(settled).toEqual({ dateFrom: '2026-02-16', dateTo: '2026-03-17' })
  // An order brings 22.22 (400 for 18) at the account's own ACOS of 53 % (212 of 400): two dollars are not too much for one.
  expect(content.map(row => row.campaignName)).toEqual(['burns'])
  expect(content[0]).toMatchObject({ id: burns.keywordId, clicks: 80, cost: 30, orders: 0, adGroupName: 'burns group' })
  expect(content[0]?.clicksToBeSure).toBeGreaterThan(10)

  const aimAt = (acos: number) =>
    sql`update campaign set target_acos = ${acos} where id = ${cheap.campaignId}`.execute(services.db.system)
  const ofCheap = async () => (await ask('wasting', {}, { campaignId: String(cheap.campaignId) })).content
  await aimAt(5)
  expect((await ofCheap()).map(row => row.id)).toEqual([cheap.keywordId])
  await aimAt(30)
  expect(await ofCheap()).toEqual([])
})

test('nothing is known of wasting before figures were imported', async () => {
  const fresh = await addTestAccount(services)
  expect(await ask('wasting', {}, {}, await testCaller(services, fresh))).toMatchObject({ days: null, content: [] })
})

test('another merchant’s campaign or keyword is not found', async () => {
  const stranger = await testCaller(services, await addTestAccount(services))
  const { campaignId, keywordId } = await addTestCampaign(services, account, { name: 'mine' })
  for (const request of [
    () => ask('budgetUse', { id: campaignId }, {}, stranger),
    () => ask('places', { id: campaignId }, {}, stranger),
    () => ask('suggestedBid', { id: keywordId }, {}, stranger),
    () => ask('budgetUse', { id: 999_999_999 }),
  ])
    await expect(request()).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
