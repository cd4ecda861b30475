import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openOptimizerScene } from '../../../../tests/support/optimizer-scene.ts'

let scene: Awaited<ReturnType<typeof openOptimizerScene>>
/** Running campaigns of Sponsored Products, the dearest first. */
let campaigns: { id: number; amazonId: string; name: string; cost: number }[]

beforeAll(async () => {
  scene = await openOptimizerScene()
  const { rows } = await sql<(typeof campaigns)[number]>`select c.id, c.amazon_id as "amazonId", c.name,
      coalesce(sum(d.cost_micros), 0)::float8 as cost
    from campaign c left join campaign_day d on d.merchant_id = c.merchant_id and d.campaign_id = c.id
    where c.merchant_id = ${scene.merchantId} and c.profile_id = ${scene.profile.profileId}
      and c.ad_type = 'SPONSORED_PRODUCTS' and c.state = 'ENABLED'
    group by c.id, c.amazon_id, c.name order by cost desc, c.id`.execute(scene.services.db.system)
  campaigns = rows
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

describe('taking over', () => {
  test('says what it would begin with, and why campaigns cannot be taken over', async () => {
    const { rows } = await sql<{ id: number }>`select id from campaign where merchant_id = ${scene.merchantId}
      and ad_type = 'SPONSORED_BRANDS' limit 1`.execute(scene.services.db.system)
    const ids = [campaigns[0]?.id, rows[0]?.id ?? 999_999, 888_888]
    const { body } = await scene.call('GET', `/optimizer/takeover-check?campaignIds=${ids.join(',')}`)
    expect(body).toMatchObject({ currency: 'USD', strategy: 'PROFIT', campaigns: [{ problem: null }, {}, {}] })
    expect(body.campaigns.slice(1).every((one: { problem: object | null }) => one.problem)).toBe(true)
    expect(body.cost).toBeGreaterThan(0)
    expect(body.margin).toBeCloseTo(45, 0)
  })

  test('decides at once in its shadow, writes nothing at the marketplace, and the same day only once', async () => {
    const ids = campaigns.slice(0, 3).map(one => one.id)
    const before = scene.writes()
    const id = await scene.take(ids)
    await scene.decide(id)
    await scene.decide(id)
    const log = await scene.log(`&groupId=${id}`)
    expect(log.length).toBeGreaterThan(0)
    expect(new Set(log.map(one => one.state))).toEqual(new Set(['SHADOW']))
    await scene.send(id)
    await scene.push('campaign', 'target', 'negative')
    expect(scene.writes()).toBe(before)
    expect(await scene.group(id)).toMatchObject({ state: 'SHADOW', lastRun: { day: scene.today() } })
  })
})
