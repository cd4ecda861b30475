import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  campaignItem,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

const media = (name: string): string => `application/vnd.${name}export.v1+json`
let sandbox: Sandbox
let ads: AdsClient
const ids: Record<string, string> = {}

const made = async (resource: string, key: string, type: string, item: object, id: string): Promise<string> =>
  leafOf(listOf((await ads.create(resource, key, type, [item])).success)[0]?.[id])

beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  ids.auto = await made(
    'campaigns',
    'campaigns',
    'spCampaign',
    campaignItem('Auto', { targetingType: 'AUTO' }),
    'campaignId',
  )
  ids.manual = await made(
    'campaigns',
    'campaigns',
    'spCampaign',
    campaignItem('Manual', { state: 'PAUSED', startDate: '2026-04-01' }),
    'campaignId',
  )
  for (const campaignId of [ids.auto, ids.manual]) {
    const group = { campaignId, name: 'Group', state: 'ENABLED', defaultBid: 0.75 }
    const adGroupId = await made('adGroups', 'adGroups', 'spAdGroup', group, 'adGroupId')
    ids[`group-${campaignId}`] = adGroupId
    await ads.create('productAds', 'productAds', 'spProductAd', [
      { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' },
    ])
  }
  const place = { campaignId: ids.manual, adGroupId: ids[`group-${ids.manual}`], state: 'ENABLED' }
  await ads.create('keywords', 'keywords', 'spKeyword', [
    { ...place, keywordText: 'garlic press', matchType: 'PHRASE', bid: 1.2 },
  ])
  await ads.create('negativeKeywords', 'negativeKeywords', 'spNegativeKeyword', [
    { ...place, keywordText: 'cheap', matchType: 'NEGATIVE_EXACT' },
  ])
  await ads.create('campaignNegativeKeywords', 'campaignNegativeKeywords', 'spCampaignNegativeKeyword', [
    { campaignId: ids.auto, state: 'ENABLED', keywordText: 'used', matchType: 'NEGATIVE_PHRASE' },
  ])
})
afterAll(() => sandbox.close())

const ask = (kind: string, body: object = {}, headers = {}) =>
  ads.call('POST', `/${kind}/export`, media(kind.toLowerCase()), body, headers)
const look = async (kind: string, exportId: unknown) =>
  ads.call('GET', `/exports/${leafOf(exportId)}`, media(kind.toLowerCase()))
async function contents(kind: string, body: object = {}): Promise<Json[]> {
  const created = await ask(kind, body)
  expect(created.status).toBe(202)
  sandbox.world.clock.advance(1000)
  const done = await look(kind, created.body.exportId)
  const file = await fetch(leafOf(done.body.url))
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.length).toBe(done.body.fileSize)
  return listOf(JSON.parse(gunzipSync(bytes).toString()))
}

describe('an export', () => {
  test('is in the making, then completed with a link, in the media type that it was created in', async () => {
    const created = await ask('campaigns', { adProductFilter: ['SPONSORED_PRODUCTS'] })
    expect(created.headers.get('content-type')).toContain(media('campaigns'))
    expect(created.body).toEqual({ exportId: expect.any(String), status: 'PROCESSING' })
    expect((await look('campaigns', created.body.exportId)).body).toMatchObject({ status: 'PROCESSING' })
    sandbox.world.clock.advance(1000)
    expect((await look('campaigns', created.body.exportId)).body).toMatchObject({
      status: 'COMPLETED',
      url: expect.stringContaining('/s3/snapshots/CAMPAIGN/'),
      urlExpiresAt: expect.any(String),
      generatedAt: expect.any(String),
    })
    expect((await look('targets', created.body.exportId)).status).toBe(406)
    expect((await ads.call('GET', '/exports/none', media('campaigns'))).status).toBe(404)
    sandbox.world.clock.advance(25 * 3_600_000)
    ads = await adsClient(sandbox)
    expect((await look('campaigns', created.body.exportId)).status).toBe(404)
  })

  test('holds what there was when it was created for, not what came later', async () => {
    const created = await ask('campaigns')
    await ads.call('PUT', '/sp/campaigns', 'application/vnd.spCampaign.v3+json', {
      campaigns: [{ campaignId: ids.auto, name: 'Renamed' }],
    })
    sandbox.world.clock.advance(1000)
    const done = await look('campaigns', created.body.exportId)
    const file = await fetch(leafOf(done.body.url))
    expect(gunzipSync(Buffer.from(await file.arrayBuffer())).toString()).toContain('"name":"Auto"')
    expect((await contents('campaigns')).map(one => leafOf(one.name))).toContain('Renamed')
  })

  test('has campaigns and ad groups in the common model, with the reasons why they do not serve', async () => {
    const campaigns = await contents('campaigns')
    expect(campaigns.find(one => leafOf(one.campaignId) === ids.manual)).toMatchObject({
      adProduct: 'SPONSORED_PRODUCTS',
      state: 'PAUSED',
      deliveryStatus: 'NOT_DELIVERING',
      deliveryReasons: ['CAMPAIGN_PAUSED', 'CAMPAIGN_PENDING_START_DATE'],
      startDate: '2026-04-01',
      targetingSettings: 'MANUAL',
      budgetCaps: {
        recurrenceTimePeriod: 'DAILY',
        budgetType: 'MONETARY',
        budgetValue: { monetaryBudget: { currencyCode: 'USD', amount: 10 } },
      },
    })
    expect(await contents('adGroups', { stateFilter: ['ARCHIVED'] })).toEqual([])
    expect(await contents('adGroups')).toContainEqual(
      expect.objectContaining({ adGroupId: ids[`group-${ids.auto}`], bid: { currencyCode: 'USD', defaultBid: 0.75 } }),
    )
    expect(await contents('ads')).toContainEqual(
      expect.objectContaining({
        adType: 'PRODUCT_AD',
        creative: { products: [{ productIdType: 'SKU', productId: 'SKU-1' }] },
      }),
    )
  })

  test('has targets of every kind, positive and negative, of ad groups and of campaigns', async () => {
    const all = await contents('targets')
    expect(all.filter(one => leafOf(one.targetType) === 'AUTO')).toHaveLength(4)
    expect(all).toContainEqual(
      expect.objectContaining({
        targetType: 'KEYWORD',
        negative: false,
        bid: { currencyCode: 'USD', bid: 1.2 },
        targetDetails: { matchType: 'PHRASE', keyword: 'garlic press' },
      }),
    )
    const negatives = await contents('targets', { negativeFilter: [true] })
    expect(negatives.map(one => leafOf(one.targetDetails?.keyword)).sort()).toEqual(['cheap', 'used'])
    const campaignLevel = await contents('targets', { targetLevelFilter: ['CAMPAIGN'] })
    expect(campaignLevel).toMatchObject([
      { campaignId: ids.auto, targetDetails: { matchType: 'PHRASE', keyword: 'used' } },
    ])
    expect(await contents('targets', { adProductFilter: ['SPONSORED_DISPLAY'] })).toEqual([])
  })

  test('is rejected with an unknown filter value, another media type, or an Accept of another kind', async () => {
    expect(await ask('campaigns', { stateFilter: ['enabled'] })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('enabled') },
    })
    expect((await ads.call('POST', '/campaigns/export', 'application/json', {})).status).toBe(415)
    expect((await ask('campaigns', {}, { accept: media('targets') })).status).toBe(406)
  })

  test('reports an injected failure, and stays in progress when it is stuck', async () => {
    const match = { vendor: 'ads', method: 'POST', path: '/ads/export' }
    sandbox.world.faults.add({ match, kind: 'report-failed' })
    sandbox.world.faults.add({ match, kind: 'report-stuck' })
    const [failed, stuck] = [await ask('ads'), await ask('ads')]
    sandbox.world.clock.advance(1_800_000)
    expect((await look('ads', failed.body.exportId)).body).toMatchObject({
      status: 'FAILED',
      error: { errorCode: 'INTERNAL_ERROR' },
    })
    expect((await look('ads', stuck.body.exportId)).body).toMatchObject({ status: 'PROCESSING' })
  })
})
