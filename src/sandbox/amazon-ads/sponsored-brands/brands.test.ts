import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  errorAt,
  type Json,
  leafOf,
  listOf,
  startSmallSandbox,
} from '../../../../tests/support/ads-world.ts'

let sandbox: Sandbox
let ads: AdsClient
let brandEntityId: string
beforeAll(async () => {
  sandbox = await startSmallSandbox()
  ads = await adsClient(sandbox)
  const { body } = await ads.call('GET', '/brands', null)
  brandEntityId = leafOf(listOf(body)[0]?.brandEntityId)
})
afterAll(() => sandbox.close())

type Resource = 'campaign' | 'adGroup' | 'ad'
const media = (resource: Resource): string => `application/vnd.sb${resource.toLowerCase()}resource.v4+json`
function campaign(name: string, more: object = {}): object {
  return { name, state: 'ENABLED', budget: 10, budgetType: 'DAILY', brandEntityId, ...more }
}
async function send(method: string, resource: Resource, items: object[], path = `${resource}s`): Promise<Json> {
  const { status, body } = await ads.call(method, `/sb/v4/${path}`, media(resource), { [`${resource}s`]: items })
  expect(status).toBe(207)
  return body[`${resource}s`] ?? {}
}
async function made(resource: Resource, item: object, path?: string): Promise<string> {
  const { success } = await send('POST', resource, [item], path)
  return leafOf(listOf(success)[0]?.[`${resource}Id`])
}
const list = async (resource: Resource, filter: object): Promise<Json> =>
  (await ads.call('POST', `/sb/v4/${resource}s/list`, media(resource), filter)).body
async function adGroupOf(name: string): Promise<string> {
  const campaignId = await made('campaign', campaign(name))
  return made('adGroup', { campaignId, name, state: 'ENABLED' })
}
const logo = { brandName: 'Testware', headline: 'Presses that last', brandLogoAssetID: 'amzn1.assetlibrary.asset1.a' }
function collection(adGroupId: string, more: object = {}): object {
  return {
    name: 'Collection',
    state: 'ENABLED',
    adGroupId,
    landingPage: { pageType: 'STORE', url: 'https://www.amazon.com/stores/page/x' },
    creative: { ...logo, asins: ['B0TEST0001'] },
    ...more,
  }
}

describe('Sponsored Brands campaigns', () => {
  test('are made whole, changed, listed with their count, and archived', async () => {
    const { success } = await send('POST', 'campaign', [campaign('Whole', { startDate: '2026-03-10' })])
    const [first] = listOf(success)
    const campaignId = leafOf(first?.campaignId)
    const whole = {
      campaignId,
      name: 'Whole',
      state: 'ENABLED',
      budget: 10,
      budgetType: 'DAILY',
      startDate: '2026-03-10',
      brandEntityId,
      goal: 'PAGE_VISIT',
      costType: 'CPC',
      bidding: { bidOptimization: true, bidOptimizationStrategy: 'MAXIMIZE_IMMEDIATE_SALES' },
      isMultiAdGroupsEnabled: true,
    }
    expect(first).toEqual({ index: 0, campaignId, campaign: whole })
    const changed = await send('PUT', 'campaign', [{ campaignId, budget: 12.5, state: 'PAUSED', status: 'ARCHIVED' }])
    expect(listOf(changed.success)[0]?.campaign).toEqual({ ...whole, budget: 12.5, state: 'PAUSED' })
    const found = await list('campaign', {
      nameFilter: { queryTermMatchType: 'EXACT_MATCH', include: ['whole'] },
      includeExtendedDataFields: true,
    })
    expect(found.totalCount).toBe(1)
    expect(listOf(found.campaigns)[0]?.extendedData).toEqual({
      creationDate: Date.parse('2026-03-10T18:30:00Z'),
      lastUpdateDate: Date.parse('2026-03-10T18:30:00Z'),
      servingStatus: 'CAMPAIGN_PAUSED',
      servingStatusDetails: ['CAMPAIGN_PAUSED'],
    })
    const bidding = { bidOptimizationStrategy: 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS' }
    const wooing = await send('PUT', 'campaign', [{ campaignId, bidding }])
    expect(listOf(wooing.success)[0]?.campaign).toMatchObject({ bidding: { bidOptimization: true, ...bidding } })
    const gone = await ads.call('POST', '/sb/v4/campaigns/delete', media('campaign'), {
      campaignIdFilter: { include: [campaignId] },
    })
    expect(listOf(gone.body.campaigns?.success)[0]?.campaign).toMatchObject({ state: 'ARCHIVED' })
    const late = await send('PUT', 'campaign', [{ campaignId, budget: 20 }])
    expect(errorAt(late, 0)).toMatchObject({ selector: 'otherError', reason: 'ARCHIVED_ENTITY_CANNOT_BE_MODIFIED' })
    const child = await send('POST', 'adGroup', [{ campaignId, name: 'Late', state: 'ENABLED' }])
    expect(errorAt(child, 0)).toMatchObject({ selector: 'otherError', reason: 'PARENT_ENTITY_ARCHIVED' })
  })

  test('are rejected one by one, with selector, reason and location', async () => {
    const batch = await send('POST', 'campaign', [
      campaign('Good'),
      campaign('good'),
      campaign('Cheap', { budget: 0.5 }),
      campaign('Dear', { budget: 1_000_001 }),
      campaign('Life', { budgetType: 'LIFETIME', budget: 99, startDate: '2026-03-11', endDate: '2026-04-11' }),
      campaign('Endless', { budgetType: 'LIFETIME', budget: 500 }),
      campaign('Past', { startDate: '2026-03-09' }),
      campaign('No brand', { brandEntityId: undefined }),
      campaign('Other brand', { brandEntityId: 'ENTITYSTRANGER' }),
      campaign('x'.repeat(129)),
    ])
    expect(listOf(batch.success).map(one => one.index as unknown)).toEqual([0])
    expect(errorAt(batch, 1)).toEqual({
      selector: 'otherError',
      reason: 'NAME_NOT_UNIQUE',
      location: '$.campaigns[1].name',
      trigger: 'good',
    })
    expect(errorAt(batch, 2)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_LOW', trigger: '0.5' })
    expect(errorAt(batch, 3)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_HIGH' })
    expect(errorAt(batch, 4)).toMatchObject({ selector: 'budgetError', reason: 'BUDGET_TOO_LOW' })
    expect(errorAt(batch, 5)).toMatchObject({ selector: 'dateError', location: '$.campaigns[5].endDate' })
    expect(errorAt(batch, 6)).toMatchObject({ selector: 'dateError', reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(errorAt(batch, 7)).toMatchObject({ reason: 'MISSING_VALUE', location: '$.campaigns[7].brandEntityId' })
    expect(errorAt(batch, 8)).toMatchObject({ selector: 'rangeError', reason: 'NOT_IN_LIST' })
    expect(errorAt(batch, 9)).toMatchObject({ selector: 'otherError', reason: 'TOO_LONG' })
  })

  test('pay for a share of impressions by the thousand, for visits by the click', async () => {
    const batch = await send('POST', 'campaign', [
      campaign('Share', { goal: 'BRAND_IMPRESSION_SHARE' }),
      campaign('Wrong', { goal: 'PAGE_VISIT', costType: 'VCPM' }),
    ])
    expect(listOf(batch.success)[0]?.campaign).toMatchObject({ costType: 'VCPM' })
    expect(errorAt(batch, 1)).toMatchObject({ selector: 'biddingError', location: '$.campaigns[1].costType' })
  })

  test('forget placements adjusted by hand when the marketplace optimises, and take flags written as text', async () => {
    const byHand = { bidOptimization: 'false', bidAdjustmentsByPlacement: [{ placement: 'HOME', percentage: 20 }] }
    const campaignId = await made('campaign', campaign('By hand', { bidding: byHand }))
    expect(sandbox.world.store.brandCampaigns.get(campaignId)).toMatchObject({
      bidOptimization: false,
      placements: [{ placement: 'HOME', percentage: 20 }],
    })
    const turned = await send('PUT', 'campaign', [{ campaignId, bidding: { bidOptimization: true } }])
    expect(listOf(turned.success)[0]?.campaign?.bidding).toEqual({
      bidOptimization: true,
      bidOptimizationStrategy: 'MAXIMIZE_IMMEDIATE_SALES',
    })
    const wild = { bidOptimization: false, bidAdjustmentsByPlacement: [{ placement: 'HOME', percentage: 901 }] }
    expect(errorAt(await send('PUT', 'campaign', [{ campaignId, bidding: wild }]), 0)).toMatchObject({
      selector: 'biddingError',
      reason: 'BID_INVALID_PLACEMENT',
    })
    const none = [{ campaignId, bidding: { bidOptimization: false, bidAdjustmentsByPlacement: [null] } }]
    expect((await ads.call('PUT', '/sb/v4/campaigns', media('campaign'), { campaigns: none })).status).toBe(400)
  })

  test('come ten per call and a hundred per page, and a larger page is rejected, not clamped', async () => {
    const many = Array.from({ length: 11 }, (_, i) => campaign(`Many ${i}`))
    expect((await ads.call('POST', '/sb/v4/campaigns', media('campaign'), { campaigns: many })).status).toBe(400)
    const { status, body } = await ads.call('POST', '/sb/v4/campaigns/list', media('campaign'), { maxResults: 500 })
    expect(status).toBe(400)
    expect(listOf(body.errors)[0]).toMatchObject({
      errorType: 'rangeError',
      errorValue: {
        rangeError: {
          reason: 'LIST_REQUEST_MAX_RESULTS_OUT_OF_RANGE',
          cause: { location: '$.maxResults', trigger: '500' },
          upperLimit: '100',
        },
      },
    })
    const page = await list('campaign', { maxResults: 1 })
    expect(page.campaigns).toHaveLength(1)
    const next = await list('campaign', { maxResults: 1, nextToken: page.nextToken })
    expect(next.campaigns).not.toEqual(page.campaigns)
    const wrong = await ads.call('POST', '/sb/v4/campaigns/list', 'application/vnd.spCampaign.v3+json', {})
    expect(wrong.status).toBe(415)
  })
})

describe('Sponsored Brands ad groups', () => {
  test('are made without a bid, changed, listed and archived', async () => {
    const campaignId = await made('campaign', campaign('Groups'))
    const { success } = await send('POST', 'adGroup', [{ campaignId, name: 'First', state: 'ENABLED' }])
    const [first] = listOf(success)
    const adGroupId = leafOf(first?.adGroupId)
    expect(first?.adGroup).toMatchObject({
      adGroupId,
      campaignId,
      extendedData: { servingStatus: 'CAMPAIGN_INCOMPLETE' },
    })
    const batch = await send('POST', 'adGroup', [
      { campaignId, name: 'first', state: 'ENABLED' },
      { campaignId: '404', name: 'Lost', state: 'ENABLED' },
    ])
    expect(errorAt(batch, 0)).toMatchObject({ selector: 'otherError', reason: 'NAME_NOT_UNIQUE' })
    expect(errorAt(batch, 1)).toMatchObject({ reason: 'PARENT_ENTITY_NOT_FOUND', location: '$.adGroups[1].campaignId' })
    await send('PUT', 'adGroup', [{ adGroupId, name: 'Renamed', state: 'PAUSED' }])
    const found = await list('adGroup', { campaignIdFilter: { include: [campaignId] } })
    expect(found).toEqual({ adGroups: [{ adGroupId, campaignId, name: 'Renamed', state: 'PAUSED' }], totalResults: 1 })
    await ads.call('POST', '/sb/v4/adGroups/delete', media('adGroup'), { adGroupIdFilter: { include: [adGroupId] } })
    expect(sandbox.world.store.brandAdGroups.get(adGroupId)?.state).toBe('ARCHIVED')
    const ad = await send('POST', 'ad', [collection(adGroupId)], 'ads/productCollection')
    expect(errorAt(ad, 0)).toMatchObject({ reason: 'PARENT_ENTITY_ARCHIVED' })
  })
})

describe('Sponsored Brands ads', () => {
  test('of video lead to the product, and do not share an ad group with pictures', async () => {
    const adGroupId = await adGroupOf('Video')
    const video = {
      name: 'Film',
      state: 'ENABLED',
      adGroupId,
      creative: { asins: ['B0TEST0001'], videoAssetIds: ['v1'] },
    }
    const { success } = await send('POST', 'ad', [video], 'ads/video')
    expect(listOf(success)[0]?.ad).toMatchObject({
      creative: { type: 'VIDEO' },
      landingPage: { pageType: 'DETAIL_PAGE', url: 'https://www.amazon.com/dp/B0TEST0001' },
    })
    const mixed = await send('POST', 'ad', [collection(adGroupId)], 'ads/productCollection')
    expect(errorAt(mixed, 0)).toMatchObject({ selector: 'otherError', reason: 'TYPE_CONFLICT_IN_AD_GROUP' })
    const page = (title: string) => ({
      pageTitle: title,
      asin: 'B0TEST0001',
      url: 'https://www.amazon.com/stores/page/y',
    })
    const store = {
      name: 'Store',
      state: 'ENABLED',
      adGroupId: await adGroupOf('Store'),
      landingPage: { url: 'https://www.amazon.com/stores/page/y' },
      creative: { ...logo, subpages: [page('A'), page('B'), page('C')] },
    }
    const shops = await send('POST', 'ad', [store], 'ads/storeSpotlight')
    expect(listOf(shops.success)[0]?.ad).toMatchObject({ creative: { type: 'STORE_SPOTLIGHT' } })
  })

  test('show the advertiser’s own eligible products under a name and a headline of limited length', async () => {
    const adGroupId = await adGroupOf('Rules')
    const creative = (more: object) => ({ creative: { ...logo, asins: ['B0TEST0001'], ...more } })
    const batch = await send(
      'POST',
      'ad',
      [
        collection(adGroupId, creative({ asins: ['B0STRANGER'] })),
        collection(adGroupId, creative({ asins: ['B0TEST0003'] })),
        collection(adGroupId, creative({ asins: [] })),
        collection(adGroupId, creative({ headline: 'x'.repeat(51) })),
        collection(adGroupId, creative({ brandName: 'x'.repeat(31) })),
        collection(adGroupId, { landingPage: { pageType: 'PRODUCT_LIST', asins: ['B0TEST0001', 'B0TEST0002'] } }),
        collection('404'),
      ],
      'ads/productCollection',
    )
    expect(batch.success).toEqual([])
    expect(errorAt(batch, 0)).toMatchObject({ reason: 'INVALID_ASIN', location: '$.ads[0].creative.asins[0]' })
    expect(errorAt(batch, 1)).toMatchObject({ selector: 'otherError', reason: 'AD_INELIGIBLE' })
    expect(errorAt(batch, 2)).toMatchObject({ selector: 'rangeError', reason: 'TOO_LOW' })
    expect(errorAt(batch, 3)).toMatchObject({ reason: 'TOO_LONG', location: '$.ads[3].creative.headline' })
    expect(errorAt(batch, 4)).toMatchObject({ reason: 'TOO_LONG', location: '$.ads[4].creative.brandName' })
    expect(errorAt(batch, 5)).toMatchObject({ selector: 'rangeError', location: '$.ads[5].landingPage.asins' })
    expect(errorAt(batch, 6)).toMatchObject({ reason: 'PARENT_ENTITY_NOT_FOUND' })
  })

  test('are made by format, await their review for an hour, are renamed, listed and archived', async () => {
    const adGroupId = await adGroupOf('Formats')
    const { success } = await send('POST', 'ad', [collection(adGroupId)], 'ads/productCollection')
    const [first] = listOf(success)
    const adId = leafOf(first?.adId)
    expect(first?.ad).toMatchObject({
      creative: {
        type: 'PRODUCT_COLLECTION',
        headline: 'Presses that last',
        asins: ['B0TEST0001'],
        brandLogoUrl: expect.stringMatching(/^http.*\/images\/amzn1\.assetlibrary\.asset1\.a\.svg$/),
      },
      landingPage: { pageType: 'STORE', url: 'https://www.amazon.com/stores/page/x' },
      extendedData: { servingStatus: 'AD_POLICING_PENDING_REVIEW' },
    })
    sandbox.world.clock.advance(3_600_000)
    // The token has lived its hour, too.
    ads = await adsClient(sandbox)
    const renamed = await send('PUT', 'ad', [{ adId, name: 'Renamed' }])
    expect(listOf(renamed.success)[0]?.ad).toMatchObject({
      name: 'Renamed',
      extendedData: { servingStatus: 'AD_STATUS_LIVE' },
    })
    const found = await list('ad', { adGroupIdFilter: { include: [adGroupId] } })
    expect(listOf(found.ads)).toMatchObject([{ adId, state: 'ENABLED' }])
    await ads.call('POST', '/sb/v4/ads/delete', media('ad'), { adIdFilter: { include: [adId] } })
    expect((await list('ad', { adIdFilter: { include: [adId] } })).ads).toMatchObject([{ state: 'ARCHIVED' }])
  })
})
