import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alertRaised, alertSettled } from '#features/alerts/server/public.ts'
import { launchFinished } from '#features/launches/server/public.ts'
import { type Browser, openPushScene, type PushScene } from '../../../../tests/support/push-scene.ts'

let scene: PushScene
beforeAll(async () => {
  scene = await openPushScene()
  await scene.services.jobs.work(scene.services)
})
afterAll(() => scene.close())

async function rowOf({ endpoint }: Browser) {
  const { rows } = await sql<{ account_id: number; session_id: string; keys_sealed: string }>`
    select account_id, session_id, keys_sealed from push_subscription where endpoint = ${endpoint}`.execute(
    scene.services.db.system,
  )
  return rows[0]
}
const remove = (token: string, { endpoint }: Browser) =>
  scene.call(token, '/push/subscriptions', { method: 'DELETE', body: { endpoint } })

describe('a browser that subscribes', () => {
  test('is known once however often it says so, by its latest log-in, and its keys are sealed', async () => {
    const person = await scene.subscriber()
    const again = await scene.logIn(person.accountId)
    expect((await scene.subscribe(again.token, person.browser)).status).toBe(204)
    const row = await rowOf(person.browser)
    expect(row).toMatchObject({ account_id: person.accountId, session_id: again.sessionId })
    expect(row?.keys_sealed).toMatch(/^v1\.test\./)
    const { rows } = await sql<{ text: string }>`select row_to_json(s)::text as text from push_subscription s`.execute(
      scene.services.db.system,
    )
    for (const secret of Object.values(person.browser.keys))
      expect(rows.filter(({ text }) => text.includes(secret))).toEqual([])
  })

  test.each([
    ['at an address inside', { endpoint: 'http://169.254.169.254/latest' }, 422],
    ['at the database', { endpoint: 'http://localhost:5432/x' }, 422],
    ['at no address', { endpoint: 'push' }, 400],
    ['with keys that are none', { keys: { p256dh: 'AAAA', auth: 'AAAA' } }, 422],
    ['with a key of ours that is not in use', { publicKey: 'BOld' }, 409],
  ])('%s is refused', async (_, more, status) => {
    const person = await scene.newPerson()
    const browser = await scene.newBrowser()
    expect((await scene.subscribe(person.token, browser, more)).status).toBe(status)
    expect(await rowOf(browser)).toBeUndefined()
  })

  test('beyond twenty takes the place of the one not seen for longest', async () => {
    const person = await scene.newPerson()
    const browsers: Browser[] = []
    for (let i = 0; i < 21; i++) {
      const browser = await scene.newBrowser()
      browsers.push(browser)
      await scene.subscribe(person.token, browser)
    }
    const stored = await Promise.all(browsers.map(async b => (await rowOf(b)) !== undefined))
    expect(stored).toEqual([false, ...Array<boolean>(20).fill(true)])
  })
})

describe('somebody else', () => {
  test('can neither read nor remove a browser, nor take it without its keys', async () => {
    const { browser, accountId, merchantId } = await scene.subscriber()
    const stranger = await scene.newPerson()
    const { keys } = await scene.newBrowser()
    expect((await scene.subscribe(stranger.token, { ...browser, keys })).status).toBe(409)
    expect((await remove(stranger.token, browser)).status).toBe(204)
    expect(await rowOf(browser)).toMatchObject({ account_id: accountId })
    for (const table of ['push_subscription', 'push_delivery'])
      for (const tenant of [merchantId, stranger.merchantId])
        await expect(
          scene.services.db.reading(tenant, tx => sql`select 1 from ${sql.table(table)}`.execute(tx)),
        ).rejects.toThrow('permission denied')
  })

  test('who signs in at the same browser takes it over', async () => {
    const { browser } = await scene.subscriber()
    const next = await scene.newPerson()
    expect((await scene.subscribe(next.token, browser)).status).toBe(204)
    expect(await rowOf(browser)).toMatchObject({ account_id: next.accountId, session_id: next.sessionId })
  })

  test('without a log-in gets nothing', async () => {
    const browser = await scene.newBrowser()
    for (const answer of [await scene.subscribe('x', browser), await remove('x', browser)])
      expect(answer.status).toBe(401)
    expect((await scene.call('x', '/push/public-key')).status).toBe(401)
  })
})

describe('a browser is forgotten', () => {
  test('when its user switches pushes off', async () => {
    const { browser, token } = await scene.subscriber()
    expect((await remove(token, browser)).status).toBe(204)
    expect((await remove(token, browser)).status).toBe(204)
    expect(await rowOf(browser)).toBeUndefined()
  })

  test('when its log-in ends, and no other with it', async () => {
    const { browser, token, accountId } = await scene.subscriber()
    const elsewhere = await scene.newBrowser()
    await scene.subscribe((await scene.logIn(accountId)).token, elsewhere)
    const out = await scene.call(token, '/auth/logout', { method: 'POST', body: { refreshToken: 'none' } })
    expect(out.status).toBe(204)
    await expect.poll(() => rowOf(browser)).toBeUndefined()
    expect(await rowOf(elsewhere)).toBeDefined()
  })
})

test('the queue carries a launch’s end to the phone by itself, if its transaction commits', async () => {
  const { browser, merchantId, accountId } = await scene.subscriber()
  const end = {
    merchantId,
    accountId,
    launchId: 1,
    name: 'Mugs',
    status: 'COMPLETED',
    finishedAt: '2026-03-10T10:00:00Z',
  } as const
  const { jobs, db } = scene.services
  const undone = db.tenant(merchantId, async tx => {
    await jobs.announce(tx, launchFinished, end)
    throw new Error('rolled back')
  })
  await expect(undone).rejects.toThrow('rolled back')
  await db.tenant(merchantId, tx => jobs.announce(tx, launchFinished, end))
  await expect.poll(() => scene.pushesTo(browser)).toHaveLength(1)
})

test('a browser gets the current key, or learns that there is none', async () => {
  const { token } = await scene.newPerson()
  const key = async () => (await scene.call(token, '/push/public-key')).json() as { publicKey: string | null }
  expect(await key()).toEqual({ publicKey: scene.services.integrations.webPush.current?.publicKey })
  const browser = await scene.newBrowser()
  scene.useKeys()
  expect(await key()).toEqual({ publicKey: null })
  const refused = await scene.subscribe(token, browser, { publicKey: 'BAny' })
  expect([refused.status, refused.json()]).toMatchObject([
    422,
    { message: 'This server does not send push notifications.' },
  ])
  scene.useKeys(scene.vapid())
})

test('the queue carries an alert to the phone and its end to the app, and tells every open page', async () => {
  const { browser, token, merchantId, accountId } = await scene.subscriber()
  const { jobs, db, events } = scene.services
  const heard: string[] = []
  const stop = events.subscribe(accountId, ({ type }) => void heard.push(type))
  const cause = 'payment-1'
  await db.tenant(merchantId, tx =>
    jobs.announce(tx, alertRaised, {
      merchantId,
      profileId: null,
      campaignId: null,
      kind: 'PAYMENT_PROBLEM',
      cause,
      occasion: 'today',
      title: 'Payment failed',
      body: 'No ads are shown until it works again.',
      url: '/connections',
      evidence: [],
      stakeMicros: null,
      currency: null,
      actions: [],
      happenedAt: new Date().toISOString(),
    }),
  )
  await expect.poll(() => scene.pushesTo(browser)).toMatchObject([{ topic: cause, urgency: 'high' }])
  const counts = async () => (await scene.call(token, '/notifications/counts')).json() as object
  expect(await counts()).toEqual({ unreadCount: 1, openCount: 1 })
  await db.tenant(merchantId, tx => jobs.announce(tx, alertSettled, { merchantId, cause }))
  await expect.poll(counts).toEqual({ unreadCount: 1, openCount: 0 })
  await scene.call(token, '/notifications/read-all', { method: 'POST' })
  await expect.poll(() => heard).toEqual(['notifications', 'notifications', 'notifications'])
  stop()
})
