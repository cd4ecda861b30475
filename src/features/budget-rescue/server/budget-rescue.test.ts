import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import { importStructure } from '#features/structure/server/public.ts'
import { pushJobs, structureJobs } from '#features/structure/server/push/send-changes.ts'
import { getCampaign, pickCampaigns } from '#features/structure/server/read-campaigns.ts'
import { listChanges } from '#features/structure/server/changes/list-changes.ts'
import { undoChanges } from '#features/structure/server/changes/undo-changes.ts'
import { updateCampaign } from '#features/structure/server/edit/edit-row.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import type { Ctx, Services } from '#server/context.ts'
import { addCaller, addSession, openProcess, type Process } from '../../../../tests/support/answers-scene.ts'
import { connectSeller } from '../../../../tests/support/connected-seller.ts'
import { servicesWithOutside } from '../../../../tests/support/outside.ts'
import { readAdvice } from './evidence.ts'
import { raiseBudget, raiseBudgetToday, revertRaise } from './rescue.ts'
import { budgetRescueJobs, returnBudgets } from './return-budgets.job.ts'
import { dueAccounts } from './sql.ts'
import { midnightAfter } from './state.ts'

let services: Services & { close(): Promise<void> }
let sandbox: Sandbox
let http: Process
let ctx: Ctx
let profile: Profile
let token: string
let untouched: number[]

beforeAll(async () => {
  const opened = await servicesWithOutside({ jobs: [...structureJobs, ...budgetRescueJobs] })
  services = opened.services
  sandbox = opened.sandbox
  http = await openProcess(services)
  const seller = await connectSeller(services, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  ctx = seller.ctx
  profile = seller.profiles.find(own => own.countryCode === 'US') as Profile
  token = (await addSession(services, seller.accountId)).token
  await importStructure(services, profile, { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined })
  untouched = (await pickCampaigns(ctx))
    .filter(one => one.state === 'ENABLED' && one.adType === 'SPONSORED_PRODUCTS')
    .map(one => one.id)
})
afterEach(() => sandbox.world.faults.clear())
afterAll(async () => {
  await http.close()
  await services.close()
})

const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
const own = (id: number) => getCampaign(ctx, String(id))

/** A running campaign that no other test has touched. */
async function campaign() {
  const id = untouched.pop()
  if (id === undefined) throw new Error('the scenario has too few campaigns')
  const row = await own(id)
  return { ...row, budget: row.budget ?? 0 }
}
const push = () =>
  pushJobs.campaign.run(
    services,
    { merchantId: profile.merchantId, profileId: profile.profileId, adType: 'SPONSORED_PRODUCTS' },
    job,
  )
const midnight = () => midnightAfter(services.clock.now(), profile.timezone)
const at = (moment: Date): Services => ({ ...services, clock: { now: () => moment } })
const afterMidnight = (seconds = 1) => new Date(midnight().getTime() + seconds * 1000)
const giveBackAll = (moment = afterMidnight(), signal = job.signal) =>
  returnBudgets.run(at(moment), { merchantId: profile.merchantId, profileId: profile.profileId }, { ...job, signal })
const openAccounts = () => dueAccounts(services.db.system, afterMidnight(), afterMidnight(-600), 100)
function budgetThere(amazonId: string): number {
  return (sandbox.world.store.campaigns.get(amazonId)?.budgetMicros ?? 0) / 1e6
}
/** Somebody changes the budget in the marketplace's own console. */
function changeThere(amazonId: string, budget: number): void {
  sandbox.world.change(store => {
    const found = store.campaigns.get(amazonId)
    if (found) store.campaigns.set(amazonId, { ...found, budgetMicros: budget * 1e6 })
  })
}
const fail = (kind: 'drop-after' | 'drop-before') =>
  sandbox.world.faults.add({ match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' }, kind, times: 100 })
const lines = async (campaignId: number) =>
  (await listChanges(ctx, { page: 0, size: 20, campaignId })).content.map(({ origin, before, after, undoneBy }) => ({
    origin,
    before,
    after,
    isUndone: undoneBy !== null,
  }))

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

test('a raise reaches the marketplace, and goes back by itself at midnight, as a rule’s change in the ledger', async () => {
  const one = await campaign()
  const raised = await raiseBudget(ctx, one.id, { budget: one.budget + 15, from: one.budget })
  expect(raised).toMatchObject({
    budget: one.budget + 15,
    until: midnight().toISOString(),
    rescue: { before: one.budget, budget: one.budget + 15, by: 'Test Person', until: midnight().toISOString() },
  })
  await push()
  expect(budgetThere(one.amazonId)).toBe(one.budget + 15)
  // A moment too early nothing goes back.
  await giveBackAll(afterMidnight(-1))
  expect((await own(one.id)).budget).toBe(one.budget + 15)
  await giveBackAll()
  await giveBackAll()
  await push()
  expect(await own(one.id)).toMatchObject({ budget: one.budget, syncState: 'SYNCED' })
  expect(budgetThere(one.amazonId)).toBe(one.budget)
  expect(await lines(one.id)).toEqual([
    { origin: 'RULE', before: one.budget + 15, after: one.budget, isUndone: false },
    { origin: 'USER', before: one.budget, after: one.budget + 15, isUndone: true },
  ])
  expect(await readAdvice({ ...ctx, ...at(afterMidnight(60)) }, one.id)).toMatchObject({
    rescue: null,
    ended: { outcome: 'RETURNED', before: one.budget },
  })
})

test('two raises of a day go back together to where the first began; the undo of one leaves the other', async () => {
  const one = await campaign()
  const { budget } = one
  await raiseBudget(ctx, one.id, { budget: budget + 10, from: budget })
  const second = await raiseBudget(ctx, one.id, { budget: budget + 30, from: budget + 10 })
  expect(second.rescue).toMatchObject({ before: budget, budget: budget + 30 })
  await undoChanges(ctx, { groupId: second.groupId ?? '' }, { force: false, skipNewer: false })
  expect((await readAdvice(ctx, one.id)).rescue).toMatchObject({ before: budget, budget: budget + 10 })
  await raiseBudget(ctx, one.id, { budget: budget + 20, from: budget + 10 })
  await push()
  await giveBackAll()
  await push()
  expect(budgetThere(one.amazonId)).toBe(budget)
  expect((await lines(one.id)).filter(line => line.origin === 'RULE')).toHaveLength(2)
})

test('a raise on top of one that is due lasts until the next midnight, and then all go back', async () => {
  const one = await campaign()
  await raiseBudget(ctx, one.id, { budget: one.budget + 10, from: one.budget })
  const nextDay: Ctx = { ...ctx, ...at(afterMidnight(30)) }
  await raiseBudget(nextDay, one.id, { budget: one.budget + 25, from: one.budget + 10 })
  await giveBackAll(afterMidnight(60))
  expect((await own(one.id)).budget).toBe(one.budget + 25)
  await giveBackAll(new Date(midnightAfter(afterMidnight(), profile.timezone).getTime() + 1000))
  expect((await own(one.id)).budget).toBe(one.budget)
})

describe('a budget that somebody changed meanwhile is left alone', () => {
  test('changed here', async () => {
    const one = await campaign()
    await raiseBudget(ctx, one.id, { budget: one.budget + 10, from: one.budget })
    const { version } = await own(one.id)
    await updateCampaign({ ...ctx, ifMatch: version }, { campaignId: one.id, budget: one.budget + 50 })
    await push()
    await giveBackAll()
    expect((await own(one.id)).budget).toBe(one.budget + 50)
    expect((await readAdvice({ ...ctx, ...at(afterMidnight(5)) }, one.id)).ended).toMatchObject({ outcome: 'LEFT' })
  })

  test('changed in the marketplace’s console, which is asked before', async () => {
    const one = await campaign()
    await raiseBudget(ctx, one.id, { budget: one.budget + 10, from: one.budget })
    await push()
    changeThere(one.amazonId, one.budget + 70)
    await giveBackAll()
    await push()
    expect(budgetThere(one.amazonId)).toBe(one.budget + 70)
    expect(await own(one.id)).toMatchObject({ budget: one.budget + 70, syncState: 'SYNCED' })
  })

  test('reverted before: nothing is left to give back', async () => {
    const one = await campaign()
    await raiseBudget(ctx, one.id, { budget: one.budget + 10, from: one.budget })
    const back = await revertRaise(ctx, one.id)
    expect(back).toMatchObject({ budget: one.budget, rescue: null, ended: { outcome: 'REVERTED' } })
    expect(await revertRaise(ctx, one.id)).toMatchObject({ budget: one.budget, groupId: null })
    await giveBackAll()
    expect((await lines(one.id)).map(line => line.origin)).toEqual(['USER', 'USER'])
  })
})

describe('killed', () => {
  test('before the raise is saved: nothing happened', async () => {
    const one = await campaign()
    const saveAnswer = () => Promise.reject(new Error('killed'))
    await expect(
      raiseBudget({ ...ctx, saveAnswer }, one.id, { budget: one.budget + 9, from: one.budget }),
    ).rejects.toThrow('killed')
    expect(await own(one.id)).toMatchObject({ budget: one.budget, syncState: 'SYNCED' })
    expect((await readAdvice(ctx, one.id)).rescue).toBeNull()
  })

  test.each(['drop-before', 'drop-after'] as const)('at the marketplace’s answer (%s), on both ways', async kind => {
    const one = await campaign()
    await raiseBudget(ctx, one.id, { budget: one.budget + 9, from: one.budget })
    fail(kind)
    await expect(push()).rejects.toThrow()
    // Midnight comes before the answer does.
    sandbox.world.faults.clear()
    await giveBackAll()
    expect((await own(one.id)).budget).toBe(one.budget)
    fail(kind)
    if (kind === 'drop-after') await expect(push()).rejects.toThrow()
    sandbox.world.faults.clear()
    await push()
    expect(await own(one.id)).toMatchObject({ budget: one.budget, syncState: 'SYNCED' })
    expect(budgetThere(one.amazonId)).toBe(one.budget)
  })

  test('between the campaigns of an account: those left are found by the sweep and given back', async () => {
    const [one, other] = [await campaign(), await campaign()]
    for (const { id, budget } of [one, other]) await raiseBudget(ctx, id, { budget: budget + 5, from: budget })
    await push()
    const dying = new AbortController()
    const stopAfterOne: Services = {
      ...at(afterMidnight()),
      events: {
        ...services.events,
        publish: async (...args) => {
          await services.events.publish(...args)
          dying.abort(new Error('killed'))
        },
      },
    }
    const { merchantId, profileId } = profile
    await expect(
      returnBudgets.run(stopAfterOne, { merchantId, profileId }, { ...job, signal: dying.signal }),
    ).rejects.toThrow('killed')
    const budgets = async () => [(await own(one.id)).budget, (await own(other.id)).budget]
    expect((await budgets()).filter((now, i) => now === [one, other][i]?.budget)).toHaveLength(1)
    // Not at once, since it was tried just now.
    expect(await openAccounts()).toEqual([])
    expect(await dueAccounts(services.db.system, afterMidnight(), afterMidnight(700), 100)).toEqual([
      { merchantId, profileId },
    ])
    await giveBackAll(afterMidnight(700))
    await push()
    expect(await budgets()).toEqual([one.budget, other.budget])
    expect([one, other].map(({ amazonId }) => budgetThere(amazonId))).toEqual([one.budget, other.budget])
  })

  test('while the marketplace does not answer: tried again, and given back then', async () => {
    const one = await campaign()
    await raiseBudget(ctx, one.id, { budget: one.budget + 5, from: one.budget })
    await push()
    sandbox.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/list' },
      kind: 'status',
      status: 400,
      times: 100,
    })
    await expect(giveBackAll()).rejects.toThrow()
    expect((await own(one.id)).budget).toBe(one.budget + 5)
    sandbox.world.faults.clear()
    await giveBackAll(afterMidnight(700))
    expect((await own(one.id)).budget).toBe(one.budget)
  })
})

test('the job for the midnight is queued once for the raises of a day, and runs then', async () => {
  await sql`delete from jobs.job where name = 'return-budgets'`.execute(services.db.system)
  for (const one of [await campaign(), await campaign()])
    await raiseBudget(ctx, one.id, { budget: one.budget + 5, from: one.budget })
  const { rows } = await sql<{ wait: number }>`select extract(epoch from start_after - now())::float8 as wait
    from jobs.job where name = 'return-budgets'`.execute(services.db.system)
  const seconds = (midnight().getTime() - services.clock.now().getTime()) / 1000
  expect(rows).toHaveLength(1)
  expect(Math.abs((rows[0]?.wait ?? 0) - seconds)).toBeLessThan(5)
  await giveBackAll()
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
    const first = await raiseBudgetToday(ctx, task)
    const raised = (await own(one.id)).budget ?? 0
    expect(raised).toBeCloseTo(one.budget * 1.2, 2)
    expect(first).toEqual({
      message: `Today’s budget is raised to ${raised} USD. It goes back by itself at midnight.`,
      changeGroup: task.groupId,
    })
    expect(await raiseBudgetToday(ctx, task)).toEqual(first)
    expect((await own(one.id)).budget).toBe(raised)
    await undoChanges(ctx, { groupId: task.groupId }, { force: false, skipNewer: false })
    expect(await own(one.id)).toMatchObject({ budget: one.budget })
  })

  test('without a percentage it raises to what is recommended', async () => {
    const one = await campaign()
    const { recommended } = await readAdvice(ctx, one.id)
    await raiseBudgetToday(ctx, { campaignId: one.id, groupId: randomUUID() })
    expect((await own(one.id)).budget).toBe(recommended?.budget)
    const seen = { budget: (recommended?.budget ?? 0) + 2 }
    await raiseBudgetToday(ctx, { campaignId: one.id, groupId: randomUUID(), raise: seen })
    expect((await own(one.id)).budget).toBe(seen.budget)
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
      `Enter more than the budget of ${budget} USD`,
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
