import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogRow, OptimizerGroup } from '#features/optimizer/contract.ts'
import type { AppNotification } from '#features/notifications/contract.ts'
import { runAccountGroups } from '#features/optimizer/server/public.ts'
import { addDays, hourIn } from '#shared/time.ts'
import { choosePair } from '../../../../tests/support/optimizer-pair.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
let chosen: Awaited<ReturnType<typeof choosePair>>
let groupId: number
beforeAll(async () => {
  scene = await openOptimizerScene()
  chosen = await choosePair(scene)
})
afterAll(() => scene.close())

const db = () => scene.services.db.system
const get = (id: number) => scene.ok<LogRow>(scene.call('GET', `/automation-logs/${id}`))
const rowsOf = (kind: LogRow['kind'], state: LogRow['state']) =>
  scene.log(`&groupId=${groupId}&kind=${kind}&state=${state}`)
const begin = async (ids: number[], more: object = {}) => {
  groupId = await scene.take(ids, more)
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
  // What people do from here on comes after it.
  await scene.later(0.1)
}
const carryOut = async () => {
  await scene.send(groupId)
  await scene.push('campaign', 'target', 'negative')
  await scene.settle()
}
const ends: number[] = []

describe('what was undone', () => {
  beforeAll(async () => {
    await chosen.addSearch('sharp harbor knives', { clicks: 3, cost: 2, orders: 1, sales: 60 })
    await begin([chosen.pair[0].id, chosen.pair[1].id], { asks: [] })
    await scene.decide(groupId)
    // Where all of them want the same step they are one question.
    for (const { id } of (await rowsOf('bid', 'PROPOSED')).slice(0, 1))
      await scene.ok(scene.call('POST', `/automation-logs/${id}/approve`, {}))
    for (const [method, path] of [
      ['PUT', '/sp/keywords'],
      ['POST', '/sp/negativeKeywords'],
    ] as const)
      scene.order({
        match: { vendor: 'ads', method, path },
        kind: 'partial',
        items: [0],
        selector: 'malformedValueError',
        reason: 'MALFORMED_VALUE',
      })
    await carryOut()
    scene.calm()
  })

  test('or rejected by the marketplace is tried again, once, a new negative like a bid', async () => {
    const [[bid], [negative]] = [await rowsOf('bid', 'FAILED'), await rowsOf('negative', 'FAILED')]
    if (!bid || !negative) expect.unreachable()
    const negatives = () =>
      [...scene.world.store.negativeKeywords.values()].filter(one => one.keywordText === negative.after).length
    const before = negatives()
    for (const { id, answer, canRedo } of [bid, negative]) {
      expect({ answer, canRedo }).toEqual({ answer: expect.stringMatching(/\w+ \w+/), canRedo: true })
      await scene.ok(scene.call('POST', `/automation-logs/${id}/redo`))
    }
    await carryOut()
    await carryOut()
    for (const { id } of [bid, negative]) expect(await get(id)).toMatchObject({ state: 'CONFIRMED', answer: null })
    expect(await chosen.bidThere(bid.entity.id)).toBe(bid.after)
    expect(negatives()).toBe(before + 1)
  })

  test('is done again, and no longer left alone', async () => {
    const [bid] = await rowsOf('bid', 'CONFIRMED')
    if (!bid) expect.unreachable()
    expect(await scene.call('POST', `/automation-logs/${bid.id}/redo`)).toMatchObject({ status: 422 })
    await scene.ok(scene.call('POST', `/automation-logs/${bid.id}/undo`, {}))
    await scene.push('target')
    await scene.decide(groupId)
    expect(await chosen.bidThere(bid.entity.id)).toBe(bid.before)
    expect(await get(bid.id)).toMatchObject({ state: 'UNDONE', canRedo: true, pin: expect.anything() })
    await scene.later(0.1)
    await scene.ok(scene.call('POST', `/automation-logs/${bid.id}/redo`))
    await carryOut()
    expect(await chosen.bidThere(bid.entity.id)).toBe(bid.after)
    expect(await get(bid.id)).toMatchObject({ state: 'CONFIRMED', canRedo: false, pin: null })
    expect((await get(bid.id)).undo).toEqual({ isPossible: true, reason: null })
  })

  test('of a harvest serves again, and where it came from leaves it alone again', async () => {
    const harvest = (await rowsOf('harvest', 'CONFIRMED')).find(one => one.before === 'sharp harbor knives')
    if (!harvest) expect.unreachable()
    const there = () => {
      const { keywords, negativeKeywords } = scene.world.store
      const own = <T extends { keywordText: string; state: string }>(all: Iterable<T>) =>
        [...all].filter(one => one.keywordText === 'sharp harbor knives' && one.state !== 'ARCHIVED')
      return [own(keywords.values()).map(one => one.state), own(negativeKeywords.values()).length]
    }
    expect(there()).toEqual([['ENABLED'], 1])
    await scene.ok(scene.call('POST', `/automation-logs/${harvest.id}/undo`, {}))
    await scene.push('negative', 'target')
    expect(there()).toEqual([['PAUSED'], 0])
    await scene.later(0.1)
    await scene.ok(scene.call('POST', `/automation-logs/${harvest.id}/redo`))
    await carryOut()
    expect(there()).toEqual([['ENABLED'], 1])
    expect(await get(harvest.id)).toMatchObject({ state: 'CONFIRMED' })
  })

  test('is not done again where a person has set something else', async () => {
    const [bid] = (await rowsOf('bid', 'CONFIRMED')).filter(one => one.entity.matchType)
    if (!bid) expect.unreachable()
    await scene.ok(scene.call('POST', `/automation-logs/${bid.id}/undo`, {}))
    await scene.push('target')
    await sql`update target set bid_micros = 2220000 where id = ${bid.entity.id}`.execute(db())
    expect(await scene.call('POST', `/automation-logs/${bid.id}/redo`)).toMatchObject({
      status: 409,
      body: { values: [{ before: bid.before, after: bid.after, now: 2.22 }] },
    })
    ends.push(groupId)
  })
})

test('a strategy that may double bids far above what clicks earn is questioned once, changed with a yes, and undone', async () => {
  const one = chosen.others[9] ?? expect.unreachable()
  const strategyThere = () => scene.world.store.campaigns.get(one.amazonId)?.strategy
  const { rows } = await sql<{ version: number }>`select version from campaign where id = ${one.id}`.execute(db())
  const change = { campaignId: one.id, biddingStrategy: 'SALES_UP_AND_DOWN' }
  await scene.ok(scene.call('POST', '/campaign/update', change, rows[0]?.version))
  await scene.push('campaign')
  await sql`update target set bid_micros = 9000000 where campaign_id = ${one.id}`.execute(db())
  await scene.later(0.1)
  await begin([one.id], { asks: [] })
  await scene.decide(groupId)
  const [question, ...others] = await rowsOf('strategy', 'PROPOSED')
  expect(others).toEqual([])
  expect(question).toMatchObject({ cause: 'CLICK_TOO_DEAR', after: 'SALES_DOWN_ONLY', entity: { id: one.id } })
  const approve = `/automation-logs/${question?.id}/approve`
  expect(await scene.call('POST', approve, { after: 2 })).toMatchObject({ status: 400 })
  await scene.ok(scene.call('POST', approve, {}))
  await carryOut()
  expect(await get(question?.id ?? 0)).toMatchObject({ state: 'CONFIRMED', undo: { isPossible: true } })
  expect(strategyThere()).toBe('LEGACY_FOR_SALES')
  await scene.ok(scene.call('POST', `/automation-logs/${question?.id}/undo`, {}))
  await scene.push('campaign')
  expect(strategyThere()).toBe('AUTO_FOR_SALES')
  await scene.later(24)
  await sql`update optimizer_pin set ended_at = now() where group_id = ${groupId}`.execute(db())
  await scene.decide(groupId)
  expect(await rowsOf('strategy', 'PROPOSED')).toEqual([])
  ends.push(groupId)
})

test('a group decides in its morning once its reports are there, without them in the afternoon, and once a day', async () => {
  const [one] = chosen.others
  if (!one) expect.unreachable()
  await begin([one.id])
  for (const id of ends) await scene.ok(scene.call('POST', `/optimizer/groups/${id}/stop`, { restore: false }))
  const { timezone } = scene.profile
  const until = (hour: number) => scene.later((hour - hourIn(scene.now(), timezone) + 24) % 24 || 24)
  const queued = async () => {
    await sql`delete from jobs.job where name = 'optimizer-run'`.execute(db())
    await scene.decideDue()
    await scene.decideDue()
    const { rows } = await sql<{ groupId: number }>`select (data ->> 'groupId')::int as "groupId" from jobs.job
      where name = 'optimizer-run'`.execute(db())
    return rows.map(row => row.groupId)
  }
  await until(4)
  expect(await queued()).toEqual([])
  await until(7)
  expect(await queued()).toEqual([groupId])
  await scene.decide(groupId)
  expect(await queued()).toEqual([])
  await until(7)
  const late = () =>
    sql`update metrics_state set daily_to = ${addDays(scene.today(), -2)} where merchant_id = ${scene.merchantId}`.execute(
      db(),
    )
  await late()
  expect(await queued()).toEqual([])
  // As soon as they are there, without waiting for the schedule; those of another account change nothing.
  const { merchantId, profile } = scene
  const arrived = async (profileId: number) => {
    await sql`delete from jobs.job where name = 'optimizer-run'`.execute(db())
    await runAccountGroups(scene.services, { merchantId, profileId })
    const { rows } = await sql`select 1 from jobs.job where name = 'optimizer-run'`.execute(db())
    return rows.length
  }
  expect(await arrived(profile.profileId)).toBe(0)
  await scene.later(0)
  expect(await arrived(profile.profileId + 1)).toBe(0)
  expect(await arrived(profile.profileId)).toBe(1)
  await until(15)
  await late()
  expect(await queued()).toEqual([groupId])
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/stop`, { restore: false }))
  expect(await queued()).toEqual([])
})

test('a question that nobody answers expires, in its notification too, and can be asked again', async () => {
  const ids = chosen.others.slice(1, 4).map(one => one.id)
  await begin(ids, { asks: ['bid'] })
  await scene.decide(groupId)
  const [question] = await rowsOf('bid', 'PROPOSED')
  if (!question) expect.unreachable()
  await scene.notify()
  const open = async () =>
    (
      await scene.ok<{ content: AppNotification[] }>(scene.call('GET', '/notifications?open=true&size=100'))
    ).content.filter(one => one.url.startsWith('/automation-logs') && one.kind === 'OPTIMIZER_PROPOSAL')
  const before = (await open()).length
  await scene.later(6 * 24)
  await scene.settle()
  expect((await get(question.id)).state).toBe('PROPOSED')
  await scene.later(25)
  expect(await scene.call('POST', `/automation-logs/${question.id}/approve`, {})).toMatchObject({ status: 409 })
  await scene.settle()
  await scene.notify()
  expect((await get(question.id)).state).toBe('EXPIRED')
  expect(await open()).toHaveLength(before - 1)
  await scene.decide(groupId)
  expect((await rowsOf('bid', 'PROPOSED')).map(one => one.entity.id)).toContain(question.entity.id)
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/stop`, { restore: false }))
})

test('what rules of the marketplace move is left to them, and they are read once a day', async () => {
  const [ruled, other] = chosen.others.slice(4)
  if (!ruled || !other) expect.unreachable()
  const at = scene.world.clock.now().getTime()
  const rule = { profileId: Number(scene.profile.amazonProfileId), name: 'Busy', campaignIds: [ruled.amazonId] }
  const stamp = { createdAt: at, updatedAt: at }
  scene.world.change(store => {
    const dates = { startDate: '2020-01-01', endDate: null, condition: null }
    store.budgetRules.set('71', { ...rule, ...dates, ...stamp, ruleId: '71', state: 'ACTIVE', percent: 50 })
    const hours = { from: at - 1000, to: null, days: null, minutes: null }
    store.bidRules.set('72', { ...rule, ...hours, ...stamp, optimizationRuleId: '72', status: 'ENABLED', percent: 30 })
  })
  const readings = () =>
    scene.world.journal.list({ vendor: 'ads' }).filter(one => one.path.endsWith('/sp/budgetRules')).length
  const before = readings()
  await begin([ruled.id, other.id], { asks: [], dailyBudget: 5 })
  await scene.decide(groupId)
  await scene.decide(groupId)
  expect(readings()).toBe(before + 1)
  const [said] = (await scene.log(`&groupId=${groupId}`)).filter(one => one.cause === 'MARKETPLACE_RULE')
  expect(said).toMatchObject({ entity: { id: ruled.id }, evidence: { rules: ['BUDGET', 'SCHEDULE'] } })
  expect(said?.evidence.worstClick).toBeGreaterThan(0)
  // The total is far too high for what is left, yet only the other budget is cut.
  const budgets = (await scene.log(`&groupId=${groupId}&kind=budget`)).map(one => one.entity.id)
  expect(budgets).toEqual([other.id])
  // A day on which the marketplace does not answer goes by what was read before.
  await scene.later(24)
  scene.order({ match: { vendor: 'ads', path: '/sp/budgetRules' }, kind: 'status', times: 20 })
  await scene.decide(groupId)
  scene.calm()
  expect((await scene.group(groupId)).lastRun).toMatchObject({ day: scene.today() })
  expect((await scene.log(`&groupId=${groupId}&kind=budget`)).map(one => one.entity.id)).not.toContain(ruled.id)
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/stop`, { restore: false }))
})

test('a launch ends by itself on its last day, and can be set again', async () => {
  const ids = chosen.others.slice(1, 3).map(one => one.id)
  const launch = { strategy: 'LAUNCH', targetAcos: 30 }
  const refused = (more: object) => scene.call('POST', '/campaign/takeover', { campaignIds: ids, ...launch, ...more })
  const tomorrow = addDays(scene.today(), 1)
  expect((await refused({ launchUntil: tomorrow })).body.fields).toHaveProperty('launchBudget')
  expect((await refused({ launchBudget: 300 })).body.fields).toHaveProperty('launchUntil')
  expect((await refused({ launchBudget: 300, launchUntil: addDays(tomorrow, -9) })).body.fields).toHaveProperty(
    'launchUntil',
  )
  await begin(ids, { ...launch, strategy: 'LAUNCH', launchBudget: 300, launchUntil: tomorrow })
  const ended = async () => (await rowsOf('steer', 'CONFIRMED')).map(one => [one.cause, one.day])
  for (const _day of [0, 1]) {
    await scene.decide(groupId)
    expect(await ended()).toEqual([])
    await scene.later(24)
  }
  await scene.decide(groupId)
  const first = ['LAUNCH_ENDED', scene.today()]
  expect(await ended()).toEqual([first])
  // On the same day: the new one begins tomorrow.
  const until = addDays(scene.today(), 2)
  const set = await scene.ok<OptimizerGroup>(
    scene.call('PUT', `/optimizer/groups/${groupId}`, { strategy: 'LAUNCH', launchBudget: 200, launchUntil: until }),
  )
  expect(set).toMatchObject({ strategy: 'LAUNCH', launchUntil: until, launchBudget: 200 })
  for (const _day of [1, 2]) {
    await scene.later(24)
    await scene.decide(groupId)
    expect(await ended()).toEqual([first])
  }
  await scene.later(24)
  await scene.decide(groupId)
  expect(await ended()).toEqual([['LAUNCH_ENDED', scene.today()], first])
})
