import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../start-sandbox.ts'
import {
  type AdsClient,
  adsClient,
  britishScenario,
  campaignItem,
  errorAt,
  idIn,
  type Json,
  leafOf,
  listOf,
  START,
} from '../../../tests/support/ads-world.ts'

const vnd = (name: string): string => `application/vnd.${name}+json`
const sp = (name: string): string => vnd(`${name}.v3`)
const json = 'application/json'
let sandbox: Sandbox
let ads: AdsClient
let brandEntityId: string

beforeAll(async () => {
  sandbox = await startSandbox({
    scenario: 'traps',
    scenarios: { traps: britishScenario },
    clock: { now: () => START },
  })
  ads = await adsClient(sandbox)
  const brands = await ads.call('GET', '/brands', null)
  brandEntityId = leafOf(listOf(brands.body)[0]?.brandEntityId)
})
afterAll(() => sandbox.close())

async function groupOf(name: string, more: object = {}): Promise<{ campaignId: string; adGroupId: string }> {
  const campaignId = await ads.campaign(name, more)
  return { campaignId, adGroupId: await ads.adGroup(campaignId, name) }
}
async function brandMade(resource: 'campaign' | 'adGroup', item: object): Promise<string> {
  const type = vnd(`sb${resource.toLowerCase()}resource.v4`)
  const { body } = await ads.call('POST', `/sb/v4/${resource}s`, type, { [`${resource}s`]: [item] })
  return idIn(body[`${resource}s`] ?? {}, `${resource}Id`)
}
const brandCampaign = (name: string, more: object = {}): Promise<string> =>
  brandMade('campaign', { name, state: 'ENABLED', budget: 50, budgetType: 'DAILY', brandEntityId, ...more })
async function displayCampaign(name: string, more: object = {}): Promise<Json> {
  const item = { name, tactic: 'T00020', budget: 10, budgetType: 'daily', state: 'enabled', ...more }
  return listOf((await ads.call('POST', '/sd/campaigns', json, [item])).body)[0] ?? {}
}
function reportRequest(endDate: string, more: object = {}): object {
  return {
    startDate: '2026-03-10',
    endDate,
    configuration: {
      adProduct: 'SPONSORED_PRODUCTS',
      reportTypeId: 'spCampaigns',
      groupBy: ['campaign'],
      columns: ['date', 'campaignId', 'impressions'],
      timeUnit: 'DAILY',
      format: 'GZIP_JSON',
    },
    ...more,
  }
}
const askReport = (client: AdsClient, endDate: string) =>
  client.call('POST', '/reporting/reports', vnd('createasyncreportrequest.v3'), reportRequest(endDate))

describe('the thirteen traps', () => {
  test('1: 207 on full success; a whole-request failure has a different body', async () => {
    const good = await ads.call('POST', '/sp/campaigns', sp('spCampaign'), { campaigns: [campaignItem('All well')] })
    expect(good.status).toBe(207)
    expect(good.body.campaigns).toMatchObject({ success: [{ index: 0 }], error: [] })
    const bad = await ads.call('POST', '/sp/campaigns', sp('spCampaign'), {
      campaigns: [campaignItem('Never', { state: 'enabled' })],
    })
    expect(bad.status).toBe(400)
    expect(Object.keys(bad.body)).toEqual(['code', 'message'])
    const older = await ads.call('POST', '/sd/campaigns', json, [{ name: 'Never', tactic: 'T00020', state: 'ENABLED' }])
    expect(older.status).toBe(422)
    expect(Object.keys(older.body)).toEqual(['code', 'details', 'requestId'])
  })

  test('2: negatives return one id name and take another', async () => {
    const { campaignId, adGroupId } = await groupOf('Negatives')
    const word = { campaignId, keywordText: 'cheap', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' }
    const product = { campaignId, state: 'ENABLED', expression: [{ type: 'ASIN_SAME_AS', value: 'B0RIVAL001' }] }
    const kinds = [
      [
        'negativeKeywords',
        'negativeKeywords',
        'spNegativeKeyword',
        { ...word, adGroupId },
        'negativeKeywordId',
        'keywordId',
      ],
      [
        'campaignNegativeKeywords',
        'campaignNegativeKeywords',
        'spCampaignNegativeKeyword',
        word,
        'campaignNegativeKeywordId',
        'keywordId',
      ],
      [
        'campaignNegativeTargets',
        'campaignNegativeTargetingClauses',
        'spCampaignNegativeTargetingClause',
        product,
        'campaignNegativeTargetingClauseId',
        'targetId',
      ],
    ] as const
    for (const [resource, key, type, item, returned, taken] of kinds) {
      const id = idIn(await ads.create(resource, key, type, [item]), returned)
      const change = (idName: string) =>
        ads.call('PUT', `/sp/${resource}`, sp(type), { [key]: [{ [idName]: id, state: 'PAUSED' }] })
      expect((await change(taken)).body[key]?.success).toEqual([{ index: 0, [returned]: id }])
      expect(errorAt((await change(returned)).body[key], 0)).toMatchObject({ reason: 'ENTITY_NOT_FOUND' })
    }
  })

  test('3: bids of keyword recommendations are in cents, all others in major units', async () => {
    const asins = ['B0TEST0001']
    const words = await ads.call('POST', '/sp/targets/keywords/recommendations', vnd('spkeywordsrecommendation.v5'), {
      recommendationType: 'KEYWORDS_FOR_ASINS',
      asins,
      maxRecommendations: 1,
    })
    const [idea] = listOf(words.body.keywordTargetList)
    const exact = listOf(idea?.bidInfo).find(info => leafOf(info.matchType) === 'EXACT')
    const bids = await ads.call('POST', '/sp/targets/bid/recommendations', vnd('spthemebasedbidrecommendation.v5'), {
      recommendationType: 'BIDS_FOR_NEW_AD_GROUP',
      asins,
      bidding: { strategy: 'LEGACY_FOR_SALES' },
      targetingExpressions: [{ type: 'KEYWORD_EXACT_MATCH', value: idea?.keyword }],
    })
    const [row] = listOf(listOf(bids.body.bidRecommendations)[0]?.bidRecommendationsForTargetingExpressions)
    const [, median] = listOf(row?.bidValues)
    expect(Number.isInteger(exact?.bid)).toBe(true)
    expect(Number(exact?.bid)).toBe(Math.round(Number(median?.suggestedBid) * 100))
  })

  test('4: unknown fields in an update are ignored in silence, in every ad product', async () => {
    const products = await ads.campaign('Silent')
    const done = await ads.call('PUT', '/sp/campaigns', sp('spCampaign'), {
      campaigns: [{ campaignId: products, status: 'PAUSED' }],
    })
    expect(done.body.campaigns?.success).toEqual([{ index: 0, campaignId: products }])
    expect(sandbox.world.store.campaigns.get(products)?.state).toBe('ENABLED')
    const brands = await brandCampaign('Silent')
    await ads.call('PUT', '/sb/v4/campaigns', vnd('sbcampaignresource.v4'), {
      campaigns: [{ campaignId: brands, status: 'PAUSED', budgetType: 'LIFETIME' }],
    })
    expect(sandbox.world.store.brandCampaigns.get(brands)).toMatchObject({ state: 'ENABLED', budgetType: 'DAILY' })
    const display = leafOf((await displayCampaign('Silent')).campaignId)
    const rows = await ads.call('PUT', '/sd/campaigns', json, [{ campaignId: display, status: 'paused' }])
    expect(listOf(rows.body)[0]).toEqual({ code: 'SUCCESS', campaignId: display })
    expect(sandbox.world.store.displayCampaigns.get(display)?.state).toBe('ENABLED')
  })

  test('5: an update of `dynamicBidding` that leaves something out loses it', async () => {
    const placementBidding = [{ placement: 'PLACEMENT_TOP', percentage: 50 }]
    const campaignId = await ads.campaign('Bidding', {
      dynamicBidding: { strategy: 'AUTO_FOR_SALES', placementBidding },
    })
    const put = (dynamicBidding: object) =>
      ads.call('PUT', '/sp/campaigns', sp('spCampaign'), { campaigns: [{ campaignId, dynamicBidding }] })
    await put({ strategy: 'MANUAL', placementBidding })
    expect(sandbox.world.store.campaigns.get(campaignId)?.placements).toEqual(placementBidding)
    await put({ strategy: 'MANUAL' })
    expect(sandbox.world.store.campaigns.get(campaignId)?.placements).toEqual([])
  })

  test('6: extended data has ISO date-times here and epoch milliseconds there', async () => {
    await ads.campaign('Dated')
    await brandCampaign('Dated')
    const ask = { includeExtendedDataFields: true, nameFilter: { include: ['Dated'] } }
    const now = await ads.call('POST', '/sp/campaigns/list', sp('spCampaign'), ask)
    expect(listOf(now.body.campaigns)[0]?.extendedData).toMatchObject({ creationDateTime: START.toISOString() })
    const older = await ads.call('POST', '/sb/v4/campaigns/list', vnd('sbcampaignresource.v4'), ask)
    expect(listOf(older.body.campaigns)[0]?.extendedData).toMatchObject({ creationDate: START.getTime() })
  })

  test('7: four automatic targets appear by themselves, without a bid, and cannot be archived', async () => {
    const { adGroupId } = await groupOf('Automatic', { targetingType: 'AUTO' })
    const type = sp('spTargetingClause')
    const { body } = await ads.call('POST', '/sp/targets/list', type, { adGroupIdFilter: { include: [adGroupId] } })
    const rows = listOf(body.targetingClauses)
    expect(rows).toHaveLength(4)
    expect(rows.every(row => !('bid' in row))).toBe(true)
    const ids = rows.map(row => leafOf(row.targetId))
    const gone = await ads.call('POST', '/sp/targets/delete', type, { targetIdFilter: { include: ids } })
    expect(gone.body.targetingClauses?.success).toEqual([])
    expect(errorAt(gone.body.targetingClauses, 3)).toMatchObject({
      reason: 'AUTO_TARGETING_CLAUSE_CANNOT_BE_ARCHIVED_MANUALLY',
    })
  })

  test('8: ids are text in SP v3, SB v4 and portfolios, whole numbers in SD, SB v3 and profiles', async () => {
    const { campaignId } = await groupOf('Ids')
    expect(campaignId).toMatch(/^\d{17}$/)
    expect(String(Number(campaignId))).not.toBe(campaignId)
    const portfolios = await ads.call('POST', '/portfolios', sp('spPortfolio'), {
      portfolios: [{ name: 'Ids', state: 'ENABLED' }],
    })
    expect(typeof listOf(portfolios.body.portfolios?.success)[0]?.portfolioId).toBe('string')
    const brands = await brandCampaign('Ids')
    const adGroupId = await brandMade('adGroup', { campaignId: brands, name: 'Ids', state: 'ENABLED' })
    const word = { adGroupId, campaignId: brands, keywordText: 'press', matchType: 'exact', bid: 1 }
    const keywordId = leafOf(listOf((await ads.call('POST', '/sb/keywords', json, [word])).body)[0]?.keywordId)
    expect((await ads.call('GET', `/sb/keywords/${keywordId}`, null)).text).toContain(
      `"keywordId":${keywordId},"adGroupId":${adGroupId},`,
    )
    const display = leafOf((await displayCampaign('Ids')).campaignId)
    expect((await ads.call('GET', `/sd/campaigns/${display}`, null)).text).toContain(`"campaignId":${display},`)
    expect((await ads.call('GET', '/v2/profiles', null)).text).toContain('"profileId":111,')
  })

  test('9: days have dashes in SP v3 and SB v4, and none in SD', async () => {
    const dashed = await ads.campaign('Days', { startDate: '2026-03-12' })
    expect(sandbox.world.store.campaigns.get(dashed)?.startDate).toBe('2026-03-12')
    const plain = await ads.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Plain', { startDate: '20260312' }),
    ])
    expect(errorAt(plain, 0)).toMatchObject({ selector: 'dateError', reason: 'INVALID_DATE' })
    const brands = await brandCampaign('Days', { startDate: '2026-03-12' })
    expect(sandbox.world.store.brandCampaigns.get(brands)?.startDate).toBe('2026-03-12')
    const display = leafOf((await displayCampaign('Days', { startDate: '20260312' })).campaignId)
    expect((await ads.call('GET', `/sd/campaigns/${display}`, null)).text).toContain('"startDate":"20260312"')
    expect(await displayCampaign('Dashes', { startDate: '2026-03-12' })).toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test('10: the United Kingdom is UK, never GB', async () => {
    const europe = await adsClient(sandbox, { profileId: '444', region: 'eu' })
    const { body } = await europe.call('GET', '/v2/profiles', null)
    expect(listOf(body)).toMatchObject([{ profileId: 444, countryCode: 'UK', currencyCode: 'GBP' }])
  })

  test('11: the profile’s time zone rules the today of start dates and of report days', async () => {
    // It is 18:30 UTC on the 10th: still that day in Los Angeles, already the 11th in Tokyo.
    const japan = await adsClient(sandbox, { profileId: '333', region: 'fe' })
    const yen = { budget: { budget: 1000, budgetType: 'DAILY' } }
    const there = await japan.create('campaigns', 'campaigns', 'spCampaign', [
      campaignItem('Yesterday there', { ...yen, startDate: '2026-03-10' }),
      campaignItem('Today there', { ...yen, startDate: '2026-03-11' }),
    ])
    expect(errorAt(there, 0)).toMatchObject({ reason: 'START_DATE_EARLIER_THAN_TODAY' })
    expect(there.success).toHaveLength(1)
    const created = await displayCampaign('Today here', { startDate: '20260310' })
    expect(created.code).toBe('SUCCESS')
    expect((await askReport(japan, '2026-03-11')).status).toBe(200)
    expect((await askReport(ads, '2026-03-11')).status).toBe(400)
    expect((await askReport(ads, '2026-03-10')).status).toBe(200)
  })

  test('12: a list of Sponsored Brands keywords without a filter of campaigns misses some', async () => {
    const campaignId = await brandCampaign('Two groups')
    for (const name of ['First', 'Second']) {
      const adGroupId = await brandMade('adGroup', { campaignId, name, state: 'ENABLED' })
      const word = { adGroupId, campaignId, keywordText: `press ${name}`, matchType: 'exact', bid: 1 }
      await ads.call('POST', '/sb/keywords', json, [word])
    }
    const texts = async (query: string): Promise<string[]> =>
      listOf((await ads.call('GET', `/sb/keywords?stateFilter=enabled${query}`, null)).body).map(row =>
        leafOf(row.keywordText),
      )
    expect(await texts(`&campaignIdFilter=${campaignId}`)).toEqual(['press First', 'press Second'])
    const all = await texts('')
    expect(all).toContain('press First')
    expect(all).not.toContain('press Second')
  })

  test('13: the floor of bids is enforced, but a bid of 1000 is accepted', async () => {
    const exact = { ...(await groupOf('Bids')), matchType: 'EXACT', state: 'ENABLED' }
    const word = (keywordText: string, bid: number) => ({ ...exact, keywordText, bid })
    const batch = await ads.create('keywords', 'keywords', 'spKeyword', [word('low', 0.01), word('dear', 1000)])
    expect(errorAt(batch, 0)).toMatchObject({ selector: 'rangeError', reason: 'TOO_LOW', trigger: '0.01' })
    const dear = idIn(batch, 'keywordId')
    expect(sandbox.world.store.keywords.get(dear)?.bidMicros).toBe(1_000_000_000)
  })
})

describe('once shoppers have come', () => {
  test('8: ids of report rows are whole numbers that a double does not hold', async () => {
    const { campaignId, adGroupId } = await groupOf('Reported', { targetingType: 'AUTO' })
    await ads.create('productAds', 'productAds', 'spProductAd', [
      { campaignId, adGroupId, state: 'ENABLED', sku: 'SKU-1' },
    ])
    sandbox.world.clock.advance(86_400_000)
    ads = await adsClient(sandbox)
    const { body } = await askReport(ads, '2026-03-11')
    sandbox.world.clock.advance(1000)
    const report = await ads.call('GET', `/reporting/reports/${leafOf(body.reportId)}`, null)
    expect(report.body.status).toBe('COMPLETED')
    const file = await fetch(leafOf(report.body.url))
    const text = gunzipSync(Buffer.from(await file.arrayBuffer())).toString()
    expect(text).toContain(`"campaignId":${campaignId}`)
  })
})
