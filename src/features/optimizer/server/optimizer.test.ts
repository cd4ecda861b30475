import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AppNotification } from '#features/notifications/contract.ts'
import type { LogRow, OptimizerGroup } from '#features/optimizer/contract.ts'
import { type Chosen, choosePair } from '../../../../tests/support/optimizer-pair.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
let there: Awaited<ReturnType<typeof choosePair>>
let pair: [Chosen, Chosen]
let groupId: number
/** What the marketplace had of the pair before it was taken over. */
let dayZero: Map<string, string>
beforeAll(async () => {
  scene = await openOptimizerScene()
  there = await choosePair(scene)
  ;({ pair } = there)
  dayZero = there.setsThere()
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

/** The rows of the group, the latest first. */
const rowsOf = (kind: LogRow['kind'], state: LogRow['state']) =>
  scene.log(`&groupId=${groupId}&kind=${kind}&state=${state}`)
/** A bid that a person sets here. */
async function putBid({ entity: { id, matchType } }: LogRow, bid: number) {
  const { rows } = await sql<{ version: number }>`select version from target where id = ${id}`.execute(
    scene.services.db.system,
  )
  const path = `/${matchType ? 'keywords' : 'targets'}/${id}?bid=${bid}`
  await scene.ok(scene.call('PUT', path, undefined, rows[0]?.version))
}
const get = (id: number) => scene.ok<LogRow>(scene.call('GET', `/automation-logs/${id}`))

describe('taking over', () => {
  test('decides at once in its shadow, writes nothing at the marketplace, and decides a day once', async () => {
    const before = scene.writes()
    groupId = await scene.take([pair[0].id, pair[1].id], { name: 'Knives', highestBid: 4 })
    // What people do from here on comes after it.
    await scene.later(0.1)
    await scene.decide(groupId)
    await scene.decide(groupId)
    const log = await scene.log(`&groupId=${groupId}`)
    expect(log.filter(one => one.kind === 'bid').length).toBeGreaterThan(3)
    expect(new Set(log.map(one => one.state))).toEqual(new Set(['SHADOW']))
    expect(new Set(log.map(one => `${one.kind} ${one.entity.id} ${one.before} ${one.after}`)).size).toBe(log.length)
    await scene.send(groupId)
    await scene.push('campaign', 'target', 'negative')
    await scene.settle()
    expect(scene.writes()).toBe(before)
    expect(await scene.group(groupId)).toMatchObject({
      state: 'SHADOW',
      lastRun: { day: scene.today(), outcome: 'DECIDED' },
    })
    const again = await scene.call('POST', '/campaign/takeover', {
      campaignIds: [pair[1].id],
      targetAcos: 30,
      strategy: 'PROFIT',
    })
    expect(again.body.details[0]).toContain('in another group')
  })
})

describe('running', () => {
  beforeAll(async () => {
    await there.addSearch('sharp harbor knives', { clicks: 3, cost: 2, orders: 1, sales: 60 })
  })

  test('a run that dies before its end has decided nothing, and decides the same when it is repeated', async () => {
    await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
    const { services } = scene
    const send = services.jobs.send.bind(services.jobs)
    services.jobs.send = () => Promise.reject(new Error('killed'))
    await expect(scene.decide(groupId)).rejects.toThrow('killed')
    services.jobs.send = send
    expect((await scene.log(`&groupId=${groupId}`)).every(one => one.state === 'SHADOW')).toBe(true)
    await scene.decide(groupId)
    const bids = await rowsOf('bid', 'QUEUED')
    expect(bids.length).toBeGreaterThan(3)
    expect((await rowsOf('harvest', 'PROPOSED')).map(one => one.before)).toContain('sharp harbor knives')
    expect((await rowsOf('negative', 'PROPOSED')).some(one => one.decisionGroupSize === 1)).toBe(true)
    // Nothing is bid above the seller's own limit.
    expect(bids.every(one => Number(one.after) <= 4)).toBe(true)
  })

  test('what is sent is written once whatever happens in between, and confirmed', async () => {
    const queued = await rowsOf('bid', 'QUEUED')
    const { events } = scene.services
    const publish = events.publish.bind(events)
    events.publish = () => Promise.reject(new Error('killed'))
    await expect(scene.send(groupId)).rejects.toThrow('killed')
    events.publish = publish
    expect(await rowsOf('bid', 'QUEUED')).toHaveLength(queued.length)
    await scene.send(groupId)
    await scene.send(groupId)
    expect(await rowsOf('bid', 'SENT')).toHaveLength(queued.length)
    for (const path of ['/sp/keywords', '/sp/targets'])
      scene.order({ match: { vendor: 'ads', method: 'PUT', path }, kind: 'drop-after' })
    await scene.push('target').catch(() => undefined)
    scene.calm()
    await scene.push('target')
    await scene.settle()
    for (const { entity, after } of queued) expect(await there.bidThere(entity.id)).toBe(after)
    const { rows } = await sql<{
      lines: number
    }>`select count(*)::int as lines from entity_change where merchant_id = ${scene.merchantId}
      and origin = 'RULE' and field = 'bid'`.execute(scene.services.db.system)
    expect(rows[0]?.lines).toBe(queued.length)
    expect(await rowsOf('bid', 'CONFIRMED')).toHaveLength(queued.length)
    expect(await scene.group(groupId)).toMatchObject({ state: 'RUNNING', changes: queued.length })
  })

  test('an undo gives the value back, leaves it alone for two weeks, and asks where something else is there', async () => {
    const [one, other] = await rowsOf('bid', 'CONFIRMED')
    if (!one || !other) expect.unreachable()
    const undone = await scene.call('POST', `/automation-logs/${one.id}/undo`, {})
    expect(undone).toMatchObject({ status: 200, body: { outcomes: [{ status: 'UNDONE' }], row: { state: 'UNDONE' } } })
    await scene.push('target')
    expect(await there.bidThere(one.entity.id)).toBe(one.before)
    expect((await get(one.id)).pin).not.toBeNull()
    expect(await scene.call('POST', `/automation-logs/${one.id}/undo`, {})).toMatchObject({ status: 422 })

    await putBid(other, 3.33)
    const conflict = await scene.call('POST', `/automation-logs/${other.id}/undo`, {})
    expect(conflict).toMatchObject({
      status: 409,
      body: { values: [{ before: other.before, after: other.after, now: 3.33 }] },
    })
    expect(await scene.call('POST', `/automation-logs/${other.id}/undo`, { force: true })).toMatchObject({
      status: 200,
    })
    await scene.push('target')
    expect(await there.bidThere(other.entity.id)).toBe(other.before)
  })

  test('a proposal is asked about once, approved with another number, and rejected for good', async () => {
    const budgets = await rowsOf('budget', 'PROPOSED')
    const negatives = await rowsOf('negative', 'PROPOSED')
    const negative = negatives.find(one => one.decisionGroupSize === 1)
    const harvests = await rowsOf('harvest', 'PROPOSED')
    const harvest = harvests.find(one => one.before === 'sharp harbor knives')
    if (!harvest || !negative) expect.unreachable()
    const { rows } = await sql<{ cause: string }>`select data ->> 'cause' as cause from jobs.job
      where name = 'notify-alert' and data ->> 'kind' = 'OPTIMIZER_PROPOSAL'`.execute(scene.services.db.system)
    const strategies = await rowsOf('strategy', 'PROPOSED')
    const proposals = [...budgets, ...negatives, ...harvests, ...strategies]
    expect(rows.length).toBe(new Set(proposals.map(one => one.decisionGroup)).size)
    // From its notification, with another number in place.
    await scene.notify()
    const listed = await scene.ok<{ content: AppNotification[] }>(
      scene.call('GET', '/notifications?open=true&size=100'),
    )
    const card = listed.content.find(one => one.url === `/automation-logs?row=${harvest.id}`) ?? expect.unreachable()
    expect(card).toMatchObject({
      title: `New target “sharp harbor knives” at $${Number(harvest.after).toFixed(2)}?`,
      proposed: { unit: 'MONEY', before: null, after: harvest.after, currency: 'USD' },
    })
    const approve = (after: number) =>
      scene.call('POST', `/notifications/${card.id}/act`, { action: 'APPROVE_PROPOSAL', after })
    expect(await approve(9)).toMatchObject({ status: 400, body: { fields: { after: expect.any(String) } } })
    expect(await approve(0.77)).toMatchObject({
      status: 200,
      body: { message: 'Approved with your number: it is on its way.', notification: { status: 'DONE' } },
    })
    expect(await approve(0.5)).toMatchObject({ status: 200 })
    expect(await get(harvest.id)).toMatchObject({ state: 'QUEUED', after: 0.77 })
    expect(await scene.call('POST', `/automation-logs/${harvest.id}/approve`, {})).toMatchObject({ status: 409 })
    expect(
      (await scene.call('POST', `/automation-logs/${negative.id}/reject`, { reason: 'We sell those' })).body,
    ).toMatchObject({
      state: 'REJECTED',
      settled: { reason: 'We sell those' },
    })
    await scene.send(groupId)
    // The negative waits until the marketplace has the keyword.
    await scene.push('negative')
    const negativesThere = () =>
      [...scene.world.store.negativeKeywords.values()].filter(one => one.keywordText === 'sharp harbor knives')
    expect(negativesThere()).toEqual([])
    await scene.push('target', 'negative')
    await scene.settle()
    const created = [...scene.world.store.keywords.values()].filter(one => one.keywordText === 'sharp harbor knives')
    expect(created).toMatchObject([{ bidMicros: 770_000, matchType: 'EXACT', state: 'ENABLED' }])
    expect(negativesThere()).toHaveLength(1)
    expect(await get(harvest.id)).toMatchObject({ state: 'CONFIRMED', decisionGroupSize: 2 })
  })

  test('what people change, here and at the marketplace, is not fought; refusals are kept in words', async () => {
    const keyword = (await rowsOf('bid', 'CONFIRMED')).find(one => one.entity.matchType)
    const [campaign] = pair
    if (!keyword) expect.unreachable()
    await putBid(keyword, 1.91)
    scene.world.change(store => {
      const found = store.campaigns.get(campaign.amazonId)
      if (found) store.campaigns.set(campaign.amazonId, { ...found, budgetMicros: 61_000_000 })
    })
    await scene.mirror([campaign.amazonId])
    await scene.push('target')
    let sent: LogRow | undefined
    for (let day = 0; day < 5 && !sent; day++) {
      await scene.push('campaign', 'target', 'negative')
      await scene.settle()
      await scene.later(24)
      await scene.decide(groupId)
      // On some days all of them want the same step, which is asked about.
      const [question] = await rowsOf('bid', 'PROPOSED')
      if (question) await scene.ok(scene.call('POST', `/automation-logs/${question.id}/approve`, {}))
      await scene.send(groupId)
      ;[sent] = await rowsOf('bid', 'SENT')
    }
    if (!sent) expect.unreachable()
    // Somebody archives a target there a moment before its bid arrives.
    const amazonId = await there.amazonIdOf(sent.entity.id)
    const archive = (state: 'ARCHIVED' | 'ENABLED') =>
      scene.world.change(store => {
        const [keyword, other] = [store.keywords.get(amazonId), store.targets.get(amazonId)]
        if (keyword) store.keywords.set(amazonId, { ...keyword, state })
        if (other) store.targets.set(amazonId, { ...other, state })
      })
    archive('ARCHIVED')
    await scene.push('target').catch(() => undefined)
    archive('ENABLED')
    await scene.settle()
    expect(await get(sent.id)).toMatchObject({ state: 'FAILED', answer: expect.stringMatching(/\w+ \w+ \w+/) })
    expect(await there.bidThere(sent.entity.id)).toBe(sent.before)
    const { pins } = await scene.group(groupId)
    expect(pins).toContainEqual(expect.objectContaining({ entity: 'target', entityId: keyword.entity.id }))
    expect(pins).toContainEqual(expect.objectContaining({ entity: 'campaign', entityId: campaign.id }))
    expect(await there.bidThere(keyword.entity.id)).toBe(1.91)
    expect(there.budgetThere(campaign)).toBe(61)
    const later = (await rowsOf('bid', 'CONFIRMED')).filter(one => one.day > keyword.day)
    expect(later.length).toBeGreaterThan(0)
    expect(later.map(one => one.entity.id)).not.toContain(keyword.entity.id)
    // Unpinned it is the optimizer's again.
    const pin = pins.find(one => one.entityId === keyword.entity.id)
    expect(await scene.call('DELETE', `/optimizer/pins/${pin?.id}`)).toMatchObject({ status: 204 })
    expect((await scene.group(groupId)).pins.map(one => one.entityId)).not.toContain(keyword.entity.id)
  })

  test('three undos of a kind make it ask first', async () => {
    const rows = (await rowsOf('bid', 'CONFIRMED')).filter(one => one.undo.isPossible).slice(0, 2)
    const answers: { body: { taught: string[] } }[] = []
    for (const { id } of rows) answers.push(await scene.call('POST', `/automation-logs/${id}/undo`, { force: true }))
    await scene.push('target')
    expect((await scene.group(groupId)).taught).toEqual(['bid'])
    expect(answers.flatMap(one => one.body.taught)).toEqual(['bid'])
    await scene.ok(scene.call('PUT', `/optimizer/groups/${groupId}`, { asks: [], targetAcos: 22 }))
    expect(await scene.group(groupId)).toMatchObject({ taught: [], asks: [], asksUntil: null, targetAcos: 22 })
  })
})

test('stopping puts back what the day of take-over had, and leaves what a person changed since', async () => {
  const preview = await scene.ok<{ content: { action: string; entityId: number }[] }>(
    scene.call('GET', `/optimizer/groups/${groupId}/restore`),
  )
  const actions = new Set(preview.content.map(one => one.action))
  expect([...actions].toSorted()).toEqual(['LEAVE', 'PAUSE', 'REMOVE', 'RESTORE'])
  const { group, restored, left } = await scene.ok<{
    group: OptimizerGroup
    restored: number
    left: { entityId: number; field: string; now: number; atTakeover: number; reason: string }[]
  }>(scene.call('POST', `/optimizer/groups/${groupId}/stop`, { restore: true }))
  expect(group).toMatchObject({ state: 'STOPPED', nextRunAt: null })
  expect(restored).toBe(preview.content.filter(one => one.action !== 'LEAVE').length)
  expect(left.every(one => one.reason === 'CHANGED_BY_HAND')).toBe(true)
  expect(left).toContainEqual(expect.objectContaining({ entityId: pair[0].id, field: 'budget', now: 61 }))
  await scene.push('negative', 'target', 'campaign')
  // By hand, what was left: then everything is as it was, but for the keyword that was made, which is paused.
  scene.world.change(store => {
    for (const { entityId, field, atTakeover } of left)
      if (field === 'budget') {
        const found = store.campaigns.get(pair[0].amazonId)
        if (found && entityId === pair[0].id)
          store.campaigns.set(pair[0].amazonId, { ...found, budgetMicros: atTakeover * 1e6 })
      }
    for (const [id, own] of store.keywords) if (own.keywordText === 'sharp harbor knives') store.keywords.delete(id)
  })
  for (const { entityId, field, atTakeover } of left)
    if (field === 'bid') {
      const amazonId = await there.amazonIdOf(entityId)
      scene.world.change(store => {
        const found = store.keywords.get(amazonId)
        if (found) store.keywords.set(amazonId, { ...found, bidMicros: Math.round(atTakeover * 1e6) })
      })
    }
  const now = there.setsThere()
  expect([...now].filter(([id, set]) => dayZero.get(id) !== set)).toEqual([])
  expect(now.size).toBe(dayZero.size)
  await scene.decide(groupId)
  expect((await scene.log(`&groupId=${groupId}&state=QUEUED`)).length).toBe(0)
})
