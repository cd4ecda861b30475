import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
beforeAll(async () => {
  scene = await openOptimizerScene()
})
afterAll(() => scene.close())

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
