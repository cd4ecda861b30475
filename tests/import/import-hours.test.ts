import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { suggestTargetBid } from '#features/campaigns/server/page/suggest-target-bid.ts'
import { receiveHours, subscribeHours } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { streamedVersionsOf } from '#features/metrics/server/sql/revisions.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { adTypes } from '#shared/campaign-rules.ts'
import { addSums } from '#shared/metrics.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { sumsOfFact } from '../support/books.ts'
import { type ConnectedSeller, connectSeller } from '../support/connected-seller.ts'
import { bookedHours, receivedHours } from '../support/hour-sums.ts'
import { moveToMorning, servicesWithOutside } from '../support/outside.ts'
import { tableState } from '../support/table-state.ts'

type Opened = Awaited<ReturnType<typeof servicesWithOutside>>
let opened: Opened
let seller: ConnectedSeller
let firstHour: Date

const HOUR_MS = 3_600_000
const signal = new AbortController().signal
function profile() {
  const [first] = seller.profiles
  if (!first) throw new Error('no profile')
  return first
}
const receive = () => receiveHours(opened.services, new Date(opened.services.clock.now().getTime() + 120_000), signal)
const hours = () => tableState(opened.services.db.system, 'campaign_hour')

beforeAll(async () => {
  opened = await servicesWithOutside()
  const { services, sandbox } = opened
  seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
  moveToMorning(sandbox.world)
  await importStructure(services, profile(), { signal, onProgress: async () => undefined })
  await subscribeHours(services, profile())
  // The first messages only confirm the subscription.
  await receive()
  const now = sandbox.world.clock.now().getTime()
  firstHour = new Date(Math.ceil(now / HOUR_MS) * HOUR_MS)
})
afterAll(() => opened.services.close())

const ledger = () => bookedHours(opened.sandbox.world, profile(), firstHour)
const received = () => receivedHours(opened.services, profile(), firstHour)

test('the hours since the account was connected add up to the marketplace’s own, and none is filled in before', async () => {
  expect((await hours()).rows).toBe(0)
  opened.sandbox.world.clock.advance(6 * HOUR_MS)
  expect(await receive()).toBeGreaterThan(0)
  const books = ledger()
  expect(Object.keys(books).length).toBeGreaterThanOrEqual(4)
  expect(await received()).toEqual(books)
})

test('deliveries that come twice and out of order count once', async () => {
  for (const kind of ['duplicate-delivery', 'out-of-order'])
    await opened.sandbox.control('POST', 'faults', { kind, times: 30, match: { vendor: 'sqs' } })
  opened.sandbox.world.clock.advance(3 * HOUR_MS)
  expect(await receive()).toBeGreaterThan(0)
  expect(await received()).toEqual(ledger())
})

test('the use of budgets is saved once for each report, as the marketplace counts it', async () => {
  const { system } = opened.services.db
  const read = () =>
    sql<{ amazonId: string; at: Date; budget: number; used: number }>`
      select c.amazon_id as "amazonId", u.at, u.budget_micros as budget, u.usage_percent::float8 as used
      from campaign_budget_usage u join campaign c on c.merchant_id = u.merchant_id and c.id = u.campaign_id
      order by u.at, c.id`.execute(system)
  const { rows } = await read()
  expect(rows.length).toBeGreaterThan(0)
  const { world } = opened.sandbox
  for (const row of rows) {
    const { share } = world.market().budgetUsage(row.amazonId, row.at)
    // Clicks that the marketplace found invalid since make some of it less.
    expect(Math.abs(row.used - share * 100)).toBeLessThan(5)
    expect(row.budget).toBeGreaterThan(0)
  }
  await opened.sandbox.control('POST', 'faults', { kind: 'duplicate-delivery', times: 5, match: { vendor: 'sqs' } })
  await receive()
  expect((await read()).rows).toEqual(rows)
})

test('a keyword has the bid that the marketplace suggests for it; when it fails, that is said in time', async () => {
  const { rows } = await sql<{
    id: number
    kind: string
  }>`select min(id) as id, kind from target where state = 'ENABLED'
    group by kind order by kind`.execute(opened.services.db.system)
  for (const { id } of rows) {
    const { suggestion, currency } = await suggestTargetBid(seller.ctx, id)
    expect(currency).toBe('USD')
    expect(suggestion?.bid).toBeGreaterThan(0)
    expect(suggestion?.lowBid).toBeLessThanOrEqual(suggestion?.bid ?? 0)
    expect(suggestion?.highBid).toBeGreaterThanOrEqual(suggestion?.bid ?? 0)
  }
  const path = '/sp/targets/bid/recommendations'
  opened.sandbox.world.faults.add({
    match: { vendor: 'ads', method: 'POST', path },
    kind: 'status',
    status: 503,
    times: 9,
  })
  await expect(suggestTargetBid(seller.ctx, rows[0]?.id ?? 0)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
})

test('subscribing again makes no second subscription', async () => {
  const before = await hours()
  await subscribeHours(opened.services, profile())
  await opened.services.db.system.updateTable('metrics_state').set({ stream_subscriptions: sql`'{}'::jsonb` }).execute()
  // As after a crash between the marketplace's answer and ours being saved.
  await subscribeHours(opened.services, profile())
  const { subscriptions } = opened.services.integrations.amazonAds.forProfile({
    connectionId: profile().connectionId,
    region: profile().region,
    profileId: profile().amazonProfileId,
  })
  const live = (await subscriptions.list()).filter(s => s.status !== 'ARCHIVED')
  expect(new Set(live.map(s => s.dataset)).size).toBe(live.length)
  await receive()
  expect(await hours()).toEqual(before)
})

test('the hours of all ad types add up, also of an account that was subscribed weeks ago', async () => {
  const { services, sandbox } = opened
  await opened.sandbox.control('POST', 'stream', { daysBefore: 26 })
  const other = await connectSeller(services, {
    login: 'agency@sandbox.test',
    sellerId: 'A1HARBORLANEUS',
    countries: ['US'],
  })
  const [us] = other.profiles
  if (!us) throw new Error('no profile')
  await importStructure(services, us, { signal, onProgress: async () => undefined })
  await subscribeHours(services, us)
  const since = new Date((Math.floor(sandbox.world.clock.now().getTime() / HOUR_MS) - 600) * HOUR_MS)
  // The first messages only confirm the subscription.
  await receive()
  await receive()
  const books = bookedHours(sandbox.world, us, since)
  expect(await receivedHours(services, us, since)).toEqual(books)
  for (const adType of adTypes) {
    const sums = Object.entries(books).flatMap(([key, sum]) => (key.endsWith(adType) ? [sum] : []))
    expect([adType, sums.some(sum => sum.cost > 0)]).toEqual([adType, true])
  }
  const state = await sql<{ since: Date }>`select hourly_from as since from metrics_state
    where profile_id = ${us.profileId}`.execute(services.db.system)
  expect(state.rows[0]?.since.getTime()).toBeLessThan(since.getTime() + 3 * HOUR_MS)
  await expectVersionsAsSent(us)
})

/** How a day was reported at an earlier moment is known from what was sent until then, and so is how days settle. */
async function expectVersionsAsSent(profile: Profile) {
  const { services, sandbox } = opened
  const now = services.clock.now()
  const day = addDays(dayIn(now, profile.timezone), -18)
  const read = () =>
    services.db.tenant(profile.merchantId, tx => streamedVersionsOf(tx, profile, addDays(day, -12), addDays(day, 1)))
  const versions = await read()
  const end = startOfDayIn(addDays(day, 1), profile.timezone).getTime()
  for (const adType of adTypes) {
    const ofDay = versions.filter(version => version.adType === adType && version.date === day)
    expect(ofDay.length).toBeGreaterThan(2)
    for (const { fromAge, sums } of ofDay) {
      const at = new Date(end + fromAge * HOUR_MS)
      const facts = sandbox.world.market().facts(Number(profile.amazonProfileId), day, day, at, adType)
      expect({ adType, fromAge, sums }).toEqual({
        adType,
        fromAge,
        sums: addSums(facts.map(fact => sumsOfFact(fact, adType))),
      })
    }
    expect(ofDay.at(-1)?.toAge).toBeGreaterThan(16 * 24)
  }
  // Of days that began before the subscription only a part was sent.
  expect(versions.every(({ date }) => date > addDays(dayIn(now, profile.timezone), -27))).toBe(true)
  const { rows } = await sql<{
    curves: (object | null)[]
  }>`select settling #> '{adTypes,SPONSORED_PRODUCTS,curves}' as curves
    from metrics_state where profile_id = ${profile.profileId}`.execute(services.db.system)
  expect(rows[0]?.curves.every(curve => curve !== null)).toBe(true)
}
