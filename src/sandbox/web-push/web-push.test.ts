import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import webPush, { type PushSubscription, type RequestOptions } from 'web-push'
import { type Sandbox, startSandbox } from '../start-sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'new-seller' })
})
afterAll(() => sandbox.close())
beforeEach(() => {
  sandbox.world.faults.clear()
})

const keys = webPush.generateVAPIDKeys()
const control = (path: string, method: string, body?: object) => sandbox.control(method, `push${path}`, body)
const subscribe = async (applicationServerKey: string | null = keys.publicKey) =>
  (await (await control('/subscriptions', 'POST', { applicationServerKey })).json()) as PushSubscription
const tokenOf = ({ endpoint }: PushSubscription) => endpoint.split('/').at(-1)
async function pushesTo({ endpoint }: PushSubscription) {
  const all = (await (await control('', 'GET')).json()) as { endpoint: string; payload: string | null }[]
  return all.filter(push => push.endpoint === endpoint)
}

const without = (name: string, headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))
/** As any application would, but over plain http. */
async function send(
  to: PushSubscription,
  text = 'Hello',
  options: RequestOptions = {},
  change: (headers: Record<string, string>) => object = headers => headers,
) {
  const details = webPush.generateRequestDetails(to, text, {
    vapidDetails: { subject: 'mailto:ops@tideline.test', ...keys },
    TTL: 60,
    ...options,
  })
  return fetch(details.endpoint, {
    method: 'POST',
    headers: change(details.headers) as Record<string, string>,
    body: new Uint8Array(details.body),
  })
}

test('what a real library encrypts is read as it was written', async () => {
  const device = await subscribe()
  const answer = await send(device, 'Tidal mugs are live – 港', { urgency: 'high', topic: 'launch-42' })
  expect([answer.status, answer.headers.get('ttl')]).toEqual([201, '60'])
  expect(answer.headers.get('location')).toContain('/push/message/')
  expect(await pushesTo(device)).toMatchObject([
    {
      payload: 'Tidal mugs are live – 港',
      ttl: 60,
      urgency: 'high',
      topic: 'launch-42',
      deliveredAt: expect.any(String),
    },
  ])
})

test('a push encrypted for another browser reads as nothing', async () => {
  const [device, other] = [await subscribe(), await subscribe()]
  expect((await send({ ...device, keys: other.keys })).status).toBe(201)
  expect(await pushesTo(device)).toMatchObject([{ payload: null }])
})

test('only the application that the browser subscribed to may send, signed for this service', async () => {
  const device = await subscribe()
  const stranger = { subject: 'mailto:x@x.test', ...webPush.generateVAPIDKeys() }
  expect((await send(device, 'x', { vapidDetails: stranger })).status).toBe(403)
  expect((await send(await subscribe(null), 'x', { vapidDetails: stranger })).status).toBe(201)
  expect((await send(device, 'x', {}, headers => without('Authorization', headers))).status).toBe(401)
  const elsewhere = webPush.getVapidHeaders(
    'https://x.test',
    'mailto:x@x.test',
    keys.publicKey,
    keys.privateKey,
    'aes128gcm',
  )
  expect((await send(device, 'x', {}, headers => ({ ...headers, ...elsewhere }))).status).toBe(401)
  const forged = webPush.getVapidHeaders(
    sandbox.url,
    'mailto:x@x.test',
    keys.publicKey,
    stranger.privateKey,
    'aes128gcm',
  )
  expect((await send(device, 'x', {}, headers => ({ ...headers, ...forged }))).status).toBe(401)
})

test('a request that violates the protocol is rejected', async () => {
  const device = await subscribe()
  expect((await send(device, 'x', {}, headers => without('TTL', headers))).status).toBe(400)
  expect((await send(device, 'x', {}, headers => ({ ...headers, Urgency: 'now' }))).status).toBe(400)
  expect((await send(device, 'x', {}, headers => ({ ...headers, Topic: 'a'.repeat(33) }))).status).toBe(400)
  expect((await send(device, 'x', {}, headers => ({ ...headers, 'Content-Encoding': 'aesgcm' }))).status).toBe(400)
  expect((await send(device, 'x'.repeat(3993))).status).toBe(201)
  expect((await send(device, 'x'.repeat(3994))).status).toBe(413)
})

test('a browser that never was is 404, one that unsubscribed 410', async () => {
  const device = await subscribe()
  expect((await send({ ...device, endpoint: `${device.endpoint}x` })).status).toBe(404)
  await control(`/subscriptions/${tokenOf(device)}`, 'DELETE')
  expect((await send(device)).status).toBe(410)
})

test('off the network messages wait, the newest of a topic, and no longer than their time', async () => {
  const device = await subscribe()
  const online = (is: boolean) => control(`/subscriptions/${tokenOf(device)}`, 'PATCH', { online: is })
  await online(false)
  await send(device, 'old', { topic: 'launch-1' })
  await send(device, 'new', { topic: 'launch-1' })
  await send(device, 'short', { TTL: 1 })
  expect(await pushesTo(device)).toMatchObject([{ payload: 'short' }, { payload: 'new', deliveredAt: null }])
  sandbox.world.clock.advance(2000)
  await online(true)
  expect(await pushesTo(device)).toMatchObject([{ payload: 'new', deliveredAt: expect.any(String) }])
  await online(false)
  await send(device, 'too late')
  sandbox.world.clock.advance(61_000)
  await online(true)
  expect((await pushesTo(device)).map(push => push.payload)).toEqual(['new'])
})

test('faults get the service’s own error format', async () => {
  const device = await subscribe()
  const fault = (kind: 'throttle' | 'status' | 'revoked-grant', more = {}) =>
    sandbox.world.faults.add({ match: { vendor: 'push', path: '/send/*' }, kind, ...more })
  fault('throttle', { retryAfterSeconds: 7 })
  const throttled = await send(device)
  expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '7'])
  expect(await throttled.json()).toMatchObject({ code: 429, error: 'Too Many Requests' })
  fault('status', { status: 503 })
  expect((await send(device)).status).toBe(503)
  fault('revoked-grant')
  expect((await send(device)).status).toBe(410)
  expect((await send(device)).status).toBe(410)
  expect(await pushesTo(device)).toEqual([])
})
