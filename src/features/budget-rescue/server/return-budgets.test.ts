import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openRescueScene } from '../../../../tests/support/rescue-scene.ts'
import { undoChanges } from '#features/structure/server/changes/undo-changes.ts'
import { updateCampaign } from '#features/structure/server/edit/edit-row.ts'
import type { Ctx, Services } from '#server/context.ts'
import { readAdvice } from './evidence.ts'
import { raiseBudget, revertRaise } from './rescue.ts'
import { returnBudgets } from './return-budgets.job.ts'
import { dueAccounts } from './sql.ts'
import { midnightAfter } from './state.ts'

const scene = await openRescueScene()
const {
  services,
  sandbox,
  ctx,
  profile,
  job,
  own,
  campaign,
  push,
  midnight,
  at,
  afterMidnight,
  giveBackAll,
  openAccounts,
  budgetThere,
  changeThere,
  fail,
  lines,
} = scene
afterEach(() => scene.sandbox.world.faults.clear())
afterAll(() => scene.close())

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
