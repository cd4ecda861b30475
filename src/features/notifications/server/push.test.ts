import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openPushScene, type PushScene } from '../../../../tests/support/push-scene.ts'
import { notifyLaunchEnd, purgeNotifications } from './jobs.ts'

let scene: PushScene
beforeAll(async () => {
  scene = await openPushScene()
})
afterEach(() => scene.sandbox.world.faults.clear())
afterAll(() => scene.close())

let launches = 0
function ended(person: { merchantId: number; accountId: number }, more: object = {}) {
  return {
    merchantId: person.merchantId,
    accountId: person.accountId,
    launchId: ++launches,
    name: 'Tide mugs – 港',
    status: 'COMPLETED' as const,
    finishedAt: '2026-03-10T10:00:00.000Z',
    ...more,
  }
}
const tell = (end: ReturnType<typeof ended>) => notifyLaunchEnd.run(scene.services, end, scene.job)
/** A user whose browser is about to be notified that a launch ended. */
async function waiting(more: object = {}) {
  const person = await scene.subscriber()
  const end = ended(person, more)
  await tell(end)
  return { ...person, end }
}
async function deliveriesTo(accountId: number) {
  const { rows } = await sql<{ state: string; attempts: number; last_error: string | null }>`
    select d.state, d.attempts, d.last_error from push_delivery d join notification n on n.id = d.notification_id
    where n.account_id = ${accountId} order by n.id`.execute(scene.services.db.system)
  return rows
}
async function knows({ endpoint }: Browser) {
  return (
    (await sql`select 1 from push_subscription where endpoint = ${endpoint}`.execute(scene.services.db.system)).rows
      .length === 1
  )
}
const fault = (kind: 'status' | 'throttle' | 'drop-after', more: object = {}) =>
  scene.sandbox.world.faults.add({ match: { vendor: 'push' }, kind, ...more })
async function sendingsToBe(subscriber: { accountId: number }) {
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from j.start_after - j.created_on)::float as wait from jobs.job j
    join push_delivery d on d.notification_id = (j.data->>'notificationId')::bigint
    join notification n on n.id = d.notification_id
    where j.name = 'send-push' and n.account_id = ${subscriber.accountId} order by j.created_on`.execute(
    scene.services.db.system,
  )
  return rows.map(row => Math.round(row.wait))
}

describe('the end of a launch', () => {
  test('arrives on the phone with the same text', async () => {
    const { browser, accountId, end } = await waiting()
    await scene.sendAll(accountId)
    const [push, ...more] = await scene.pushesTo(browser)
    expect(more).toEqual([])
    expect(push).toMatchObject({ urgency: 'normal', topic: `launch-${end.launchId}` })
    expect(push?.ttl).toBeGreaterThan(86_300)
    expect(JSON.parse(push?.payload ?? '')).toEqual({
      web_push: 8030,
      app_badge: 0,
      notification: {
        title: 'Campaign created successfully!',
        body: '“Tide mugs – 港” is enabled.',
        navigate: 'https://tideline.example/create-campaign-logs',
        tag: `launch-${end.launchId}`,
        renotify: true,
      },
    })
    expect(await deliveriesTo(accountId)).toEqual([{ state: 'ACCEPTED', attempts: 1, last_error: null }])
  })

  test('is sent once however often the job runs, and once more when a retry ends', async () => {
    const { browser, accountId, end } = await waiting({ status: 'PARTIAL' })
    await tell(end)
    await scene.sendAll(accountId)
    await tell(end)
    await scene.sendAll(accountId)
    expect(await scene.pushesTo(browser)).toMatchObject([{ urgency: 'high' }])
    await tell({ ...end, status: 'COMPLETED', finishedAt: '2026-03-10T10:05:00.000Z' })
    await scene.sendAll(accountId)
    const topic = `launch-${end.launchId}`
    expect(await scene.pushesTo(browser)).toMatchObject([
      { topic, urgency: 'normal' },
      { topic, urgency: 'high' },
    ])
  })

  test('reaches every browser of who launched, and nobody else', async () => {
    const [launcher, other] = [await scene.subscriber(), await scene.subscriber()]
    const second = await scene.newBrowser()
    await scene.subscribe(launcher.token, second)
    await tell(ended(launcher))
    await scene.sendAll(launcher.accountId)
    expect(await scene.pushesTo(launcher.browser)).toHaveLength(1)
    expect(await scene.pushesTo(second)).toHaveLength(1)
    expect(await scene.pushesTo(other.browser)).toEqual([])
  })

  test('is kept as a row that other tenants cannot read, also where nobody takes pushes', async () => {
    const [person, other] = [await scene.newPerson(), await scene.newPerson()]
    await tell(ended(person, { status: 'FAILED' }))
    const rowsFor = (merchantId: number) =>
      scene.services.db.reading(merchantId, tx =>
        tx.selectFrom('notification').selectAll().where('account_id', '=', person.accountId).execute(),
      )
    expect(await rowsFor(person.merchantId)).toMatchObject([
      { kind: 'LAUNCH_FAILED', url: '/create-campaign-logs', read_at: null },
    ])
    expect(await rowsFor(other.merchantId)).toEqual([])
    expect(await deliveriesTo(person.accountId)).toEqual([])
  })
})

describe('a push service that answers', () => {
  test.each([404, 410])('%i has the browser forgotten', async status => {
    const { browser, accountId } = await waiting()
    fault('status', { status })
    await scene.sendAll(accountId)
    expect(await knows(browser)).toBe(false)
    expect(await deliveriesTo(accountId)).toEqual([])
  })

  test.each([400, 401, 403, 413])('%i is our own fault: not repeated, and the browser stays', async status => {
    const { browser, accountId } = await waiting()
    fault('status', { status })
    await scene.sendAll(accountId)
    await scene.sendAll(accountId)
    expect(await deliveriesTo(accountId)).toMatchObject([
      { state: 'REFUSED', attempts: 1, last_error: expect.stringContaining(`${status}`) },
    ])
    expect(await knows(browser)).toBe(true)
    expect(await scene.pushesTo(browser)).toEqual([])
  })

  test('that it has enough is sent to again, not before it said', async () => {
    const person = await waiting()
    fault('throttle', { retryAfterSeconds: 120 })
    await scene.sendAll(person.accountId)
    expect(await deliveriesTo(person.accountId)).toMatchObject([{ state: 'PENDING', attempts: 1 }])
    expect(await sendingsToBe(person)).toEqual([0, 120])
    await scene.sendAll(person.accountId)
    expect(await scene.pushesTo(person.browser)).toHaveLength(1)
  })

  test('503 and then 500 is sent to again after longer and longer', async () => {
    const person = await waiting()
    for (const status of [503, 500]) {
      fault('status', { status })
      await scene.sendAll(person.accountId)
    }
    expect(await sendingsToBe(person)).toEqual([0, 1, 2])
    await scene.sendAll(person.accountId)
    expect(await deliveriesTo(person.accountId)).toMatchObject([{ state: 'ACCEPTED', attempts: 3 }])
  })

  test('nothing at all, though it has the push, may show it twice but under one tag', async () => {
    const { browser, accountId } = await waiting()
    fault('drop-after')
    await scene.sendAll(accountId)
    await scene.sendAll(accountId)
    const topics = (await scene.pushesTo(browser)).map(push => push.topic)
    expect([topics.length, new Set(topics).size]).toEqual([2, 1])
  })
})

describe('a push is not sent', () => {
  test('once it stopped to matter, nor tried again beyond that', async () => {
    const late = await waiting()
    const throttled = await waiting()
    fault('throttle', { retryAfterSeconds: 2 * 86_400 })
    await scene.sendAll(throttled.accountId)
    expect(await deliveriesTo(throttled.accountId)).toMatchObject([{ state: 'EXPIRED' }])
    scene.advance(86_400_000)
    await scene.subscribe((await scene.logIn(late.accountId)).token, late.browser)
    await scene.sendAll(late.accountId)
    expect(await deliveriesTo(late.accountId)).toMatchObject([{ state: 'EXPIRED' }])
    expect(await scene.pushesTo(late.browser)).toEqual([])
  })

  test('to a browser that another user took over meanwhile', async () => {
    const { browser, accountId } = await waiting()
    const next = await scene.newPerson()
    expect((await scene.subscribe(next.token, browser)).status).toBe(204)
    await scene.sendAll(accountId)
    expect(await scene.pushesTo(browser)).toEqual([])
    await tell(ended(next))
    await scene.sendAll(next.accountId)
    expect(await scene.pushesTo(browser)).toHaveLength(1)
  })

  test('where there is no key: the notification is there all the same', async () => {
    const person = await scene.subscriber()
    const before = scene.services.integrations.webPush
    scene.useKeys()
    await tell(ended(person))
    scene.services.integrations.webPush = before
    expect(await deliveriesTo(person.accountId)).toEqual([])
    expect(await knows(person.browser)).toBe(true)
  })
})

test('notifications are deleted after 180 days, and so are the browsers of expired sessions', async () => {
  const { browser, accountId } = await waiting()
  await purgeNotifications.run(scene.services, {}, scene.job)
  expect([await knows(browser), (await deliveriesTo(accountId)).length]).toEqual([true, 1])
  scene.advance(181 * 86_400_000)
  await purgeNotifications.run(scene.services, {}, scene.job)
  expect([await knows(browser), (await deliveriesTo(accountId)).length]).toEqual([false, 0])
})

describe('a test push', () => {
  const askFor = async (person: { token: string }, endpoint: string) => {
    const answer = await scene.call(person.token, '/push/test', { method: 'POST', body: { endpoint } })
    return { status: answer.status, ...(answer.json() as object) }
  }

  test('arrives at this browser only, and says what happened', async () => {
    const person = await scene.subscriber()
    const other = await scene.newBrowser()
    await scene.subscribe(person.token, other)
    expect(await askFor(person, person.browser.endpoint)).toMatchObject({ status: 200, outcome: 'ACCEPTED' })
    expect(await scene.pushesTo(person.browser)).toHaveLength(1)
    expect(await scene.pushesTo(other)).toEqual([])
    fault('status', { status: 503 })
    expect(await askFor(person, other.endpoint)).toMatchObject({ outcome: 'LATER' })
    fault('status', { status: 410 })
    expect(await askFor(person, other.endpoint)).toMatchObject({ outcome: 'GONE' })
    expect((await askFor(person, other.endpoint)).status).toBe(404)
  })

  test('is not sent to somebody else’s browser', async () => {
    const [person, stranger] = [await scene.subscriber(), await scene.subscriber()]
    expect((await askFor(stranger, person.browser.endpoint)).status).toBe(404)
    expect(await scene.pushesTo(person.browser)).toEqual([])
  })
})
