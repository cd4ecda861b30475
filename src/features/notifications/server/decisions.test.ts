import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RawBuilder, sql } from 'kysely'
import { addTestCampaign } from '../../../../tests/support/campaign-account.ts'
import { openPushScene, type PushScene } from '../../../../tests/support/push-scene.ts'
import type { AppNotification } from '../contract.ts'
import { workOnDue } from './due.job.ts'
import { notifyAlert } from './jobs.ts'
import { alertDismissed } from './signals.ts'

let scene: PushScene
beforeAll(async () => {
  scene = await openPushScene()
})
afterAll(() => scene.close())

const run = <T>(statement: RawBuilder<T>) => statement.execute(scene.services.db.system)

type Person = Awaited<ReturnType<PushScene['newPerson']>>

/** A person with a running campaign. */
async function seller() {
  const person = await scene.newPerson()
  return { ...person, campaignId: (await addTestCampaign(scene.services, person, { name: 'Bottles' })).campaignId }
}
type Seller = Awaited<ReturnType<typeof seller>>

/** Somebody else with a role at the same merchant. */
async function colleagueOf({ merchantId }: Person, role: 'OWNER' | 'VIEWER') {
  const person = await scene.newPerson()
  await run(
    sql`insert into membership (account_id, merchant_id, role) values (${person.accountId}, ${merchantId}, ${role})`,
  )
  return person
}

const alertOf = ({ merchantId, profileId, campaignId }: Seller, more: object = {}) => ({
  merchantId,
  profileId,
  campaignId,
  kind: 'OUT_OF_BUDGET' as const,
  cause: `budget-${campaignId}`,
  occasion: '2026-03-10',
  title: 'Out of budget by 10:40',
  body: '“Bottles” has used its budget.',
  url: `/campaigns/${campaignId}`,
  evidence: [{ label: 'Used', format: 'percent' as const, value: 100 }],
  stakeMicros: 12_500_000,
  currency: 'USD',
  actions: ['PAUSE_CAMPAIGN' as const],
  ...more,
})
const raise = (from: Seller, more: object = {}) => notifyAlert.run(scene.services, alertOf(from, more), scene.job)
const settle = ({ merchantId, campaignId }: Seller) =>
  notifyAlert.run(scene.services, { merchantId, cause: `budget-${campaignId}` }, scene.job)

async function list({ token }: Person, query = '') {
  return (await scene.call(token, `/notifications${query}`)).json() as {
    content: AppNotification[]
    page: { totalElements: number }
    unreadCount: number
    openCount: number
  }
}
async function first(person: Person) {
  const [one] = (await list(person)).content
  if (!one) throw new Error('there is no notification')
  return one
}
async function post({ token }: Person, path: string, body?: object) {
  const answer = await scene.call(token, `/notifications/${path}`, { method: 'POST', ...(body && { body }) })
  return {
    status: answer.status,
    ...(answer.json() as { message: string; errorCode?: string; notification: AppNotification }),
  }
}
const pause = (person: Person, id: number) => post(person, `${id}/act`, { action: 'PAUSE_CAMPAIGN' })
async function stateOf({ campaignId }: Seller) {
  const { rows } = await run(sql<{ state: string }>`select state from campaign where id = ${campaignId}`)
  return rows[0]?.state
}
async function changesOf({ merchantId }: Person) {
  const { rows } = await run(sql<{ field: string; after: unknown }>`
    select field, after from entity_change where merchant_id = ${merchantId} order by id`)
  return rows
}

describe('an alert', () => {
  test('becomes a card with evidence and stake for everybody who may see the merchant', async () => {
    const owner = await seller()
    const viewer = await colleagueOf(owner, 'VIEWER')
    await raise(owner)
    expect(await first(owner)).toMatchObject({
      kind: 'OUT_OF_BUDGET',
      status: 'OPEN',
      merchant: { id: owner.merchantId, name: 'Test seller', marketplaceId: 1 },
      campaign: { id: owner.campaignId, name: 'Bottles' },
      evidence: [{ label: 'Used', format: 'percent', value: 100 }],
      stake: { amount: 12.5, currency: 'USD' },
      actions: ['PAUSE_CAMPAIGN'],
      canUndo: false,
    })
    expect(await first(viewer)).toMatchObject({ status: 'OPEN', actions: [] })
    expect(await list(owner)).toMatchObject({ unreadCount: 1, openCount: 1 })
  })

  test('raised again changes what it says; a new occasion makes it unread; what was decided stays so', async () => {
    const owner = await seller()
    await raise(owner)
    const { id } = await first(owner)
    await post(owner, `${id}/read`)
    await raise(owner, { title: 'Out of budget by 10:41', stakeMicros: 13_000_000 })
    expect(await first(owner)).toMatchObject({ id, title: 'Out of budget by 10:41', stake: { amount: 13 } })
    expect(await list(owner)).toMatchObject({ unreadCount: 0, openCount: 1 })
    await raise(owner, { occasion: '2026-03-11' })
    expect(await list(owner)).toMatchObject({ unreadCount: 1, openCount: 1, page: { totalElements: 1 } })
    await post(owner, `${id}/dismiss`, { reason: 'EXPECTED' })
    await raise(owner, { occasion: '2026-03-11' })
    expect(await list(owner)).toMatchObject({ openCount: 0, page: { totalElements: 1 } })
    await raise(owner, { occasion: '2026-03-12' })
    expect(await list(owner)).toMatchObject({ openCount: 1, page: { totalElements: 2 } })
  })

  test('that is over settles for everybody, and nothing can be decided about it', async () => {
    const owner = await seller()
    const other = await colleagueOf(owner, 'OWNER')
    await raise(owner)
    await settle(owner)
    for (const person of [owner, other]) {
      const { id, ...one } = await first(person)
      expect(one.status).toBe('SETTLED')
      expect((await scene.call(person.token, `/notifications/${id}`)).json()).toEqual({ id, ...one })
      expect(await pause(person, id)).toMatchObject({ status: 409, message: expect.stringContaining('over') })
      expect((await post(person, `${id}/snooze`, { hours: 1 })).status).toBe(409)
    }
    expect(await stateOf(owner)).toBe('ENABLED')
  })

  test('with most money at stake comes first, whatever its currency', async () => {
    const owner = await seller()
    await raise(owner, { cause: 'yen', stakeMicros: 1_000_000_000, currency: 'JPY' })
    await raise(owner, { cause: 'dollar', stakeMicros: 90_000_000, currency: 'USD' })
    await raise(owner, { cause: 'none', stakeMicros: null, currency: null })
    const { content } = await list(owner, '?open=true')
    expect(content.map(one => one.stake?.amount ?? null)).toEqual([90, 1000, null])
  })
})

describe('a decision', () => {
  test('pauses the campaign once however often it is sent, and settles the others’', async () => {
    const owner = await seller()
    const other = await colleagueOf(owner, 'OWNER')
    await raise(owner)
    const { id } = await first(owner)
    const done = await pause(owner, id)
    expect(done).toMatchObject({
      status: 200,
      message: '“Bottles” is paused.',
      notification: { status: 'DONE', decision: '“Bottles” is paused.', canUndo: true },
    })
    expect(await pause(owner, id)).toEqual(done)
    expect(await stateOf(owner)).toBe('PAUSED')
    expect(await changesOf(owner)).toMatchObject([{ field: 'state', after: 'PAUSED' }])
    expect(await first(other)).toMatchObject({ status: 'SETTLED' })
    expect((await post(owner, `${id}/dismiss`, { reason: 'WRONG' })).status).toBe(409)
  })

  test('is answered the same where the process died between the act and its answer', async () => {
    const owner = await seller()
    await raise(owner)
    const { id } = await first(owner)
    await pause(owner, id)
    // As if the second transaction had never been, and the alert had settled meanwhile.
    await run(
      sql`update notification set decision = null, decided_at = null, answer = null, decision_detail = null where id = ${id}`,
    )
    await settle(owner)
    expect(await pause(owner, id)).toMatchObject({ message: '“Bottles” is paused.', notification: { canUndo: true } })
    expect(await changesOf(owner)).toHaveLength(1)
    await post(owner, `${id}/undo`)
    expect(await stateOf(owner)).toBe('ENABLED')
  })

  test('of two users at once is carried out once', async () => {
    const owner = await seller()
    const other = await colleagueOf(owner, 'OWNER')
    await raise(owner, { actions: ['RAISE_BUDGET_TODAY'] })
    const both = [owner, other].map(async person =>
      post(person, `${(await first(person)).id}/act`, { action: 'RAISE_BUDGET_TODAY', budget: 15 }),
    )
    const answers = await Promise.all(both)
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const budgets = (await changesOf(owner)).filter(({ field }) => field === 'budget')
    expect(budgets.map(({ after }) => after)).toEqual([15])
  })

  test('is undone with what it did, and is open again for everybody', async () => {
    const owner = await seller()
    const other = await colleagueOf(owner, 'OWNER')
    await raise(owner)
    const { id } = await first(owner)
    await pause(owner, id)
    expect(await post(owner, `${id}/undo`)).toMatchObject({
      status: 200,
      notification: { status: 'OPEN', readAt: expect.any(String) },
    })
    expect(await stateOf(owner)).toBe('ENABLED')
    expect(await first(other)).toMatchObject({ status: 'OPEN' })
    expect((await post(owner, `${id}/undo`)).status).toBe(200)
    expect(await stateOf(owner)).toBe('ENABLED')
  })

  test('of a viewer is to snooze or dismiss for itself, not to act', async () => {
    const owner = await seller()
    const viewer = await colleagueOf(owner, 'VIEWER')
    await raise(owner)
    const { id } = await first(viewer)
    expect(await pause(viewer, id)).toMatchObject({ status: 403, errorCode: 'FORBIDDEN' })
    expect(await stateOf(owner)).toBe('ENABLED')
    expect(await post(viewer, `${id}/dismiss`, { reason: 'NOT_IMPORTANT' })).toMatchObject({
      notification: { status: 'DISMISSED', decision: 'Dismissed: not important' },
    })
    expect(await first(owner)).toMatchObject({ status: 'OPEN' })
    expect(await post(viewer, `${id}/undo`)).toMatchObject({ notification: { status: 'OPEN' } })
  })

  test('about somebody else’s notification, or of a merchant that one has left, is a 404', async () => {
    const [owner, stranger] = [await seller(), await seller()]
    const left = await colleagueOf(owner, 'OWNER')
    await raise(owner)
    const [{ id }, { id: ofLeft }] = [await first(owner), await first(left)]
    await run(
      sql`update membership set ended_at = now() where account_id = ${left.accountId} and merchant_id = ${owner.merchantId}`,
    )
    await expect.poll(async () => (await list(left)).content).toEqual([])
    for (const [person, which] of [
      [stranger, id],
      [left, ofLeft],
    ] as const) {
      expect((await scene.call(person.token, `/notifications/${which}`)).status).toBe(404)
      for (const path of ['read', 'undo']) expect((await post(person, `${which}/${path}`)).status).toBe(404)
      expect((await pause(person, which)).status).toBe(404)
      expect((await post(person, `${which}/snooze`, { hours: 4 })).status).toBe(404)
      expect((await post(person, `${which}/dismiss`, { reason: 'WRONG' })).status).toBe(404)
    }
  })

  test('needs a subscription for the merchant, and an action that is offered', async () => {
    const owner = await seller()
    await raise(owner, { actions: [] })
    expect((await pause(owner, (await first(owner)).id)).status).toBe(422)
    await raise(owner, { occasion: 'b' })
    await run(sql`delete from subscription where account_id = ${owner.accountId}`)
    expect((await pause(owner, (await first(owner)).id)).status).toBe(402)
    expect(await stateOf(owner)).toBe('ENABLED')
  })

  test('to snooze comes back by itself, and bad input is refused', async () => {
    const owner = await seller()
    await raise(owner)
    const { id } = await first(owner)
    expect((await post(owner, `${id}/snooze`, { hours: 5 })).status).toBe(400)
    expect(await post(owner, `${id}/snooze`, { hours: 1 })).toMatchObject({
      message: 'Snoozed for 1 hour.',
      notification: { status: 'SNOOZED', canUndo: true },
    })
    await raise(owner, { occasion: 'c' })
    expect(await list(owner)).toMatchObject({ openCount: 0 })
    scene.advance(3_600_000)
    await workOnDue.run(scene.services, {}, scene.job)
    const again = { ...owner, ...(await scene.logIn(owner.accountId)) }
    expect(await list(again)).toMatchObject({ openCount: 1, unreadCount: 1 })
  })
})

test('a dismissal is announced to what learns from it, and so is its undo', async () => {
  const announce = vi.spyOn(scene.services.jobs, 'announce')
  const owner = await seller()
  await raise(owner)
  const { id } = await first(owner)
  for (const _ of [1, 2]) await post(owner, `${id}/dismiss`, { reason: 'WRONG' })
  await post(owner, `${id}/undo`)
  const said = announce.mock.calls.flatMap(([, signal, data]) => (signal === alertDismissed ? [data] : []))
  announce.mockRestore()
  const { merchantId } = owner
  const cause = `budget-${owner.campaignId}`
  expect(said).toMatchObject([
    { merchantId, cause, reason: 'WRONG' },
    { merchantId, cause, reason: null },
  ])
})

test('read marks hold on all devices', async () => {
  const owner = await seller()
  for (const cause of ['a', 'b', 'c']) await raise(owner, { cause })
  expect(await post(owner, `${(await first(owner)).id}/read`)).toMatchObject({ unreadCount: 2, openCount: 3 })
  expect(await post(owner, 'read-all')).toMatchObject({ unreadCount: 0, openCount: 3 })
  expect((await list(owner, '?unread=true')).content).toEqual([])
  expect((await scene.call(owner.token, '/notifications/counts')).json()).toEqual({ unreadCount: 0, openCount: 3 })
})
