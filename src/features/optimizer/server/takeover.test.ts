import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePair } from '../../../../tests/support/optimizer-pair.ts'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
beforeAll(async () => {
  scene = await openOptimizerScene()
})
afterAll(() => scene.close())

test('taking over says what it would begin with, and why campaigns cannot be taken over', async () => {
  const { pair } = await choosePair(scene)
  const { rows } = await sql<{ id: number }>`select id from campaign where merchant_id = ${scene.merchantId}
    and ad_type = 'SPONSORED_BRANDS' limit 1`.execute(scene.services.db.system)
  const ids = [pair[0].id, rows[0]?.id, 888_888]
  const { body } = await scene.call('GET', `/optimizer/takeover-check?campaignIds=${ids.join(',')}`)
  expect(body).toMatchObject({ currency: 'USD', strategy: 'PROFIT', products: body.productsWithCosts })
  expect(body.campaigns.map((one: { problem: { code: string } | null }) => one.problem?.code)).toEqual([
    undefined,
    undefined,
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

test.each(['SPONSORED_BRANDS', 'SPONSORED_DISPLAY'] as const)(
  'campaigns of %s are taken over: bids for clicks and budgets change, and nothing else',
  async adType => {
    const { rows: campaigns } = await sql<{ id: number; costType: string | null }>`select id, cost_type as "costType"
      from campaign where merchant_id = ${scene.merchantId} and ad_type = ${adType} and state = 'ENABLED'
        and daily_budget_micros is not null`.execute(scene.services.db.system)
    expect(campaigns.length).toBeGreaterThan(0)
    const ids = campaigns.map(one => one.id)
    const check = await scene.call('GET', `/optimizer/takeover-check?campaignIds=${ids.join(',')}`)
    expect(check.body.campaigns.map((one: { problem: unknown }) => one.problem)).toEqual(ids.map(() => null))
    // Far from what they cost now, so that bids have to move.
    const groupId = await scene.take(ids, { targetAcos: 4, strategy: 'REACH', asks: [] })
    await scene.ok(scene.call('POST', `/optimizer/groups/${groupId}/start`))
    await scene.decide(groupId)
    for (const { id } of (await scene.log(`&groupId=${groupId}&state=PROPOSED`)).slice(0, 1))
      await scene.ok(scene.call('POST', `/automation-logs/${id}/approve`, {}))
    await scene.send(groupId)
    await scene.pushOf(adType, 'campaign', 'target')
    await scene.settle()
    const log = await scene.log(`&groupId=${groupId}`)
    expect(log.filter(one => !['bid', 'budget', 'none', 'breaker'].includes(one.kind))).toEqual([])
    const bids = log.filter(one => one.kind === 'bid')
    expect(bids.length).toBeGreaterThan(0)
    expect(new Set(bids.map(one => one.state))).toEqual(new Set(['CONFIRMED']))
    const { brandKeywords, brandTargets, displayTargets } = scene.world.store
    const paidByViews = new Set(campaigns.filter(one => one.costType === 'VCPM').map(one => one.id))
    for (const { entity, after } of bids) {
      expect(paidByViews).not.toContain(entity.campaignId)
      const { rows } = await sql<{
        amazonId: string
      }>`select amazon_id as "amazonId" from target where id = ${entity.id}`.execute(scene.services.db.system)
      const amazonId = rows[0]?.amazonId ?? ''
      const there = brandKeywords.get(amazonId) ?? brandTargets.get(amazonId) ?? displayTargets.get(amazonId)
      expect(there?.bidMicros).toBe(Math.round(Number(after) * 1e6))
    }
    const { body } = await scene.call('POST', `/optimizer/groups/${groupId}/stop`, { restore: true })
    expect(body.restored).toBe(bids.length + log.filter(one => one.kind === 'budget').length)
  },
)

test('a highest bid is one that every ad type of the group takes', async () => {
  const { rows } = await sql<{ id: number }>`select id from campaign where merchant_id = ${scene.merchantId}
    and ad_type = 'SPONSORED_BRANDS' and state = 'ENABLED' and daily_budget_micros is not null and cost_type is distinct from 'VCPM'
    limit 1`.execute(scene.services.db.system)
  const take = (highestBid: number) =>
    scene.call('POST', '/campaign/takeover', {
      campaignIds: rows.map(one => one.id),
      targetAcos: 30,
      strategy: 'REACH',
      highestBid,
    })
  expect(await take(0.05)).toMatchObject({ status: 400, body: { fields: { highestBid: expect.any(String) } } })
  expect(await take(0.5)).toMatchObject({ status: 202 })
})

test('the bids that the marketplace suggests are asked for once, the dearest ad groups first, and given to the engine', async () => {
  const { pair } = await choosePair(scene)
  const groupId = await scene.take(pair.map(one => one.id))
  const requests = () =>
    scene.world.journal.list({ vendor: 'ads' }).filter(one => one.path.endsWith('/bid/recommendations')).length
  await scene.decide(groupId)
  const { rows } = await sql<{ on: string; highs: Record<string, number> }>`select s.value ->> 'on' as on,
      s.value -> 'highs' as highs
    from optimizer_group g, jsonb_each(g.suggested) s where g.id = ${groupId}`.execute(scene.services.db.system)
  expect(rows.length).toBeGreaterThan(0)
  expect(requests()).toBe(rows.length)
  expect(new Set(rows.map(one => one.on))).toEqual(new Set([scene.today()]))
  const highs = new Map(rows.flatMap(one => Object.entries(one.highs)))
  const bidsOfToday = async () => {
    const found = await sql<{ id: string; high: number | null }>`select entity_id::text as id,
        (evidence -> 'basis' -> 'bid' ->> 'suggestedHighMicros')::float8 as high
      from optimizer_decision where group_id = ${groupId} and kind = 'bid' and day = ${scene.today()}`.execute(
      scene.services.db.system,
    )
    return found.rows
  }
  const bids = await bidsOfToday()
  expect(bids.length).toBeGreaterThan(0)
  for (const { id, high } of bids) expect(high).toBe(highs.get(id) ?? null)
  expect(bids.some(one => one.high !== null)).toBe(true)
  await scene.later(24)
  await scene.decide(groupId)
  expect(requests()).toBe(rows.length)
  // Without a new answer they are of no use after three weeks.
  await sql`update optimizer_group set suggested = (select jsonb_object_agg(key, jsonb_set(value, '{on}', '"2020-01-01"'))
    from jsonb_each(suggested)) where id = ${groupId}`.execute(scene.services.db.system)
  scene.order({
    match: { vendor: 'ads', path: '/sp/targets/bid/recommendations' },
    kind: 'status',
    status: 400,
    times: 9,
  })
  await scene.later(24 * 3)
  await scene.decide(groupId)
  scene.calm()
  expect((await bidsOfToday()).every(one => one.high === null)).toBe(true)
  expect((await scene.group(groupId)).lastRun).toMatchObject({ day: scene.today() })
})
