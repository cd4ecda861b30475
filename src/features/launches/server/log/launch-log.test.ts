import * as v from 'valibot'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { launchActs } from '../../../../../tests/support/launch-acts.ts'
import { type LaunchScene, openLaunchScene } from '../../../../../tests/support/launch-scene.ts'
import type { CreatePayloadInput } from '../../launch-schema.ts'
import { type LaunchCall, launchEndpoints } from '../../contract.ts'
import { getLaunch } from './read-launches.ts'
import { listCalls } from './read-launches.ts'
import { undoLaunch } from '../change-launch.ts'

let scene: LaunchScene
let acts: ReturnType<typeof launchActs>
beforeAll(async () => {
  scene = await openLaunchScene()
  acts = launchActs(scene)
})
afterEach(() => scene.world.faults.clear())
afterAll(() => scene.close())

async function callsOf(id: number, page = 0, size = 100) {
  const answer = await listCalls(await scene.caller(), id, { page, size })
  expect(v.parse(launchEndpoints.calls.response, answer)).toEqual(answer)
  return answer
}
const read = (text: string | null) => JSON.parse(text ?? 'null') as Record<string, unknown>
function firstOf(calls: LaunchCall[], operation: string) {
  const call = calls.find(c => c.operation === operation)
  if (!call) throw new Error(`no call ${operation}`)
  return call
}

describe('the log of a launch', () => {
  test('has every call to the marketplace in its order, what was sent and what came back', async () => {
    const id = await acts.begin()
    await acts.run(id)
    const { content, page } = await callsOf(id)
    expect(content.map(c => `${c.method} ${c.path}`)).toEqual(scene.calls.map(c => `${c.method} ${c.path}`))
    expect(page.totalElements).toBe(scene.calls.length)
    expect(content.map(c => c.no)).toEqual(content.map((_, i) => i + 1))
    const campaigns = firstOf(content, 'create campaigns')
    expect(campaigns).toMatchObject({ step: 'CAMPAIGNS', outcome: 'ANSWERED', message: null })
    expect(read(campaigns.sent).campaigns).toHaveLength(5)
    const { created } = await acts.view(id)
    for (const { id: made } of created.filter(c => c.entity === 'CAMPAIGN')) expect(campaigns.received).toContain(made)
    expect((await callsOf(id, 1, 4)).content[0]?.no).toBe(5)
  })

  test('keeps the marketplace’s own words for what it refused, and no token', async () => {
    const id = await acts.begin()
    acts.fault('partial', '/sp/keywords', { items: [1], selector: 'rangeError', reason: 'TOO_LOW' })
    await acts.run(id)
    const { content } = await callsOf(id)
    expect(firstOf(content, 'create keywords').received).toContain('TOO_LOW')
    expect(JSON.stringify(content)).not.toMatch(/Bearer|Atza|Atzr|access_token/i)
  })

  test('tells calls that were refused, never arrived, or whose answer was lost', async () => {
    const id = await acts.begin()
    scene.world.faults.add({ match: { vendor: 'ads', method: 'POST', path: '/sp/adGroups' }, kind: 'drop-after' })
    scene.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sp/productAds' },
      kind: 'throttle',
      retryAfterSeconds: 0,
    })
    scene.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sp/keywords' },
      kind: 'status',
      status: 400,
    })
    await acts.run(id)
    const { content } = await callsOf(id)
    expect(firstOf(content, 'create adGroups')).toMatchObject({ outcome: 'UNKNOWN', received: null, step: 'AD_GROUPS' })
    expect(firstOf(content, 'create keywords')).toMatchObject({ outcome: 'REFUSED', status: 400 })
    expect(content.filter(c => c.outcome === 'ANSWERED' && c.operation === 'list adGroups')).not.toEqual([])
  })

  test('dates every step', async () => {
    const id = await acts.begin()
    expect((await acts.view(id)).steps.every(s => s.startedAt === null && s.finishedAt === null)).toBe(true)
    await acts.run(id)
    for (const step of (await acts.view(id)).steps) {
      expect(Date.parse(step.startedAt ?? '')).not.toBeNaN()
      expect(Date.parse(step.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(step.startedAt ?? ''))
    }
  })

  test('is the merchant’s own', async () => {
    const id = await acts.begin()
    const ctx = await scene.caller()
    const stranger = { ...ctx, actor: { ...ctx.actor, merchantId: scene.merchantId + 1 } }
    await expect(listCalls(stranger, id, { page: 0, size: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('what a launch was asked for', () => {
  const askedOf = async (id: number) => {
    const answer = await getLaunch(await scene.caller(), id, { withInput: true })
    expect(v.parse(launchEndpoints.get.response, answer)).toEqual(answer)
    return answer.input
  }
  const rewrite = (id: number, payload: object) =>
    scene.services.db.system
      .updateTable('launch')
      .set({ payload: JSON.stringify(payload) })
      .where('merchant_id', '=', scene.merchantId)
      .where('id', '=', id)
      .execute()
  const guided: Partial<CreatePayloadInput> = {
    setupMode: 'GUIDED',
    keywordMatchType: 'EXACT',
    keywords: [{ keyword: 'yoga mat', matchType: 'EXACT', bid: 1.2 }],
    negativeKeywords: [{ keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' }],
    budgetShares: { DISCOVERY: 30, RESEARCH: 15, PERFORMANCE: 35, RANKING: 20 },
  }

  test('is answered whole, with its marketplace, to who wishes it', async () => {
    const id = await acts.begin({ ...guided, campaignName: 'Sent whole' })
    expect(await askedOf(id)).toEqual({
      marketplaceId: scene.market.id,
      payload: acts.payloadOf({ ...guided, campaignName: 'Sent whole' }),
    })
    expect((await acts.view(id)).input).toBeUndefined()
  })

  test('is the merchant’s own', async () => {
    const id = await acts.begin()
    const ctx = await scene.caller()
    const stranger = { ...ctx, actor: { ...ctx.actor, merchantId: scene.merchantId + 1 } }
    await expect(getLaunch(stranger, id, { withInput: true })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('is read as older versions wrote it, and said to be lost where it is not understood', async () => {
    const id = await acts.begin()
    const { negativeKeywords, productTargets, ...older } = acts.payloadOf(guided)
    expect([negativeKeywords, productTargets]).not.toContain(undefined)
    await rewrite(id, { ...older, dayparting: 'NIGHT' })
    const payload = { ...older, negativeKeywords: [], productTargets: [] }
    expect((await askedOf(id))?.payload).toEqual(payload)
    await rewrite(id, { ...older, template: 'THREE_PRODUCTS' })
    expect(await askedOf(id)).toEqual({ marketplaceId: scene.market.id, payload: null })
  })
})

describe('an undo', () => {
  test('of campaigns to which things were added since is refused with what would go along, until it is wanted anyway', async () => {
    const id = await acts.begin()
    await acts.run(id)
    const { campaignName } = await acts.view(id)
    const group = await scene.services.db.system
      .selectFrom('target')
      .innerJoin('campaign', join =>
        join.onRef('campaign.merchant_id', '=', 'target.merchant_id').onRef('campaign.id', '=', 'target.campaign_id'),
      )
      .select(['target.ad_group_id', 'target.campaign_id', 'target.profile_id'])
      .where('campaign.name', 'like', `%${campaignName} | Research%`)
      .executeTakeFirstOrThrow()
    const added = (amazonId: string, kind: 'KEYWORD' | 'AUTO', state: string) => ({
      ...group,
      merchant_id: scene.merchantId,
      amazon_id: amazonId,
      state,
      kind,
      text: 'by hand',
      match_type: 'EXACT',
      expression: null,
      bid_micros: 1_000_000,
      serving_status: null,
      sync_error: null,
      base: null,
      gone_at: null,
    })
    await scene.services.db.system
      .insertInto('target')
      .values([
        added('771', 'KEYWORD', 'ENABLED'),
        added('772', 'KEYWORD', 'ARCHIVED'),
        added('773', 'AUTO', 'ENABLED'),
      ])
      .execute()
    await expect(undoLaunch(await scene.caller(), id)).rejects.toMatchObject({
      code: 'CONFLICT',
      details: ['1 keyword added since'],
    })
    expect((await acts.view(id)).undo).toBeNull()
    await undoLaunch(await scene.caller(), id, { anyway: true })
    await acts.run(id)
    expect((await acts.view(id)).undo).toBe('DONE')
    expect(acts.campaignsOf(campaignName).every(c => c.state === 'ARCHIVED')).toBe(true)
    const { content } = await callsOf(id)
    expect(content.filter(c => c.step === 'UNDO').map(c => c.operation)).toContain('archive campaigns')
  })
})
