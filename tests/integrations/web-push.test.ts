import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import webPush from 'web-push'
import { createWebPush, type PushMessage, type PushTarget, type WebPushOptions } from '#integrations/web-push/index.ts'
import { type Sandbox, startSandbox } from '#sandbox/start-sandbox.ts'
import type { NewFault } from '#sandbox/core/faults.ts'
import { startScriptedHost } from '../support/scripted-host.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'new-seller' })
})
afterAll(() => sandbox.close())
beforeEach(() => {
  sandbox.world.faults.clear()
  sandbox.world.journal.clear()
})

const key = (id: string) => ({ id, privateKey: webPush.generateVAPIDKeys().privateKey })
const [now, before] = [key('now'), key('before')]
const clock = { now: () => new Date() }
const openDoor = (more: Partial<WebPushOptions> = {}) =>
  createWebPush({ keys: [now, before], contact: 'mailto:ops@tideline.test', hosts: [sandbox.url], clock, ...more })

async function subscribe(door = openDoor()): Promise<PushTarget> {
  const answer = await sandbox.control('POST', 'push/subscriptions', { applicationServerKey: door.current?.publicKey })
  return { ...((await answer.json()) as Pick<PushTarget, 'endpoint' | 'keys'>), keyId: door.current?.id ?? '' }
}
function message(more: Partial<PushMessage> = {}): PushMessage {
  return {
    payload: JSON.stringify({ title: 'Your campaign runs – 港' }),
    ttlSeconds: 86_400,
    urgency: 'normal',
    topic: 'launch-42',
    ...more,
  }
}
async function pushesTo({ endpoint }: PushTarget) {
  const all = (await (await sandbox.control('GET', 'push')).json()) as { endpoint: string }[]
  return all.filter(push => push.endpoint === endpoint)
}
const fault = (more: Omit<NewFault, 'match'>) => sandbox.world.faults.add({ match: { vendor: 'push' }, ...more })

test('the browser reads what was sent, with its time, urgency and topic', async () => {
  const target = await subscribe()
  expect(await openDoor().send(target, message({ urgency: 'high' }))).toEqual({ outcome: 'accepted' })
  expect(await pushesTo(target)).toMatchObject([
    { payload: message().payload, ttl: 86_400, urgency: 'high', topic: 'launch-42' },
  ])
})

test('the largest payload is taken, one byte more is not sent', async () => {
  const target = await subscribe()
  expect(await openDoor().send(target, message({ payload: 'x'.repeat(3000) }))).toEqual({ outcome: 'accepted' })
  expect(await openDoor().send(target, message({ payload: 'x'.repeat(3001) }))).toMatchObject({ outcome: 'refused' })
  expect(sandbox.world.journal.list({ vendor: 'push' })).toHaveLength(1)
})

test('what the library will not sign is refused before it is sent', async () => {
  const target = await subscribe()
  expect(await openDoor({ contact: 'nobody' }).send(target, message())).toMatchObject({ outcome: 'refused' })
  expect(await openDoor().send(target, message({ topic: 'x'.repeat(33) }))).toMatchObject({ outcome: 'refused' })
})

test('a browser that subscribed with an older key is sent to with that, until it is retired', async () => {
  const target = await subscribe(openDoor({ keys: [before] }))
  expect(await openDoor().send(target, message())).toEqual({ outcome: 'accepted' })
  expect(await openDoor({ keys: [now] }).send(target, message())).toMatchObject({ outcome: 'gone' })
  expect(await openDoor().send({ ...target, keyId: 'now' }, message())).toMatchObject({ outcome: 'refused' })
})

describe('what an answer means', () => {
  test.each([
    [404, { outcome: 'gone' }],
    [410, { outcome: 'gone' }],
    [400, { outcome: 'refused' }],
    [401, { outcome: 'refused' }],
    [403, { outcome: 'refused' }],
    [413, { outcome: 'refused' }],
    [500, { outcome: 'retry' }],
    [503, { outcome: 'retry' }],
  ] as const)('%i', async (status, outcome) => {
    const target = await subscribe()
    fault({ kind: 'status', status })
    expect(await openDoor().send(target, message())).toEqual({
      ...outcome,
      reason: expect.stringContaining(`${status}`),
    })
  })

  test('a service that has enough says for how long', async () => {
    const target = await subscribe()
    fault({ kind: 'throttle', retryAfterSeconds: 90 })
    expect(await openDoor().send(target, message())).toMatchObject({ outcome: 'retry', retryAfterMs: 90_000 })
  })

  test('none at all, or one too late, may be tried again', async () => {
    const target = await subscribe()
    fault({ kind: 'drop-before' })
    expect(await openDoor().send(target, message())).toMatchObject({ outcome: 'retry' })
    fault({ kind: 'hang' })
    expect(await openDoor({ timeoutMs: 100 }).send(target, message())).toMatchObject({ outcome: 'retry' })
  })

  test('one that leads elsewhere is not followed', async () => {
    const inside = await startScriptedHost({ status: 200 })
    const service = await startScriptedHost({ status: 307, headers: { location: inside.url } })
    const target = { ...(await subscribe()), endpoint: `${service.url}/x` }
    expect(await openDoor({ hosts: [service.url] }).send(target, message())).toMatchObject({ outcome: 'refused' })
    expect(inside.seen).toEqual([])
    await Promise.all([inside.close(), service.close()])
  })
})

describe('who is called', () => {
  const accepts = async (endpoint: string): Promise<boolean> =>
    openDoor({ hosts: ['http://localhost:8081'] }).accepts({ ...(await subscribe()), endpoint })

  test.each([
    'https://fcm.googleapis.com/fcm/send/abc:def',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://wns2-db5p.notify.windows.com/w/?token=abc',
    'http://localhost:8081/push/send/abc',
  ])('%s', async endpoint => expect(await accepts(endpoint)).toBe(true))

  test.each([
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user:pass@fcm.googleapis.com/x',
    'https://fcm.googleapis.com.evil.test/x',
    'https://evilfcm.googleapis.com/x',
    'https://push.apple.com.evil.test/x',
    'https://evilpush.apple.com/x',
    'https://169.254.169.254/latest/meta-data',
    'http://localhost:5432/',
    'http://user@localhost:8081/x',
    'file:///etc/passwd',
    'nonsense',
  ])('never %s', async endpoint => expect(await accepts(endpoint)).toBe(false))

  test('nobody whose host is not allowed, and nobody with keys that are none', async () => {
    const target = await subscribe()
    expect(openDoor().accepts(target)).toBe(true)
    expect(openDoor({ hosts: [] }).accepts(target)).toBe(false)
    expect(await openDoor({ hosts: [] }).send(target, message())).toMatchObject({ outcome: 'gone' })
    const offCurve = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url')
    expect(openDoor().accepts({ ...target, keys: { ...target.keys, p256dh: offCurve } })).toBe(false)
    expect(openDoor().accepts({ ...target, keys: { ...target.keys, auth: 'short' } })).toBe(false)
    expect(sandbox.world.journal.list({ vendor: 'push' })).toEqual([])
  })
})

test('push is off without a key, and an invalid key fails at once', () => {
  expect(openDoor({ keys: [] }).current).toBeNull()
  expect(() => openDoor({ keys: [{ id: 'x', privateKey: Buffer.alloc(32).toString('base64url') }] })).toThrow(
    'not a private key of P-256',
  )
})
