import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { pushJobs } from '#features/structure/server/push/send-changes.ts'
import { connectSeller } from '../../support/connected-seller.ts'
import { type FaultOrder, openProductScene, type ProductScene } from '../../support/product-scene.ts'

// A seller changes a budget: it is shown at once as pending, sent by a job, and settles as taken or refused.

const seller = { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', country: 'US' }
let scene: ProductScene
let untouched: number[]
beforeAll(async () => {
  scene = await openProductScene(seller)
  await scene.importStructure()
  const { body } = await scene.call('GET', '/campaigns')
  const isOwn = (c: { state: string; adType: string }) => c.state === 'ENABLED' && c.adType === 'SPONSORED_PRODUCTS'
  untouched = body.filter(isOwn).map((c: { id: number }) => c.id)
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const own = async (id: number) => (await scene.call('GET', `/campaigns/${id}`)).body
const booked = (amazonId: string) => (scene.world.store.campaigns.get(amazonId)?.budgetMicros ?? 0) / 1e6
const sends = () => scene.world.journal.list({ vendor: 'ads', method: 'PUT', path: '/sp/campaigns' }).length
const campaigns = () => scene.world.store.campaigns.size
const order = (fault: FaultOrder) =>
  scene.order({ match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' }, times: 1000, ...fault })

/** Changes a campaign's budget as the screen does; answers it as it was. */
async function change() {
  const id = untouched.pop()
  if (id === undefined) throw new Error('the scenario has too few campaigns')
  const before = await own(id)
  const newBudget = Math.round(before.budget * 100 + 700) / 100
  const answer = await scene.call('POST', '/campaign/update', { campaignId: id, budget: newBudget }, before.version)
  expect(answer).toMatchObject({ status: 200, body: { budget: newBudget, syncState: 'PENDING' } })
  scene.world.journal.clear()
  return { ...(before as { id: number; amazonId: string; budget: number }), newBudget }
}
/** One run of the job that the change was sent with; answers whether the queue would try it again. */
async function push(lastAttempt = false): Promise<'settled' | 'again'> {
  const { merchantId, profileId } = scene.profile
  // The last try comes minutes after the first.
  if (lastAttempt)
    await sql`update campaign set updated_at = (select updated_at - interval '4 minutes') where merchant_id = ${merchantId} and sync_state = 'PENDING'`.execute(
      scene.services.db.system,
    )
  return pushJobs.campaign
    .run(
      scene.services,
      { merchantId, profileId, adType: 'SPONSORED_PRODUCTS' },
      { id: 'job', attempt: 0, lastAttempt, signal: new AbortController().signal },
    )
    .then(
      () => 'settled' as const,
      () => 'again' as const,
    )
}

const unclear: [FaultOrder, number][] = [
  [{ kind: 'throttle', retryAfterSeconds: 60 }, 1],
  [{ kind: 'throttle', retryAfterSeconds: null }, 4],
  [{ kind: 'status', status: 500 }, 1],
  [{ kind: 'status', status: 503 }, 1],
  [{ kind: 'hang' }, 1],
  [{ kind: 'drop-before' }, 1],
  [{ kind: 'drop-after' }, 1],
  [{ kind: 'malformed' }, 1],
  [{ kind: 'partial', items: [0], selector: 'throttledError', reason: 'THROTTLED' }, 1],
]

describe('a change whose fate is open stays pending, and is the marketplace’s in the end', () => {
  test.each(unclear)('%j', async (fault, calls) => {
    const before = await change()
    const held = campaigns()
    scene.calm({ timeoutMs: 200 })
    order(fault)
    expect(await push()).toBe('again')
    expect(sends()).toBe(calls)
    expect(await own(before.id)).toMatchObject({ syncState: 'PENDING', budget: before.newBudget })
    scene.calm()
    expect(await push()).toBe('settled')
    expect(await own(before.id)).toMatchObject({ syncState: 'SYNCED', syncError: null, budget: before.newBudget })
    expect(booked(before.amazonId)).toBe(before.newBudget)
    expect(campaigns()).toBe(held)
  })
})

const passing: FaultOrder[] = [
  { kind: 'throttle', retryAfterSeconds: 0.02, times: 2 },
  { kind: 'slow', delayMs: 100, times: 1 },
  { kind: 'expired-token', times: 1 },
]

test.each(passing)('a change meets %j without anybody noticing', async fault => {
  const before = await change()
  order(fault)
  expect(await push()).toBe('settled')
  expect(await own(before.id)).toMatchObject({ syncState: 'SYNCED', budget: before.newBudget })
  expect(booked(before.amazonId)).toBe(before.newBudget)
})

const notLetIn = 'The marketplace no longer accepts our permission. Please connect the account again.'
const final: [FaultOrder, string][] = [
  [
    { kind: 'partial', items: [0], selector: 'budgetError', reason: 'BUDGET_TOO_HIGH' },
    'The budget is above the marketplace’s maximum.',
  ],
  [{ kind: 'status', status: 403 }, notLetIn],
  [{ kind: 'expired-token' }, notLetIn],
]

test.each(final)('a change rejected with %j is reverted and says why', async (fault, words) => {
  const before = await change()
  order(fault)
  expect(await push()).toBe('settled')
  expect(await own(before.id)).toMatchObject({ syncState: 'FAILED', syncError: words, budget: before.budget })
  expect(booked(before.amazonId)).toBe(before.budget)
})

test('a change that nobody answered to the last is given up in words that say what to do', async () => {
  const before = await change()
  order({ kind: 'drop-before' })
  expect(await push(true)).toBe('again')
  expect(await own(before.id)).toMatchObject({
    syncState: 'FAILED',
    budget: before.budget,
    syncError:
      'The marketplace did not answer, so Tideline stopped trying. The next import shows the current values: please check them before you try again.',
  })
})

test('a change given up although it was made is seen after the next import', async () => {
  const before = await change()
  order({ kind: 'drop-after' })
  expect(await push(true)).toBe('again')
  scene.calm()
  await scene.importStructure()
  expect((await own(before.id)).budget).toBe(booked(before.amazonId))
  expect(booked(before.amazonId)).toBe(before.newBudget)
})

// Last, since it takes the connection away.
test('a change that meets a revoked permission says so, and succeeds once access is granted again', async () => {
  const before = await change()
  order({ kind: 'revoked-grant', times: 1 })
  expect(await push()).toBe('settled')
  expect(await own(before.id)).toMatchObject({ syncState: 'FAILED', syncError: notLetIn, budget: before.budget })
  expect(await scene.health()).toMatchObject({ AMAZON_ADS: 'LOST' })
  await connectSeller(scene.services, { ...seller, accountId: scene.accountId, countries: ['US'] })
  const now = await own(before.id)
  await scene.call('POST', '/campaign/update', { campaignId: before.id, budget: before.newBudget }, now.version)
  expect(await push()).toBe('settled')
  expect(booked(before.amazonId)).toBe(before.newBudget)
})
