import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import { openPushScene, type PushScene } from '../../../../tests/support/push-scene.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'
import { createJobs } from '#server/jobs/jobs.ts'
import { workOnDue } from './due.job.ts'
import { notifyAlert } from './jobs.ts'
import { sendPush } from './send-push.job.ts'

let scene: PushScene
beforeAll(async () => {
  scene = await openPushScene()
})
afterEach(() => scene.sandbox.world.faults.clear())
afterAll(() => scene.close())

/** A person with a browser and running campaigns. */
async function seller(count = 1) {
  const person = await scene.subscriber()
  const campaigns: number[] = []
  for (let i = 0; i < count; i++)
    campaigns.push((await addTestCampaign(scene.services, person, { name: `Bottles ${i}` })).campaignId)
  return { ...person, campaigns }
}
type Seller = Awaited<ReturnType<typeof seller>>

const raise = ({ merchantId, profileId, campaigns }: Seller, i = 0, more: object = {}) =>
  notifyAlert.run(
    scene.services,
    {
      merchantId,
      profileId,
      campaignId: campaigns[i] ?? 0,
      kind: 'OUT_OF_BUDGET',
      cause: `budget-${campaigns[i]}`,
      occasion: 'today',
      title: `Bottles ${i} is out of budget`,
      body: 'It stopped at 10:40.',
      url: '/campaigns',
      evidence: [
        { label: 'Used', format: 'percent', value: 100 },
        { label: 'Budget', format: 'money', value: 12.5 },
      ],
      stakeMicros: null,
      currency: 'USD',
      actions: ['PAUSE_CAMPAIGN', 'RAISE_BUDGET_TODAY'],
      ...more,
    },
    scene.job,
  )
interface Declared {
  app_badge: number
  notification: {
    title: string
    body: string
    tag: string
    navigate: string
    renotify?: boolean
    actions?: { action: string; title: string }[]
    data?: { tokens: Record<string, string> }
  }
}
/** What the person's browser was sent, oldest first. */
async function received({ accountId, browser }: Seller) {
  await scene.sendAll(accountId)
  const pushes = await scene.pushesTo(browser)
  return pushes.toReversed().map(push => ({ ...push, ...(JSON.parse(push.payload ?? '') as Declared) }))
}
async function tokensOf(person: Seller) {
  const tokens = (await received(person)).at(-1)?.notification.data?.tokens
  if (!tokens) throw new Error('the push has no buttons')
  return tokens
}
async function use(token = '') {
  const answer = await scene.call('nobody', `/notifications/actions/${token}`, { method: 'POST' })
  return { status: answer.status, ...(answer.json() as { message: string; errorCode?: string }) }
}
async function campaignOf({ campaigns }: Seller) {
  const { rows } = await sql<{ state: string; budget: number }>`
    select state, daily_budget_micros / 1e6 as budget from campaign where id = ${campaigns[0]}`.execute(
    scene.services.db.system,
  )
  return { state: rows[0]?.state, budget: Number(rows[0]?.budget) }
}
const run = (statement: ReturnType<typeof sql>) => statement.execute(scene.services.db.system)

describe('the push of an alert', () => {
  test('has urgency, buttons, the badge and the card’s address', async () => {
    const person = await seller()
    await raise(person)
    const [push, ...more] = await received(person)
    expect(more).toEqual([])
    expect(push).toMatchObject({ urgency: 'high', topic: `budget-${person.campaigns[0]}`, app_badge: 1 })
    expect(push?.ttl).toBeLessThanOrEqual(4 * 3600)
    expect(push?.notification).toMatchObject({
      title: 'Bottles 0 is out of budget',
      navigate: expect.stringMatching(/^https:\/\/tideline\.example\/notifications\?id=\d+$/),
      renotify: true,
      actions: [{ title: 'Pause' }, { title: '+20 % today' }, { title: 'Snooze 1 h' }],
    })
    const { rows } = await sql<{
      hash: string
    }>`select encode(token_hash, 'hex') as hash from notification_token`.execute(scene.services.db.system)
    for (const token of Object.values(push?.notification.data?.tokens ?? {}))
      expect(rows.some(({ hash }) => hash.includes(token))).toBe(false)
  })

  test('is repeated for a new occasion only, under the same topic', async () => {
    const person = await seller()
    await raise(person)
    await received(person)
    await raise(person, 0, { title: 'Changed' })
    expect(await received(person)).toHaveLength(1)
    await raise(person, 0, { occasion: 'tomorrow' })
    const [first, second] = await received(person)
    expect(second?.topic).toBe(first?.topic)
  })

  test('of several campaigns within a minute is one', async () => {
    const person = await seller(4)
    for (const i of [0, 1, 2]) await raise(person, i)
    const [push, ...more] = await received(person)
    expect(more).toEqual([])
    expect(push).toMatchObject({
      app_badge: 3,
      topic: `budget-${person.campaigns[0]}`,
      notification: {
        title: '3 campaigns need you',
        navigate: 'https://tideline.example/notifications',
        body: 'Bottles 0 is out of budget · Bottles 1 is out of budget · Bottles 2 is out of budget',
      },
    })
    scene.advance(30_000)
    await raise(person, 3)
    const later = (await received(person)).at(-1)
    // Only the last is still within the minute in which the first were raised, so it takes their place without a sound.
    expect(later).toMatchObject({ topic: push?.topic, notification: { title: '4 campaigns need you' } })
    expect(later?.notification.renotify).toBeUndefined()
    scene.advance(61_000)
    await raise(person, 0, { occasion: 'tomorrow' })
    expect((await received(person)).at(-1)?.notification.title).toBe('Bottles 0 is out of budget')
  })

  test('is not sent once it was decided or is over', async () => {
    const person = await seller()
    await raise(person)
    await notifyAlert.run(
      scene.services,
      { merchantId: person.merchantId, cause: `budget-${person.campaigns[0]}` },
      scene.job,
    )
    expect(await received(person)).toEqual([])
  })
})

describe('a button', () => {
  test('does what it says once, and answers the same twice', async () => {
    const person = await seller()
    await raise(person)
    const { PAUSE_CAMPAIGN: pause, RAISE_BUDGET_TODAY: more } = await tokensOf(person)
    expect(await use(pause)).toMatchObject({ status: 200, message: '“Bottles 0” is paused.', openCount: 0 })
    expect(await use(pause)).toMatchObject({ status: 200, message: '“Bottles 0” is paused.', openCount: 0 })
    expect((await campaignOf(person)).state).toBe('PAUSED')
    expect(await use(more)).toMatchObject({
      status: 409,
      message: 'This was decided already. “Bottles 0” is paused.',
    })
  })

  test('raises the budget by a fifth, for today', async () => {
    const person = await seller()
    await raise(person)
    expect(await use((await tokensOf(person)).RAISE_BUDGET_TODAY)).toMatchObject({ status: 200 })
    expect((await campaignOf(person)).budget).toBe(12)
  })

  test('snoozes', async () => {
    const person = await seller()
    await raise(person)
    expect(await use((await tokensOf(person)).SNOOZE)).toMatchObject({ message: 'Snoozed for 1 hour.', openCount: 0 })
    expect((await scene.call(person.token, '/notifications/counts')).json()).toMatchObject({ openCount: 0 })
    scene.advance(3_600_001)
    await workOnDue.run(scene.services, {}, scene.job)
    expect(await received(person)).toHaveLength(2)
  })

  test.each([
    [
      'it is made up',
      () => run(sql`delete from notification_token`),
      400,
      'This button has expired. Open Tideline to decide.',
    ],
    ['its day is over', () => scene.advance(86_400_000), 400, 'This button has expired. Open Tideline to decide.'],
    [
      'the session has ended',
      ({ sessionId }: Seller) =>
        run(sql`update session set ended_at = now(), end_reason = 'LOGOUT' where id = ${sessionId}`),
      400,
      'You are logged out on this device. Log in to decide.',
    ],
    [
      'the merchant is lost',
      ({ accountId }: Seller) => run(sql`update membership set ended_at = now() where account_id = ${accountId}`),
      403,
      'You no longer have access to this account.',
    ],
    [
      'the right is lost',
      ({ accountId }: Seller) => run(sql`update membership set role = 'VIEWER' where account_id = ${accountId}`),
      403,
      'You may look at this merchant, but not change it.',
    ],
  ])('is refused where %s', async (_, lose, status, message) => {
    const person = await seller()
    await raise(person)
    const { PAUSE_CAMPAIGN: pause } = await tokensOf(person)
    await lose(person)
    expect(await use(pause)).toMatchObject({ status, message })
    expect((await campaignOf(person)).state).toBe('ENABLED')
  })

  test('that acts is not for viewers', async () => {
    const person = await seller()
    await run(sql`update membership set role = 'VIEWER' where account_id = ${person.accountId}`)
    await raise(person)
    expect(Object.keys(await tokensOf(person))).toEqual(['SNOOZE'])
  })
})

describe('mail', () => {
  async function mailsTo({ accountId }: { accountId: number }) {
    const { rows } = await sql<{ subject: string; text: string }>`
      select m.subject, m.text from mail_outbox m join account a on a.email = m.to_address
      where a.id = ${accountId} order by m.id`.execute(scene.services.db.system)
    return rows
  }
  const due = () => workOnDue.run(scene.services, {}, scene.job)

  test('takes the place of a push that no device took within ten minutes, with all of them in one', async () => {
    const person = await seller(2)
    for (const i of [0, 1]) {
      scene.sandbox.world.faults.add({ match: { vendor: 'push' }, kind: 'throttle', retryAfterSeconds: 3600 })
      await raise(person, i)
    }
    await scene.sendAll(person.accountId)
    scene.advance(9 * 60_000)
    await due()
    expect(await mailsTo(person)).toEqual([])
    scene.advance(2 * 60_000)
    await due()
    await due()
    const [mail, ...more] = await mailsTo(person)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('2 things need a look at Tideline')
    expect(mail?.text).toContain('Test seller: Bottles 1 is out of budget')
    expect(mail?.text).toContain('Used: 100% · Budget: $12.50')
    expect(mail?.text).toContain('https://tideline.example/notifications')
  })

  test('is not sent where a device took the push, or the alert was read or is over', async () => {
    const [pushed, read, over] = [await seller(), await seller(), await seller()]
    for (const person of [pushed, read, over]) await raise(person)
    await scene.sendAll(pushed.accountId)
    await scene.call(read.token, '/notifications/read-all', { method: 'POST' })
    await notifyAlert.run(
      scene.services,
      { merchantId: over.merchantId, cause: `budget-${over.campaigns[0]}` },
      scene.job,
    )
    scene.advance(11 * 60_000)
    await due()
    for (const person of [pushed, read, over]) expect(await mailsTo(person)).toEqual([])
  })

  test('always comes where the kind says so', async () => {
    const person = await seller()
    await raise(person, 0, { kind: 'PAYMENT_PROBLEM', actions: [], evidence: [] })
    await scene.sendAll(person.accountId)
    await due()
    expect(await mailsTo(person)).toMatchObject([{ subject: 'Bottles 0 is out of budget' }])
  })
})

test('what is raised at once rings a phone once, however many workers send', async () => {
  const person = await seller(3)
  for (const i of [0, 1, 2]) await raise(person, i)
  // Long enough for every worker to begin while the first one is still sending.
  scene.sandbox.world.faults.add({ match: { vendor: 'push' }, kind: 'slow', delayMs: 1500 })
  const { db, log } = scene.services
  const queue = await createJobs({ definitions: [sendPush as never], reactions: [], db, log, supervise: true })
  await queue.work({ ...scene.services, jobs: queue })
  const open = sql`select from push_delivery d join notification n on n.id = d.notification_id
    where n.account_id = ${person.accountId} and d.state = 'PENDING'`
  await waitUntil(async () => expect((await run(open)).rows).toHaveLength(0))
  await queue.stop(5000)
  expect(await scene.pushesTo(person.browser)).toHaveLength(1)
})
