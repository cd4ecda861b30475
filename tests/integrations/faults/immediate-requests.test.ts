import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connectSeller } from '../../support/connected-seller.ts'
import { type FaultOrder, openProductScene, type ProductScene } from '../../support/product-scene.ts'
import { tableState } from '../../support/table-state.ts'

// A screen that asks the marketplace while the user waits: may these products be advertised?

const seller = { login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX', country: 'US' }
let scene: ProductScene
beforeAll(async () => {
  scene = await openProductScene(seller)
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const ask = () => scene.call('POST', '/products/eligibility/check', { asins: ['B0DRIFT001'] })
const order = (fault: FaultOrder) =>
  scene.order({ match: { vendor: 'ads', path: '/eligibility/product/list' }, ...fault })
const callCount = () => scene.world.journal.list({ vendor: 'ads', path: '/eligibility/product/list' }).length
const renewals = () => scene.world.journal.list({ vendor: 'lwa', path: '/lwa/auth/o2/token' }).length

const passing: [string, FaultOrder][] = [
  ['throttle that says for how long', { kind: 'throttle', retryAfterSeconds: 0.02 }],
  ['throttle that does not', { kind: 'throttle', retryAfterSeconds: null, times: 2 }],
  ['status 500', { kind: 'status', status: 500 }],
  ['status 503', { kind: 'status', status: 503, times: 3 }],
  ['slow answer', { kind: 'slow', delayMs: 100 }],
  ['hang', { kind: 'hang' }],
  ['connection lost before', { kind: 'drop-before' }],
  ['connection lost after', { kind: 'drop-after' }],
  ['malformed answer', { kind: 'malformed' }],
  ['expired token', { kind: 'expired-token' }],
]

describe('a fault that passes is not seen', () => {
  test.each(passing)('%s', async (_, fault) => {
    order(fault)
    const answer = await ask()
    expect([answer.status, answer.body]).toMatchObject([200, [{ asin: 'B0DRIFT001' }]])
    expect(scene.world.faults.list()).toEqual([])
  })
})

const slowDown = 'The marketplace asks us to slow down. Please try again in a moment.'
const unreachable = 'The marketplace cannot be reached right now. Please try again in a moment.'
const shutOut = 'The marketplace no longer accepts our permission. Open Connections and connect the account again.'

const lasting: [FaultOrder, number, string, string, string | undefined, number][] = [
  [{ kind: 'throttle', retryAfterSeconds: 60 }, 503, 'UPSTREAM_UNAVAILABLE', slowDown, '60', 1],
  [{ kind: 'throttle', retryAfterSeconds: null }, 503, 'UPSTREAM_UNAVAILABLE', slowDown, '10', 4],
  [{ kind: 'status', status: 500 }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'status', status: 503 }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'status', status: 403 }, 502, 'UPSTREAM_UNAUTHORIZED', shutOut, undefined, 1],
  [{ kind: 'hang' }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'drop-before' }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'drop-after' }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'malformed' }, 503, 'UPSTREAM_UNAVAILABLE', unreachable, '10', 4],
  [{ kind: 'expired-token' }, 502, 'UPSTREAM_UNAUTHORIZED', shutOut, undefined, 2],
]

describe('a lasting fault is reported, costs no needless calls, and changes nothing', () => {
  test.each(lasting)('%j', async (fault, status, errorCode, message, retryAfter, calls) => {
    // Only a hang is waited out: a loaded machine may take longer than this for any answer.
    scene.calm(fault.kind === 'hang' ? { timeoutMs: 150 } : {})
    const before = await tableState(scene.services.db.system, 'product')
    scene.world.journal.clear()
    order({ times: 1000, ...fault })
    const answer = await ask()
    expect(answer).toMatchObject({ status, body: { errorCode, message } })
    expect(answer.retryAfter).toBe(retryAfter)
    expect(callCount()).toBe(calls)
    expect(await tableState(scene.services.db.system, 'product')).toEqual(before)
    // The user cannot fix any of these by a new consent, so the connection stays healthy.
    expect(await scene.health()).toEqual({ AMAZON_ADS: 'CONNECTED', SELLING_PARTNER: 'CONNECTED' })
    scene.calm()
    expect((await ask()).status).toBe(200)
  })
})

test('a rejected request is reported as rejected and not repeated', async () => {
  scene.world.journal.clear()
  const path = '/sp/targets/keywords/recommendations'
  scene.order({ match: { vendor: 'ads', path }, kind: 'status', status: 400, times: 1000 })
  const answer = await scene.call('POST', '/sp/recommendations/keywords', { asins: ['B0DRIFT001'], strategy: 'NORMAL' })
  const message = 'The marketplace did not accept the request.'
  expect(answer).toMatchObject({ status: 502, body: { errorCode: 'UPSTREAM_FAILED', message } })
  expect(scene.world.journal.list({ vendor: 'ads', path })).toHaveLength(1)
})

test('a marketplace that keeps failing is left alone for a while, and the answer says for how long', async () => {
  scene.calm({ circuitFailures: 5, circuitOpenMs: 30_000 })
  order({ kind: 'status', status: 503, times: 1000 })
  await ask()
  await ask()
  scene.world.journal.clear()
  const answer = await ask()
  expect(answer).toMatchObject({ status: 503, body: { errorCode: 'UPSTREAM_UNAVAILABLE', message: unreachable } })
  expect(Number(answer.retryAfter)).toBeGreaterThan(20)
  expect(callCount()).toBe(0)
})

describe('the log-in of the marketplace', () => {
  /** Two minutes are left of the access token. */
  const age = () =>
    scene.services.db.system
      .updateTable('connection')
      .set({ access_token_expires_at: new Date(Date.now() + 120_000) })
      .where('merchant_id', '=', scene.merchantId)
      .execute()
  const atLogin = (fault: FaultOrder) =>
    scene.order({ match: { vendor: 'lwa', path: '/auth/o2/token' }, times: 1000, ...fault })

  test.each<[FaultOrder, string]>([
    [{ kind: 'throttle', retryAfterSeconds: null }, slowDown],
    [{ kind: 'status', status: 503 }, unreachable],
    [{ kind: 'hang' }, unreachable],
    [{ kind: 'drop-before' }, unreachable],
    [{ kind: 'malformed' }, unreachable],
    // Our own secret is rejected, which the user cannot fix.
    [{ kind: 'status', status: 401, body: { error: 'invalid_client', error_description: 'no' } }, unreachable],
  ])('that fails by %j loses no connection', async (fault, message) => {
    scene.calm({ timeoutMs: 150 })
    await age()
    atLogin(fault)
    expect(await ask()).toMatchObject({ status: 503, body: { errorCode: 'UPSTREAM_UNAVAILABLE', message } })
    expect(await scene.health()).toMatchObject({ AMAZON_ADS: 'CONNECTED' })
    scene.calm()
    scene.world.journal.clear()
    expect((await ask()).status).toBe(200)
    expect(renewals()).toBe(1)
  })
})

// Last, since it takes the connection away.
test('a revoked permission is reported, not used again, and works again after a new consent', async () => {
  order({ kind: 'revoked-grant' })
  const unauthorized = { status: 502, body: { errorCode: 'UPSTREAM_UNAUTHORIZED' } }
  expect(await ask()).toMatchObject(unauthorized)
  expect(await scene.health()).toEqual({ AMAZON_ADS: 'LOST', SELLING_PARTNER: 'CONNECTED' })
  scene.world.journal.clear()
  expect(await ask()).toMatchObject(unauthorized)
  expect(scene.world.journal.list({})).toEqual([])
  const again = await connectSeller(scene.services, { ...seller, accountId: scene.accountId, countries: ['US'] })
  expect(again.merchantId).toBe(scene.merchantId)
  expect(await scene.health()).toEqual({ AMAZON_ADS: 'CONNECTED', SELLING_PARTNER: 'CONNECTED' })
  expect((await ask()).status).toBe(200)
})
