import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { moneyText, toMicros } from '#shared/money.ts'
import { openRescueScene } from '../../../../tests/support/rescue-scene.ts'
import { adsOf } from '#features/accounts/server/public.ts'
import { saveBudgetUsage } from '#features/metrics/server/sql/budget-usage.ts'
import { undoChanges } from '#features/structure/server/changes/undo-changes.ts'
import { updateCampaign } from '#features/structure/server/edit/edit-row.ts'
import { addCaller, addSession } from '../../../../tests/support/answers-scene.ts'
import { readAdvice } from './evidence.ts'
import { raiseBudget, raiseBudgetToday } from './rescue.ts'
import { midnightAfter } from './state.ts'

const scene = await openRescueScene()
const { services, sandbox, http, ctx, profile, token, untouched, own, campaign, push, lines, changeThere } = scene
afterEach(() => scene.sandbox.world.faults.clear())
afterAll(() => scene.close())

test('recommends what the marketplace does where that is more, else a fifth more, also when it does not answer', async () => {
  const { advice } = adsOf(services.integrations, profile)
  const rows = await Promise.all(untouched.map(own))
  const suggested = new Map((await advice.budgets(rows.map(row => row.amazonId))).map(one => [one.campaignId, one]))
  for (const { id, amazonId, budget } of rows.slice(0, 4)) {
    const { recommended, missedBefore } = await readAdvice(ctx, id)
    const own = suggested.get(amazonId)
    const isMore = (own?.suggestedMicros ?? 0) > (budget ?? 0) * 1e6
    expect(recommended?.source).toBe(isMore ? 'MARKETPLACE' : 'STEP')
    const expected = isMore ? (own?.suggestedMicros ?? 0) : (budget ?? 0) * 1.2e6
    // To the next cent.
    expect((recommended?.budget ?? 0) * 1e6 - expected).toBeGreaterThan(-1)
    expect((recommended?.budget ?? 0) * 1e6 - expected).toBeLessThan(10_000)
    expect((missedBefore?.high ?? 0) * 1e6).toBeCloseTo(own?.missed?.highSalesMicros ?? 0, -4)
    expect(missedBefore?.high).not.toBe(0)
  }
  // Of one whose budget was cut, what it had before is what is recommended.
  const one = rows.find(row => suggested.get(row.amazonId)?.suggestedMicros && (row.budget ?? 0) > 4)
  if (!one) expect.unreachable()
  const cut = await updateCampaign({ ...ctx, ifMatch: one.version }, { campaignId: one.id, budget: 2 })
  expect((await readAdvice(ctx, one.id)).recommended).toEqual({
    budget: (suggested.get(one.amazonId)?.suggestedMicros ?? 0) / 1e6,
    source: 'MARKETPLACE',
  })
  sandbox.world.faults.add({
    match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/budgetRecommendations' },
    kind: 'status',
    status: 400,
    times: 100,
  })
  await sql`delete from recommendation_answer where kind = 'BUDGET'`.execute(services.db.system)
  expect((await readAdvice(ctx, one.id)).recommended).toEqual({ budget: 2.4, source: 'STEP' })
  await updateCampaign({ ...ctx, ifMatch: cut.version }, { campaignId: one.id, budget: one.budget ?? 0 })
  await push()
})

test('a budget is used up by what was reported of today, whichever budget that was', async () => {
  const one = await campaign()
  const report = async (minute: number, budget: number, usagePercent: number): Promise<boolean> => {
    const at = new Date(services.clock.now().getTime() + minute)
    const { merchantId, profileId } = profile
    const usage = { profileId, campaignId: one.id, at, budgetMicros: toMicros(budget), usagePercent }
    await services.db.tenant(merchantId, tx => saveBudgetUsage(tx, merchantId, [usage]))
    return (await readAdvice(ctx, one.id)).isUsedUp
  }
  expect((await readAdvice(ctx, one.id)).isUsedUp).toBe(false)
  expect(await report(1, one.budget, 90)).toBe(false)
  expect(await report(2, one.budget, 104)).toBe(true)
  const raised = await raiseBudget(ctx, one.id, { budget: one.budget * 2, from: one.budget })
  expect((await readAdvice(ctx, one.id)).isUsedUp).toBe(false)
  expect(await report(3, one.budget * 2, 60)).toBe(false)
  // No longer by half of twice the budget, once that was undone.
  await undoChanges(ctx, { groupId: raised.groupId ?? '' }, { force: false, skipNewer: false })
  expect(await readAdvice(ctx, one.id)).toMatchObject({ isUsedUp: true, rescue: null })
  // A report of a budget that nobody set here: it is read there first.
  const cut = await campaign()
  changeThere(cut.amazonId, 10)
  expect((await readAdvice(ctx, cut.id)).budget).toBe(cut.budget)
  const { merchantId, profileId } = profile
  const at = services.clock.now()
  const usage = { profileId, campaignId: cut.id, at, budgetMicros: toMicros(10), usagePercent: 101 }
  await services.db.tenant(merchantId, tx => saveBudgetUsage(tx, merchantId, [usage]))
  expect(await readAdvice(ctx, cut.id)).toMatchObject({ budget: 10, isUsedUp: true })
})

test('midnight is the end of the profile’s day, be it 23 or 25 hours long', () => {
  const zone = 'America/Los_Angeles'
  expect(midnightAfter(new Date('2026-03-08T08:30:00Z'), zone)).toEqual(new Date('2026-03-09T07:00:00Z'))
  expect(midnightAfter(new Date('2026-11-01T07:30:00Z'), zone)).toEqual(new Date('2026-11-02T08:00:00Z'))
  expect(midnightAfter(new Date('2026-11-23T15:00:00Z'), 'Asia/Tokyo')).toEqual(new Date('2026-11-24T15:00:00Z'))
})

describe('what a notification’s action does', () => {
  test('raises by a percentage once, however often it is sent', async () => {
    const one = await campaign()
    const task = { campaignId: one.id, groupId: randomUUID(), raise: { percent: 20 } }
    // A double tap.
    const [first, second] = await Promise.all([raiseBudgetToday(ctx, task), raiseBudgetToday(ctx, task)])
    expect(second).toEqual(first)
    const raised = (await own(one.id)).budget ?? 0
    // To the next cent.
    expect(raised - one.budget * 1.2).toBeGreaterThan(-0.000_001)
    expect(raised - one.budget * 1.2).toBeLessThan(0.01)
    expect(first).toEqual({
      message: `Today’s budget is raised to ${moneyText(toMicros(raised), 'USD')}. It goes back by itself at midnight.`,
      changeGroup: task.groupId,
    })
    expect(await raiseBudgetToday(ctx, task)).toEqual(first)
    expect((await own(one.id)).budget).toBe(raised)
    await undoChanges(ctx, { groupId: task.groupId }, { force: false, skipNewer: false })
    expect(await own(one.id)).toMatchObject({ budget: one.budget })
  })

  test('raises the budget that somebody has just set at the marketplace, not the one from before', async () => {
    const one = await campaign()
    changeThere(one.amazonId, 10)
    const stale = { budget: one.budget + 5, from: one.budget }
    await expect(raiseBudget(ctx, one.id, stale)).rejects.toMatchObject({ code: 'CONFLICT' })
    changeThere(one.amazonId, 20)
    await raiseBudgetToday(ctx, { campaignId: one.id, groupId: randomUUID(), raise: { percent: 20 } })
    expect((await own(one.id)).budget).toBe(24)
  })

  test('without a percentage it raises to what is recommended', async () => {
    const one = await campaign()
    const { recommended } = await readAdvice(ctx, one.id)
    await raiseBudgetToday(ctx, { campaignId: one.id, groupId: randomUUID() })
    expect((await own(one.id)).budget).toBe(recommended?.budget)
    const seen = { budget: (recommended?.budget ?? 0) + 2 }
    await raiseBudgetToday(ctx, { campaignId: one.id, groupId: randomUUID(), raise: seen })
    expect((await own(one.id)).budget).toBeCloseTo(seen.budget, 6)
  })
})

describe('over HTTP', () => {
  const raise = (by: string, id: number, body: object, key = randomUUID()) =>
    http.call(by, `/campaigns/${id}/budget-rescue`, { method: 'POST', body, key })

  test('the same key raises once', async () => {
    const one = await campaign()
    const key = randomUUID()
    const body = { budget: one.budget + 3, from: one.budget }
    const answers = [await raise(token, one.id, body, key), await raise(token, one.id, body, key)]
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    expect(answers[1]?.json()).toEqual(answers[0]?.json())
    expect((await lines(one.id)).length).toBe(1)
  })

  test('bad input gets its sentence beside its field', async () => {
    const one = await campaign()
    const problem = async (body: object) => {
      const answer = await raise(token, one.id, body)
      return [answer.status, answer.json().errorCode, answer.json().fields?.budget]
    }
    const { budget } = one
    expect(await problem({ budget, from: budget })).toEqual([
      400,
      'VALIDATION_FAILED',
      `Enter more than the budget of ${moneyText(toMicros(budget), 'USD')}`,
    ])
    expect(await problem({ budget: 2_000_000, from: budget })).toEqual([
      400,
      'VALIDATION_FAILED',
      'The daily budget must be between 1 and 1000000 USD',
    ])
    expect(await problem({ budget: 1e18, from: budget })).toEqual([
      400,
      'VALIDATION_FAILED',
      'Valid budget amount is required',
    ])
    const stale = await raise(token, one.id, { budget: budget + 5, from: budget + 1 })
    expect([stale.status, stale.json().errorCode]).toEqual([409, 'CONFLICT'])
    expect((await own(one.id)).budget).toBe(budget)
    untouched.push(one.id)
  })

  test('a paused campaign has nothing to raise', async () => {
    const one = await campaign()
    await updateCampaign({ ...ctx, ifMatch: one.version }, { campaignId: one.id, state: 'PAUSED' })
    const answer = await raise(token, one.id, { budget: one.budget + 5, from: one.budget })
    expect([answer.status, answer.json().message]).toEqual([422, 'This campaign is paused, so that it uses no budget.'])
    const advice = await http.call(token, `/campaigns/${one.id}/budget-rescue`)
    expect(advice.json()).toMatchObject({ recommended: null, obstacle: answer.json().message })
  })

  test('another tenant finds no such campaign, and a viewer may look only', async () => {
    const one = await campaign()
    const body = { budget: one.budget + 5, from: one.budget }
    const stranger = await addCaller(services)
    const path = `/campaigns/${one.id}/budget-rescue`
    const statuses = async (by: string) => [
      (await http.call(by, path)).status,
      (await raise(by, one.id, body)).status,
      (await http.call(by, path, { method: 'DELETE' })).status,
    ]
    expect(await statuses(stranger.token)).toEqual([404, 404, 404])
    const viewer = await addCaller(services)
    await sql`insert into membership (account_id, merchant_id, role) values (${viewer.accountId}, ${profile.merchantId}, 'VIEWER')`.execute(
      services.db.system,
    )
    await sql`update account set current_merchant_id = ${profile.merchantId}, current_marketplace_id = ${profile.marketplaceId}
      where id = ${viewer.accountId}`.execute(services.db.system)
    expect(await statuses((await addSession(services, viewer.accountId)).token)).toEqual([200, 403, 403])
    expect((await own(one.id)).budget).toBe(one.budget)
  })
})
