import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AppNotification } from '#features/notifications/contract.ts'
import type { GroupProof, LogRow, OptimizerGroup } from '#features/optimizer/contract.ts'
import { addDays } from '#shared/time.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
interface Chosen {
  id: number
  amazonId: string
  name: string
}
/** Two campaigns of one product, which find searches and take the proven ones, and others. */
let pair: [Chosen, Chosen]
let others: Chosen[]
let groupId: number
/** What the marketplace had of the pair before it was taken over. */
let dayZero: Map<string, string>

beforeAll(async () => {
  scene = await openOptimizerScene()
  const { rows } = await sql<Chosen>`select c.id, c.amazon_id as "amazonId", c.name
    from campaign c left join campaign_day d on d.merchant_id = c.merchant_id and d.campaign_id = c.id
    where c.merchant_id = ${scene.merchantId} and c.profile_id = ${scene.profile.profileId}
      and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED'
    group by c.id, c.amazon_id, c.name order by coalesce(sum(d.cost_micros), 0) desc, c.id`.execute(
    scene.services.db.system,
  )
  const family = ({ name }: Chosen) => name.replace(/ – .*/, '')
  const found = rows
    .filter(one => one.name.endsWith('Auto'))
    .flatMap(auto => {
      const exact = rows.find(one => family(one) === family(auto) && one.name.endsWith('Exact'))
      return exact ? [[auto, exact] as [Chosen, Chosen]] : []
    })
  pair = found[0] ?? expect.unreachable()
  others = rows.filter(one => !pair.includes(one))
  dayZero = setsThere()
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

/**
 * What the marketplace has of the pair, by id: bids, budgets, placements, states and negatives that are not archived. A bid that
 * follows its ad group is that bid: no call gives it back to the ad group.
 */
function setsThere(): Map<string, string> {
  const { campaigns, adGroups, keywords, targets, negativeKeywords, negativeTargets } = scene.world.store
  const ours = new Set(pair.map(one => one.amazonId))
  const sets = new Map<string, string>()
  for (const map of [campaigns, keywords, targets, negativeKeywords, negativeTargets] as Map<string, object>[])
    for (const [id, row] of map) {
      const { campaignId, adGroupId, state, bidMicros, ...more } = row as Record<string, unknown>
      if (!ours.has(String(campaignId)) || state === 'ARCHIVED') continue
      const bid = bidMicros === null ? adGroups.get(String(adGroupId))?.defaultBidMicros : bidMicros
      sets.set(id, JSON.stringify({ state, bid, ...more, updatedAt: 0 }))
    }
  return sets
}
const amazonIdOf = async (table: 'target' | 'campaign', id: number | null): Promise<string> => {
  const { rows } = await sql<{ amazonId: string }>`select amazon_id as "amazonId" from ${sql.table(table)}
    where merchant_id = ${scene.merchantId} and id = ${id}`.execute(scene.services.db.system)
  return rows[0]?.amazonId ?? ''
}
async function bidThere(id: number | null): Promise<number | undefined> {
  const amazonId = await amazonIdOf('target', id)
  const { keywords, targets } = scene.world.store
  const micros = keywords.get(amazonId)?.bidMicros ?? targets.get(amazonId)?.bidMicros
  return micros === undefined || micros === null ? undefined : micros / 1e6
}
const budgetThere = ({ amazonId }: Chosen): number =>
  (scene.world.store.campaigns.get(amazonId)?.budgetMicros ?? 0) / 1e6
/** The rows of the group, the latest first. */
const rowsOf = (kind: LogRow['kind'], state: LogRow['state']) =>
  scene.log(`&groupId=${groupId}&kind=${kind}&state=${state}`)
const get = (id: number) => scene.ok<LogRow>(scene.call('GET', `/automation-logs/${id}`))
const carryOut = async () => {
  await scene.send(groupId)
  await scene.push('campaign', 'target', 'negative')
  await scene.settle()
}
/** A search that the automatic campaign met on many days, with so many clicks and orders a day. */
async function addSearch(term: string, each: { clicks: number; cost: number; orders: number; sales: number }) {
  await sql`insert into search_term_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, search_term, date, impressions,
      clicks, cost_micros, sales_micros, orders, units)
    select t.merchant_id, t.profile_id, t.campaign_id, t.ad_group_id, t.id, ${term}, ${scene.today()}::date - n, 100,
      ${each.clicks}::int, ${each.cost * 1e6}::bigint, ${each.sales * 1e6}::bigint, ${each.orders}::int, ${each.orders}::int
    from (select * from target where merchant_id = ${scene.merchantId} and campaign_id = ${pair[0].id} and state = 'ENABLED'
      order by id limit 1) t cross join generate_series(1, 40, 1) n`.execute(scene.services.db.system)
}

describe('taking over', () => {
  test('says what it would begin with, and why campaigns cannot be taken over', async () => {
    const { rows } = await sql<{ id: number }>`select id from campaign where merchant_id = ${scene.merchantId}
      and ad_type = 'SPONSORED_BRANDS' limit 1`.execute(scene.services.db.system)
    const ids = [pair[0].id, rows[0]?.id, 888_888]
    const { body } = await scene.call('GET', `/optimizer/takeover-check?campaignIds=${ids.join(',')}`)
    expect(body).toMatchObject({ currency: 'USD', strategy: 'PROFIT', products: 4, productsWithCosts: 4 })
    expect(body.campaigns.map((one: { problem: { code: string } | null }) => one.problem?.code)).toEqual([
      undefined,
      'OTHER_AD_TYPE',
      'NOT_FOUND',
    ])
    expect(body.cost).toBeGreaterThan(0)
    expect(body.margin).toBeCloseTo(45, 0)
    const refused = await scene.call('POST', '/campaign/takeover', {
      campaignIds: ids,
      targetAcos: 30,
      strategy: 'PROFIT',
    })
    expect(refused).toMatchObject({ status: 422, body: { errorCode: 'RULE_VIOLATED' } })
  })

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
    expect(new Set(log.map(one => `${one.kind} ${one.entity.id} ${one.after}`)).size).toBe(log.length)
    await carryOut()
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
    await addSearch('sharp harbor knives', { clicks: 3, cost: 2, orders: 1, sales: 60 })
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
    for (const { entity, after } of queued) expect(await bidThere(entity.id)).toBe(after)
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
    expect(await bidThere(one.entity.id)).toBe(one.before)
    expect((await get(one.id)).pin).not.toBeNull()
    expect(await scene.call('POST', `/automation-logs/${one.id}/undo`, {})).toMatchObject({ status: 422 })

    const path = `/${other.entity.matchType ? 'keywords' : 'targets'}/${other.entity.id}?bid=3.33`
    const { rows } = await sql<{ version: number }>`select version from target where id = ${other.entity.id}`.execute(
      scene.services.db.system,
    )
    await scene.ok(scene.call('PUT', path, undefined, rows[0]?.version))
    const conflict = await scene.call('POST', `/automation-logs/${other.id}/undo`, {})
    expect(conflict).toMatchObject({
      status: 409,
      body: { values: [{ before: other.before, after: other.after, now: 3.33 }] },
    })
    expect(await scene.call('POST', `/automation-logs/${other.id}/undo`, { force: true })).toMatchObject({
      status: 200,
    })
    await scene.push('target')
    expect(await bidThere(other.entity.id)).toBe(other.before)
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
    expect(rows.length).toBe(new Set([...budgets, ...negatives, ...harvests].map(one => one.decisionGroup)).size)
    // From its notification, with another number in place.
    await scene.notify()
    const asked = await scene.ok<{ content: AppNotification[] }>(scene.call('GET', '/notifications?open=true&size=100'))
    const card = asked.content.find(one => one.url === `/automation-logs?row=${harvest.id}`) ?? expect.unreachable()
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
    const { rows } = await sql<{ version: number }>`select version from target where id = ${keyword.entity.id}`.execute(
      scene.services.db.system,
    )
    await scene.ok(scene.call('PUT', `/keywords/${keyword.entity.id}?bid=1.91`, undefined, rows[0]?.version))
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
      // Where most bids want the same full step, they are asked about.
      const [question] = await rowsOf('bid', 'PROPOSED')
      if (question) await scene.ok(scene.call('POST', `/automation-logs/${question.id}/approve`, {}))
      await scene.send(groupId)
      ;[sent] = await rowsOf('bid', 'SENT')
    }
    if (!sent) expect.unreachable()
    // Somebody archives a target there a moment before its bid arrives.
    const amazonId = await amazonIdOf('target', sent.entity.id)
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
    expect(await bidThere(sent.entity.id)).toBe(sent.before)
    const { pins } = await scene.group(groupId)
    expect(pins).toContainEqual(expect.objectContaining({ entity: 'target', entityId: keyword.entity.id }))
    expect(pins).toContainEqual(expect.objectContaining({ entity: 'campaign', entityId: campaign.id }))
    expect(await bidThere(keyword.entity.id)).toBe(1.91)
    expect(budgetThere(campaign)).toBe(61)
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

describe('stopping', () => {
  test('puts back what the day of take-over had, and leaves what a person changed since', async () => {
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
        const amazonId = await amazonIdOf('target', entityId)
        scene.world.change(store => {
          const found = store.keywords.get(amazonId)
          if (found) store.keywords.set(amazonId, { ...found, bidMicros: Math.round(atTakeover * 1e6) })
        })
      }
    const now = setsThere()
    expect([...now].filter(([id, set]) => dayZero.get(id) !== set)).toEqual([])
    expect(now.size).toBe(dayZero.size)
    await scene.decide(groupId)
    expect((await scene.log(`&groupId=${groupId}&state=QUEUED`)).length).toBe(0)
  })

  test('takes one campaign out of its group, and the last one ends the group', async () => {
    const [one, other] = others
    if (!one || !other) expect.unreachable()
    const id = await scene.take([one.id, other.id])
    expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${one.id}`)).toMatchObject({ status: 204 })
    expect((await scene.group(id)).campaigns.map(own => own.id)).toEqual([other.id])
    expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${other.id}`)).toMatchObject({ status: 204 })
    expect(await scene.group(id)).toMatchObject({ state: 'STOPPED' })
    expect(await scene.call('POST', `/campaign/stop-optimizing?campaignId=${other.id}`)).toMatchObject({ status: 404 })
  })
})

test('a change has its receipt once its days have settled, and the group its proof', async () => {
  groupId = await scene.take(
    others.slice(2, 12).map(one => one.id),
    { asks: [] },
  )
  await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
  await scene.decide(groupId)
  // All of them want the same step, which is asked about as one question.
  const [question] = await rowsOf('bid', 'PROPOSED')
  if (question) await scene.ok(scene.call('POST', `/automation-logs/${question.id}/approve`, {}))
  await carryOut()
  const sent = (await rowsOf('bid', 'CONFIRMED')).filter(row => (row.forecast?.clicks ?? 0) > 0.8)
  const [right, wrong] = sent
  if (!right?.forecast || !wrong?.forecast) expect.unreachable()
  const from = scene.today()
  await scene.later(24 * 20)
  const come = async (row: LogRow, times: number) => {
    const clicks = Math.round((row.forecast?.clicks ?? 0) * times * 14)
    const cost = Math.round(((row.forecast?.cost ?? 0) / (row.forecast?.clicks ?? 1)) * 1e6 * clicks)
    await sql`insert into target_day (merchant_id, profile_id, campaign_id, ad_group_id, target_id, date, impressions, clicks,
        cost_micros, sales_micros, orders, units)
      select t.merchant_id, t.profile_id, t.campaign_id, t.ad_group_id, t.id, ${from}::date + 1, 1000, ${clicks}::int, ${cost}::bigint, 0, 0, 0
      from target t where t.merchant_id = ${scene.merchantId} and t.id = ${row.entity.id}`.execute(
      scene.services.db.system,
    )
  }
  await come(right, 1)
  await come(wrong, 6)
  await scene.judge()
  expect((await get(right.id)).receipt).toMatchObject({
    verdict: 'AS_EXPECTED',
    figures: [{ figure: 'CLICKS' }, { figure: 'CPC' }],
  })
  expect((await get(wrong.id)).receipt).toMatchObject({ verdict: 'NOT_AS_EXPECTED' })
  const proof = await scene.ok<GroupProof>(scene.call('GET', `/optimizer/groups/${groupId}/proof`))
  expect(proof.receipts.judged).toBeGreaterThanOrEqual(2)
  expect(proof.receipts.held).toBeLessThan(proof.receipts.judged)
  expect(proof).toMatchObject({ effect: { verdict: 'CANNOT_TELL', why: 'TOO_FEW_WEEKS' }, test: null })
  expect(proof.calibrations[0]?.bands).toBe(proof.receipts.judged)
  expect(proof.days.some(day => day.profit !== null && day.cost > 0)).toBe(true)
})

test('a day that costs far more than usual stops all raises within the hour', async () => {
  const spend = (day: string, table: 'campaign_day' | 'campaign_hour', micros: number) =>
    sql`insert into ${sql.table(table)} (merchant_id, profile_id, campaign_id, date, ${table === 'campaign_hour' ? sql`hour,` : sql``}
        impressions, clicks, cost_micros, sales_micros, orders, units)
      select ${scene.merchantId}, ${scene.profile.profileId}, campaign_id, ${day}::date, ${table === 'campaign_hour' ? sql`3,` : sql``}
        100, 10, ${micros}::bigint, 0, 0, 0 from optimizer_campaign where merchant_id = ${scene.merchantId} and group_id = ${groupId}
      on conflict do nothing`.execute(scene.services.db.system)
  for (const days of [7, 14]) await spend(addDays(scene.today(), -days), 'campaign_day', 10_000_000)
  await spend(scene.today(), 'campaign_hour', 14_000_000)
  await scene.watch(groupId)
  expect((await scene.group(groupId)).halt).toBeNull()
  await sql`update campaign_hour set cost_micros = 16000000 where merchant_id = ${scene.merchantId}`.execute(
    scene.services.db.system,
  )
  await scene.watch(groupId)
  await scene.watch(groupId)
  expect(await scene.log(`&groupId=${groupId}&kind=breaker`)).toMatchObject([
    { cause: 'SPEND_BROKE_OUT', evidence: { cost: 160 } },
  ])
  expect((await scene.group(groupId)).halt).toEqual({ cause: 'SPEND_BROKE_OUT', until: addDays(scene.today(), 3) })
})
