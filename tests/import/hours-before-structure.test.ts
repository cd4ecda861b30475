import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Profile } from '#features/accounts/server/public.ts'
import { deleteOldRecordsJob } from '#features/metrics/server/jobs.ts'
import { placeHours, receiveHours, subscribeHours } from '#features/metrics/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { connectSeller } from '../support/connected-seller.ts'
import { bookedHours, receivedHours } from '../support/hour-sums.ts'
import { servicesWithOutside } from '../support/outside.ts'

// A campaign made at the marketplace itself has figures within the hour, and is mirrored within the day.

type Opened = Awaited<ReturnType<typeof servicesWithOutside>>
let opened: Opened
let services: Services
let profile: Profile
let firstHour: Date

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const signal = new AbortController().signal
/** The product's own time, which the test moves. */
let passedMs = 0
const now = () => new Date(Date.now() + passedMs)
const job = { id: 'job', attempt: 0, lastAttempt: false, signal }

beforeAll(async () => {
  opened = await servicesWithOutside()
  services = { ...opened.services, clock: { now } }
  const seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
  profile = seller.profiles[0] as Profile
  await subscribeHours(services, profile)
  await receive()
  const { clock } = opened.sandbox.world
  firstHour = new Date(Math.ceil(clock.now().getTime() / HOUR_MS) * HOUR_MS)
  clock.set(firstHour)
})
afterAll(() => opened.services.close())

const receive = () => receiveHours(services, new Date(now().getTime() + 120_000), signal)
const ledger = () => bookedHours(opened.sandbox.world, profile, firstHour)
const received = () => receivedHours(services, profile, firstHour)
async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from stream_unplaced`.execute(services.db.system)
  return rows[0]?.n ?? 0
}
async function asOf(): Promise<number | null> {
  const { rows } = await sql<{ at: Date | null }>`select hourly_as_of as at from metrics_state
    where merchant_id = ${profile.merchantId} and profile_id = ${profile.profileId}`.execute(services.db.system)
  return rows[0]?.at?.getTime() ?? null
}
const twice = () =>
  opened.sandbox.world.faults.add({ kind: 'duplicate-delivery', times: 100, match: { vendor: 'sqs' } })
/** Makes one campaign as good as not mirrored, and answers the way back. */
async function unknownCampaign() {
  const busiest = await sql<{ id: number }>`select campaign_id as id from campaign_hour group by 1
    order by sum(impressions) desc limit 1`.execute(services.db.system)
  const id = busiest.rows[0]?.id ?? 0
  const rename = (as: string) =>
    sql`update campaign set amazon_id = ${sql.raw(as)} where id = ${id}`.execute(services.db.system)
  await rename("'-' || amazon_id")
  return () => rename('substr(amazon_id, 2)')
}

test('hours of campaigns that are not mirrored yet wait, and count once when they are', async () => {
  opened.sandbox.world.clock.advance(12 * HOUR_MS)
  twice()
  expect(await receive()).toBe(0)
  expect(await waiting()).toBeGreaterThan(0)
  expect([await received(), await asOf()]).toEqual([{}, null])
  await importStructure(services, profile, { signal, onProgress: async () => undefined })
  // Two at once, as two processes may.
  await Promise.all([placeHours(services, signal), placeHours(services, signal)])
  const books = ledger()
  expect(Object.keys(books).length).toBeGreaterThanOrEqual(4)
  expect(await received()).toEqual(books)
  expect(await waiting()).toBe(0)
  expect(await asOf()).toBeGreaterThan(now().getTime() - 60_000)
})

test('while some wait the figures are as old as the first of them, and the next reading places what it can', async () => {
  const campaignId = await unknownCampaign()
  passedMs += HOUR_MS
  opened.sandbox.world.clock.advance(12 * HOUR_MS)
  twice()
  const firstWaits = now().getTime()
  await receive()
  expect(await waiting()).toBeGreaterThan(0)
  passedMs += 5 * HOUR_MS
  opened.sandbox.world.clock.advance(12 * HOUR_MS)
  await receive()
  expect(await received()).not.toEqual(ledger())
  expect(await asOf()).toBeGreaterThanOrEqual(firstWaits)
  expect(await asOf()).toBeLessThan(firstWaits + HOUR_MS)
  await campaignId()
  await receive()
  expect(await received()).toEqual(ledger())
  expect(await waiting()).toBe(0)
  expect(await asOf()).toBeGreaterThan(firstWaits + 5 * HOUR_MS - 1)
})

test('what belongs to nobody after 15 days is forgotten, and requests of reports and what pulls left behind', async () => {
  await unknownCampaign()
  opened.sandbox.world.clock.advance(12 * HOUR_MS)
  await receive()
  const unplaced = await waiting()
  expect(unplaced).toBeGreaterThan(0)
  const { merchantId, profileId } = profile
  const date = now().toISOString().slice(0, 10)
  await sql`insert into report_request (merchant_id, profile_id, kind, start_date, end_date, requested_at)
    values (${merchantId}, ${profileId}, 'CAMPAIGN', ${date}, ${date}, ${now()})`.execute(services.db.system)
  const stage = () =>
    sql`insert into report_row (merchant_id, pull, date, amazon_id, staged_at)
      values (${merchantId}, gen_random_uuid(), ${date}, '1', ${now()})`.execute(services.db.system)
  const left = async () => {
    const { rows } = await sql<{ requests: number; staged: number }>`select
      (select count(*)::int from report_request where kind = 'CAMPAIGN') as requests,
      (select count(*)::int from report_row) as staged`.execute(services.db.system)
    return rows[0]
  }
  await stage()
  passedMs += 14 * DAY_MS
  await stage()
  await deleteOldRecordsJob.run(services, {}, job)
  expect(await waiting()).toBe(unplaced)
  // The rows of a pull that may still be under way stay.
  expect(await left()).toEqual({ requests: 1, staged: 1 })
  passedMs += 2 * DAY_MS
  await deleteOldRecordsJob.run(services, {}, job)
  expect(await waiting()).toBe(0)
  expect(await left()).toEqual({ requests: 0, staged: 0 })
})
