import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
const json = 'application/json'
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
})
afterAll(() => sandbox.close())

async function send(method: string, resource: string, items: object[]): Promise<Json[]> {
  const { status, headers, body } = await ads.call(method, `/sd/${resource}`, json, items)
  expect(status).toBe(207)
  expect(headers.get('content-type')).toContain(json)
  return listOf(body)
}
async function made(resource: string, idName: string, item: object): Promise<string> {
  const [row] = await send('POST', resource, [item])
  expect(row?.code).toBe('SUCCESS')
  return leafOf(row?.[idName])
}
const codes = (rows: Json[]): string[] => rows.map(row => leafOf(row.code))
const get = async (path: string): Promise<Json> => (await ads.call('GET', `/sd/${path}`, null)).body
function campaign(name: string, more: object = {}): object {
  return {
    name,
    tactic: 'T00030',
    budgetType: 'daily',
    budget: '10.00',
    costType: 'cpc',
    state: 'enabled',
    ...more,
  }
}
async function adGroupOf(name: string, more: object = {}): Promise<{ campaignId: string; adGroupId: string }> {
  const campaignId = await made('campaigns', 'campaignId', campaign(name, more))
  const group = { campaignId, name, defaultBid: 1, bidOptimization: 'clicks', state: 'enabled' }
  return { campaignId, adGroupId: await made('adGroups', 'adGroupId', group) }
}

describe('Sponsored Display campaigns', () => {
  test('are made with days without dashes, changed, got, listed and archived for good', async () => {
    const item = campaign('Round', { startDate: '20260310', endDate: '20260401' })
    const campaignId = await made('campaigns', 'campaignId', item)
    expect(sandbox.world.store.displayCampaigns.get(campaignId)).toMatchObject({
      startDate: '2026-03-10',
      endDate: '2026-04-01',
      budgetMicros: 10_000_000,
    })
    const whole = {
      campaignId,
      name: 'Round',
      tactic: 'T00030',
      startDate: '20260310',
      endDate: '20260401',
      state: 'enabled',
      costType: 'cpc',
      budget: 10,
      budgetType: 'daily',
      deliveryProfile: 'as_soon_as_possible',
    }
    expect(await get(`campaigns/${campaignId}`)).toEqual(whole)
    const rows = await send('PUT', 'campaigns', [
      { campaignId, budget: 12, state: 'paused', endDate: null, status: 'archived', tactic: 'T00020' },
      { campaignId: 404, budget: 12 },
    ])
    expect(rows[0]).toEqual({ code: 'SUCCESS', campaignId })
    expect(rows[1]).toMatchObject({ code: 'NOT_FOUND', campaignId: 404, description: expect.any(String) })
    const { endDate: _endDate, ...endless } = whole
    const changed = { ...endless, budget: 12, state: 'paused' }
    const { deliveryProfile: _deliveryProfile, ...extended } = changed
    expect(await get('campaigns?stateFilter=paused&name=Round')).toEqual([changed])
    expect(await get(`campaigns/extended/${campaignId}`)).toEqual({
      ...extended,
      servingStatus: 'CAMPAIGN_PAUSED',
      creationDate: Date.parse('2026-03-10T18:30:00Z'),
      lastUpdatedDate: Date.parse('2026-03-10T18:30:00Z'),
    })
    const gone = await ads.call('DELETE', `/sd/campaigns/${campaignId}`, null)
    expect(gone).toMatchObject({ status: 200, body: { code: 'SUCCESS', campaignId } })
    expect(codes(await send('PUT', 'campaigns', [{ campaignId, state: 'enabled' }]))).toEqual(['INVALID_ARGUMENT'])
    const group = { campaignId, name: 'Late', defaultBid: 1, state: 'enabled' }
    expect((await send('POST', 'adGroups', [group]))[0]).toMatchObject({
      code: 'INVALID_ARGUMENT',
      description: 'The campaign is archived',
    })
  })

  test('are rejected one by one', async () => {
    const rows = await send('POST', 'campaigns', [
      campaign('Good'),
      campaign('good'),
      campaign('Cheap', { budget: 0.99 }),
      campaign('Dear', { budget: 1_000_001 }),
      campaign('Past', { startDate: '20260309' }),
      campaign('Dashes', { startDate: '2026-03-10' }),
      campaign('Backwards', { startDate: '20260401', endDate: '20260331' }),
      campaign('x'.repeat(129)),
      campaign('Born archived', { state: 'archived' }),
      campaign('Lost portfolio', { portfolioId: 404 }),
    ])
    expect(codes(rows)).toEqual(['SUCCESS', ...Array.from({ length: 8 }, () => 'INVALID_ARGUMENT'), 'NOT_FOUND'])
    expect(leafOf(rows[5]?.description)).toBe('The startDate must be YYYYMMDD')
    const upper = await ads.call('POST', '/sd/campaigns', json, [campaign('Upper', { state: 'ENABLED' })])
    expect(upper).toMatchObject({ status: 422, body: { code: 'UNPROCESSABLE_ENTITY' } })
    const wrapped = await ads.call('POST', '/sd/campaigns', json, { campaigns: [] })
    expect(wrapped.status).toBe(422)
  })

  test('get their country’s default budget', async () => {
    const campaignId = await made('campaigns', 'campaignId', campaign('By default', { budget: undefined }))
    expect(await get(`campaigns/${campaignId}`)).toMatchObject({ budget: 100, budgetType: 'daily' })
  })

  test('list from an index so many, by states', async () => {
    const all = listOf(await get('campaigns'))
    expect(all.length).toBeGreaterThan(1)
    expect(await get('campaigns?startIndex=1&count=1')).toEqual(all.slice(1, 2))
    expect(listOf(await get('campaigns?stateFilter=archived')).every(row => leafOf(row.state) === 'archived')).toBe(
      true,
    )
    expect((await ads.call('GET', '/sd/campaigns?stateFilter=ENABLED', null)).status).toBe(400)
    const stranger = await adsClient(sandbox, { email: 'other@sandbox.test', profileId: '222' })
    expect((await stranger.call('GET', '/sd/campaigns', null)).body).toEqual([])
  })
})

describe('Sponsored Display ad groups', () => {
  test('bid by their campaign’s cost type, within its limits and budget', async () => {
    const clicks = await made('campaigns', 'campaignId', campaign('Clicks'))
    const seen = await made('campaigns', 'campaignId', campaign('Seen', { costType: 'vcpm' }))
    const group = (campaignId: string, name: string, more: object) => ({ campaignId, name, state: 'enabled', ...more })
    const rows = await send('POST', 'adGroups', [
      group(clicks, 'A', { defaultBid: 1, bidOptimization: 'conversions' }),
      group(clicks, 'B', { defaultBid: 0.01 }),
      group(clicks, 'C', { defaultBid: 10.01 }),
      group(clicks, 'D', { defaultBid: 1, bidOptimization: 'reach' }),
      group(seen, 'E', { defaultBid: 0.99 }),
      group(seen, 'F', { defaultBid: 12 }),
      group(clicks, 'a', { defaultBid: 1 }),
    ])
    expect(codes(rows)).toEqual([
      'SUCCESS',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'INVALID_ARGUMENT',
      'SUCCESS',
      'INVALID_ARGUMENT',
    ])
    expect(await get(`adGroups?campaignIdFilter=${seen}`)).toMatchObject([
      { bidOptimization: 'reach', tactic: 'T00030' },
    ])
    const adGroupId = leafOf(rows[0]?.adGroupId)
    await send('PUT', 'adGroups', [{ adGroupId, defaultBid: '2.5', name: 'Renamed' }])
    expect(await get(`adGroups/${adGroupId}`)).toMatchObject({ defaultBid: 2.5, name: 'Renamed' })
    await ads.call('DELETE', `/sd/adGroups/${adGroupId}`, null)
    expect(await get(`adGroups/extended/${adGroupId}`)).toMatchObject({
      state: 'archived',
      servingStatus: 'AD_GROUP_ARCHIVED',
    })
  })
})

describe('Sponsored Display ads', () => {
  test('are for the seller’s own eligible products, each once, and are paused and archived', async () => {
    const { campaignId, adGroupId } = await adGroupOf('Ads')
    const rows = await send('POST', 'productAds', [
      { adGroupId, campaignId, sku: 'SKU-1', state: 'enabled' },
      { adGroupId, sku: 'SKU-1', state: 'enabled' },
      { adGroupId, sku: 'SKU-3', state: 'enabled' },
      { adGroupId, sku: 'NONE', state: 'enabled' },
      { adGroupId: 404, sku: 'SKU-2', state: 'enabled' },
    ])
    expect(codes(rows)).toEqual(['SUCCESS', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'INVALID_ARGUMENT', 'NOT_FOUND'])
    const adId = leafOf(rows[0]?.adId)
    await send('PUT', 'productAds', [{ adId, state: 'paused', sku: 'SKU-2' }])
    expect(await get(`productAds?adGroupIdFilter=${adGroupId}`)).toEqual([
      { adId, adGroupId, campaignId, asin: 'B0TEST0001', sku: 'SKU-1', state: 'paused' },
    ])
    expect((await ads.call('DELETE', `/sd/productAds/${adId}`, null)).body).toEqual({ code: 'SUCCESS', adId })
    expect((await ads.call('DELETE', `/sd/productAds/${adId}`, null)).status).toBe(400)
  })
})

describe('Sponsored Display targets', () => {
  const clause = (adGroupId: string, expression: object[], more: object = {}) => ({
    adGroupId,
    expression,
    expressionType: 'manual',
    state: 'enabled',
    ...more,
  })
  const seen = [{ type: 'views', value: [{ type: 'similarProduct' }, { type: 'lookback', value: '30' }] }]
  const category = { type: 'asinCategorySameAs', value: '289742' }

  test('are products, categories and audiences, changed, listed and archived', async () => {
    const { adGroupId } = await adGroupOf('Targets')
    const rows = await send('POST', 'targets', [
      clause(adGroupId, [{ type: 'asinSameAs', value: 'B0RIVAL001' }], { bid: '1.25' }),
      clause(adGroupId, [category, { type: 'asinPriceLessThan', value: '20' }]),
      clause(adGroupId, seen),
      clause(adGroupId, [{ type: 'audience', value: [{ type: 'audienceSameAs', value: '370208451989309147' }] }]),
      clause(adGroupId, [{ type: 'similarProduct' }], { expressionType: 'auto' }),
    ])
    expect(codes(rows)).toEqual(Array.from({ length: 5 }, () => 'SUCCESS'))
    const listed = listOf(await get(`targets?adGroupIdFilter=${adGroupId}`))
    expect(listed[0]).toMatchObject({ bid: 1.25, expressionType: 'manual', state: 'enabled' })
    expect(listed[1]?.resolvedExpression).toEqual([
      { type: 'asinCategorySameAs', value: 'Garlic Presses' },
      { type: 'asinPriceLessThan', value: '20' },
    ])
    expect(listed[2]?.expression).toEqual(seen)
    const targetId = leafOf(rows[0]?.targetId)
    await send('PUT', 'targets', [{ targetId, bid: 2, state: 'paused' }])
    expect(await get(`targets/${targetId}`)).toMatchObject({ bid: 2, state: 'paused' })
    await send('PUT', 'targets', [{ targetId, bid: null }])
    expect(await get(`targets/extended/${targetId}`)).not.toHaveProperty('bid')
    await ads.call('DELETE', `/sd/targets/${targetId}`, null)
    expect(sandbox.world.store.displayTargets.get(targetId)?.state).toBe('ARCHIVED')
  })

  test('are rejected when malformed, duplicate, out of range, or of the wrong tactic', async () => {
    const { adGroupId } = await adGroupOf('Wrong targets')
    const products = await adGroupOf('Products only', { tactic: 'T00020' })
    const product = [{ type: 'asinSameAs', value: 'B0RIVAL001' }]
    const rows = await send('POST', 'targets', [
      clause(adGroupId, product),
      clause(adGroupId, product),
      clause(adGroupId, [{ type: 'asinSameAs', value: 'no asin' }]),
      clause(adGroupId, [{ type: 'asinPriceLessThan', value: '20' }]),
      clause(adGroupId, [...product, category]),
      clause(adGroupId, [{ type: 'views', value: [{ type: 'similarProduct' }] }]),
      clause(adGroupId, [{ type: 'views', value: [{ type: 'similarProduct' }, { type: 'lookback', value: '8' }] }]),
      clause(adGroupId, [category], { bid: 0.01 }),
      clause(adGroupId, [category], { expressionType: 'auto' }),
      clause(products.adGroupId, seen),
    ])
    expect(codes(rows)).toEqual(['SUCCESS', ...Array.from({ length: 9 }, () => 'INVALID_ARGUMENT')])
  })

  test('of the negative kind are one product or one brand each', async () => {
    const { adGroupId, campaignId } = await adGroupOf('Negative')
    const rows = await send('POST', 'negativeTargets', [
      clause(adGroupId, [{ type: 'asinSameAs', value: 'B0RIVAL001' }]),
      clause(adGroupId, [{ type: 'asinBrandSameAs', value: '45678' }]),
      clause(adGroupId, [{ type: 'asinSameAs', value: 'B0RIVAL001' }]),
    ])
    expect(codes(rows)).toEqual(['SUCCESS', 'SUCCESS', 'INVALID_ARGUMENT'])
    const targetId = leafOf(rows[0]?.targetId)
    await send('PUT', 'negativeTargets', [{ targetId, state: 'archived' }])
    expect(await get(`negativeTargets?campaignIdFilter=${campaignId}&stateFilter=archived`)).toMatchObject([
      { targetId },
    ])
  })
})

describe('what is at stake', () => {
  test('an injected fault rejects single items', async () => {
    sandbox.world.faults.add({ kind: 'partial', match: { vendor: 'ads', path: '/sd/campaigns' } })
    const rows = await send('POST', 'campaigns', [campaign('First'), campaign('Second')])
    expect(codes(rows)).toEqual(['SUCCESS', 'INVALID_ARGUMENT'])
  })

  test('campaigns outlive a restart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbox-display-'))
    const before = await startSmallSandbox(folder)
    const there = await adsClient(before)
    const { body } = await there.call('POST', '/sd/campaigns', json, [campaign('Lasting')])
    await before.close()
    const after = await startSmallSandbox(folder)
    const campaignId = leafOf(listOf(body)[0]?.campaignId)
    expect(after.world.store.displayCampaigns.get(campaignId)).toMatchObject({ name: 'Lasting', tactic: 'T00030' })
    await after.close()
    await rm(folder, { recursive: true })
  })
})
