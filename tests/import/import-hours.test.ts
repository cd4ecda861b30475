import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveHours, subscribeHours } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
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
