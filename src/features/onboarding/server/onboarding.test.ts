import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { type ConnectedSeller, connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { tableState } from '../../../../tests/support/table-state.ts'
import { onboardingEndpoints } from '../contract.ts'
import { onboardingJobs } from './jobs.ts'
import { fillProductTrade } from './jobs/fill-product-trade.job.ts'
import { keepFresh } from './jobs/refresh-profile.job.ts'
import { refreshProfile } from './jobs/refresh-profile.job.ts'
import { seedProfile } from './jobs/seed-profile.job.ts'
import { startSeeding } from './jobs/seed-profile.job.ts'
import { listActiveSeeding } from './seeding.ts'
import { retrySeeding } from './seeding.ts'
import { noteRefresh } from './jobs/refresh-profile.job.ts'

type Opened = Awaited<ReturnType<typeof servicesWithOutside>>
let opened: Opened
let services: Services
let seller: ConnectedSeller

const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const owner = () => ({ merchantId: seller.merchantId, profileId: seller.profiles[0]?.profileId ?? 0 })
const start = () => startSeeding.run(services, { merchantId: owner().merchantId, profileIds: [owner().profileId] }, run)
async function items() {
  const answer = await listActiveSeeding(seller.ctx)
  expect(v.parse(onboardingEndpoints.activeSeeding.response, answer)).toEqual(answer)
  return answer.map(item => [item.kind, item.status])
}
/** How many jobs of a kind wait in the queue. */
async function waiting(job: { name: string }) {
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from jobs.job where name = ${job.name} and state = 'created'`.execute(services.db.system)
  return rows[0]?.n ?? 0
}
async function fault(order: object) {
  const reply = await opened.sandbox.control('POST', 'faults', { times: 1000, ...order })
  expect(reply.status).toBe(201)
}
const noFaults = () => opened.sandbox.control('DELETE', 'faults')

beforeAll(async () => {
  opened = await servicesWithOutside({ jobs: onboardingJobs })
  services = opened.services
  seller = await connectSeller(services, {
    login: 'seller@sandbox.test',
    sellerId: 'A4DRIFTWOODUSX',
    countries: ['US'],
  })
})
afterEach(async () => {
  await noFaults()
})
afterAll(() => opened.services.close())

test('a connected account has four imports, however often the connection is announced', async () => {
  await start()
  await start()
  expect(await items()).toEqual([
    ['STRUCTURE', 'PENDING'],
    ['INVENTORY', 'PENDING'],
    ['DAILY_FIGURES', 'PENDING'],
    ['HOURLY_FIGURES', 'PENDING'],
  ])
})

test('when the marketplace cannot be reached the job fails, to be tried again, and what did come in stays', async () => {
  await fault({ kind: 'status', status: 503, match: { vendor: 'ads', path: '/sp/keywords/list' } })
  await expect(seedProfile.run(services, owner(), run)).rejects.toThrow()
  expect(await items()).toEqual([
    ['STRUCTURE', 'IN_PROGRESS'],
    ['INVENTORY', 'COMPLETED'],
    ['DAILY_FIGURES', 'PENDING'],
    ['HOURLY_FIGURES', 'PENDING'],
  ])
})

test('after the last try what is not done has failed, in words for the user', async () => {
  await seedProfile.onFinalFailure?.(services, owner(), new Error('no route to host'))
  const failed = (await listActiveSeeding(seller.ctx)).filter(item => item.status === 'FAILED')
  expect(failed.map(item => item.kind)).toEqual(['STRUCTURE', 'DAILY_FIGURES', 'HOURLY_FIGURES'])
  expect(failed[0]?.description).toBe('This could not be imported. Please try again: nothing imported so far is lost.')
})

test('a failed import can be tried again by its owner alone, and only then', async () => {
  const [structure, ...others] = (await listActiveSeeding(seller.ctx)).filter(item => item.status === 'FAILED')
  if (!structure) throw new Error('nothing failed')
  const stranger = await callerOf(services, await addAccount(services))
  await expect(retrySeeding(stranger, structure.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const viewer = await addAccount(services, `${randomUUID()}@people.test`)
  await services.db.system
    .insertInto('membership')
    .values({ account_id: viewer, merchant_id: seller.merchantId, role: 'VIEWER', ended_at: null })
    .execute()
  const asViewer = await callerOf(services, viewer)
  await expect(retrySeeding(asViewer, structure.id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await retrySeeding(seller.ctx, structure.id)).toMatchObject({ id: structure.id, status: 'PENDING' })
  await expect(retrySeeding(seller.ctx, structure.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  for (const other of others) await retrySeeding(seller.ctx, other.id)
})

test('while the marketplace still asks for patience the job comes back later and nothing has failed', async () => {
  await fault({ kind: 'throttle', retryAfterSeconds: 1, match: { vendor: 'ads', path: '/reporting/*' } })
  await sql`delete from jobs.job where name = ${seedProfile.name}`.execute(services.db.system)
  await seedProfile.run(services, owner(), run)
  const daily = (await listActiveSeeding(seller.ctx)).find(item => item.kind === 'DAILY_FIGURES')
  expect(daily).toMatchObject({ status: 'IN_PROGRESS', description: 'Waiting for the marketplace' })
  expect(await waiting(seedProfile)).toBe(1)
})

test('once all is in, the account is refreshed by the clock, and sales by product are read day by day', async () => {
  await seedProfile.run(services, owner(), run)
  expect((await items()).map(([, status]) => status)).toEqual(Array(4).fill('COMPLETED'))
  const due = async (hoursAgo: number) => {
    await services.db.system.deleteFrom('refresh_state').execute()
    const at = new Date(services.clock.now().getTime() - hoursAgo * 3_600_000)
    await services.db.tenant(seller.merchantId, tx => noteRefresh(tx, owner(), 'WHOLE', at))
    const before = await waiting(refreshProfile)
    await keepFresh.run(services, {}, run)
    return (await waiting(refreshProfile)) - before
  }
  expect(await due(1)).toBe(0)
  const setStatus = (status: 'canceled' | 'trialing') =>
    services.db.system.updateTable('subscription').set({ status }).where('account_id', '=', seller.accountId).execute()
  await setStatus('canceled')
  expect(await due(9)).toBe(0)
  await setStatus('trialing')
  expect(await due(9)).toBe(1)
  // All but four days were read long ago, so that the marketplace's limit on reports is not met.
  await sql`insert into product_trade_pull (merchant_id, marketplace_id, date, pulled_at)
    select ${seller.merchantId}, ${seller.profiles[0]?.marketplaceId}, current_date - n, now() from generate_series(5, 100) as n`.execute(
    services.db.system,
  )
  const daysRead = async () => (await tableState(services.db.system, 'product_trade_pull')).rows
  const before = await daysRead()
  await fillProductTrade.run(services, owner(), run)
  const after = await daysRead()
  expect(after).toBeGreaterThanOrEqual(before + 3)
  await fillProductTrade.run(services, owner(), run)
  expect(await daysRead()).toBe(after)
  expect((await tableState(services.db.system, 'product_trade_day')).rows).toBeGreaterThan(0)
})

test('a day whose report cannot be made keeps no older day waiting', async () => {
  const readAnew = async () => {
    const { rows } = await sql<{ date: string }>`select date from product_trade_pull
      where date >= current_date - 2 order by date desc`.execute(services.db.system)
    return rows.length
  }
  const before = await readAnew()
  await sql`delete from product_trade_pull where date >= current_date - 2`.execute(services.db.system)
  await fault({ kind: 'report-failed', times: 1, match: { vendor: 'sp', method: 'POST', path: '/reports/*' } })
  await expect(fillProductTrade.run(services, owner(), run)).rejects.toThrow('could not make')
  expect(await readAnew()).toBe(before - 1)
  await fillProductTrade.run(services, owner(), run)
  expect(await readAnew()).toBe(before)
})

test('a refresh that the marketplace asks patience of comes back later and has not failed', async () => {
  await fault({ kind: 'throttle', retryAfterSeconds: 1, match: { vendor: 'ads', path: '/reporting/*' } })
  await sql`delete from jobs.job where name = ${refreshProfile.name}`.execute(services.db.system)
  await refreshProfile.run(services, { ...owner(), scope: 'RECENT' }, run)
  expect(await waiting(refreshProfile)).toBe(1)
})

test('an account that no longer accepts our permission keeps its data and is not tried forever', async () => {
  const figures = () => tableState(services.db.system, 'campaign_day')
  const before = await figures()
  expect(before.rows).toBeGreaterThan(0)
  await fault({ kind: 'revoked-grant', match: { vendor: 'ads' } })
  await refreshProfile.run(services, { ...owner(), scope: 'RECENT' }, run)
  await services.db.system
    .updateTable('seeding_job')
    .set({ status: 'PENDING' })
    .where('kind', '=', 'STRUCTURE')
    .execute()
  await seedProfile.run(services, owner(), run)
  const structure = (await listActiveSeeding(seller.ctx)).find(item => item.kind === 'STRUCTURE')
  expect(structure).toMatchObject({
    status: 'FAILED',
    description: 'The marketplace no longer accepts our permission. Connect the account again.',
  })
  expect(await figures()).toEqual(before)
  // A new connection is announced like the first one.
  await start()
  expect((await items())[0]).toEqual(['STRUCTURE', 'PENDING'])
})
