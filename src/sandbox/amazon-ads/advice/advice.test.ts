import { describe, expect, test } from 'vitest'
import { smallScene } from '../../../../tests/support/ads-scene.ts'
import { adsClient, campaignItem, CLIENT, type Json, listOf, leafOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()

const vnd = (name: string): string => `application/vnd.${name}+json`
const asins = ['B0TEST0001']

describe('keyword recommendations', () => {
  const path = '/sp/targets/keywords/recommendations'
  const ask = (version: number, body: object = {}) =>
    scene.ads.call('POST', path, vnd(`spkeywordsrecommendation.v${version}`), {
      recommendationType: 'KEYWORDS_FOR_ASINS',
      asins,
      ...body,
    })

  test('bid in cents, while bid recommendations for the same keyword are in dollars', async () => {
    const { status, headers, body } = await ask(5, { maxRecommendations: 3 })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain(vnd('spkeywordsrecommendation.v5'))
    const rows = listOf(body.keywordTargetList)
    expect(rows).toHaveLength(3)
    const exact = listOf(rows[0]?.bidInfo).find(info => leafOf(info.matchType) === 'EXACT')
    const bids = await scene.ads.call(
      'POST',
      '/sp/targets/bid/recommendations',
      vnd('spthemebasedbidrecommendation.v5'),
      {
        recommendationType: 'BIDS_FOR_NEW_AD_GROUP',
        asins,
        bidding: { strategy: 'LEGACY_FOR_SALES' },
        targetingExpressions: [{ type: 'KEYWORD_EXACT_MATCH', value: rows[0]?.keyword }],
      },
    )
    const [theme] = listOf(bids.body.bidRecommendations)
    const [row] = listOf(theme?.bidRecommendationsForTargetingExpressions)
    const values = listOf(row?.bidValues).map(value => Number(value.suggestedBid))
    expect(values).toHaveLength(3)
    const suggested = exact?.suggestedBid as Json
    expect(values.map(dollars => Math.round(dollars * 100))).toEqual([
      suggested.rangeStart,
      suggested.rangeMedian,
      suggested.rangeEnd,
    ])
  })

  test('come as a bare list in version 3 and put chosen keywords first', async () => {
    const { body } = await ask(3, { maxRecommendations: 1, targets: [{ keyword: 'my own', matchType: 'PHRASE' }] })
    const rows = listOf(body)
    expect(rows[0]).toMatchObject({ keyword: 'my own', matchType: 'PHRASE', userSelectedKeyword: true })
    expect(rows.slice(1).map(row => leafOf(row.matchType))).toEqual(['BROAD', 'PHRASE', 'EXACT'])
  })

  test('find an ad group whose id is longer than a double can hold, written as a number too', async () => {
    const [campaignId, adGroupId] = ['9007199254740993', '9007199254740995']
    const dated = { profileId: 111, state: 'ENABLED' as const, createdAt: 0, updatedAt: 0 }
    scene.sandbox.world.change(store => {
      store.adGroups.set(adGroupId, { ...dated, adGroupId, campaignId, name: 'Long', defaultBidMicros: 1_000_000 })
      store.productAds.set('1', { ...dated, adId: '1', adGroupId, campaignId, asin: 'B0TEST0001', sku: 'SKU-1' })
    })
    const text = `{"recommendationType":"KEYWORDS_FOR_ADGROUP","campaignId":${campaignId},"adGroupId":${adGroupId},"maxRecommendations":2}`
    const { status } = await fetch(`${scene.sandbox.url}/ads/na${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${scene.ads.accessToken}`,
        'amazon-advertising-api-clientid': CLIENT,
        'amazon-advertising-api-scope': '111',
        'content-type': vnd('spkeywordsrecommendation.v5'),
        accept: vnd('spkeywordsrecommendation.v5'),
      },
      body: text,
    })
    expect(status).toBe(200)
  })

  test('have limits, and cover no other seller’s products', async () => {
    expect((await ask(5, { maxRecommendations: 201 })).status).toBe(400)
    expect((await ask(5, { asins: Array.from({ length: 51 }, () => 'B0TEST0001') })).status).toBe(400)
    expect((await ask(5, { asins: ['B0STRANGER'] })).status).toBe(422)
    expect((await ask(5, { recommendationType: 'KEYWORDS' })).status).toBe(400)
    expect((await ask(2)).status).toBe(415)
  })
})

describe('categories and products worth targeting', () => {
  test('have the version that Accept names', async () => {
    const path = '/sp/targets/categories/recommendations'
    const type = vnd('spproducttargeting.v3')
    const accept = (version: number) => ({ accept: vnd(`spproducttargetingresponse.v${version}`) })
    const old = await scene.ads.call('POST', path, type, { asins }, accept(3))
    expect(old.body.categories).toMatchObject({ 0: { id: '289742', name: 'Garlic Presses', canBeTargeted: true } })
    const now = await scene.ads.call('POST', path, type, { asins }, accept(5))
    expect(now.body.categories).toMatchObject({ 0: { id: '289742', asinCounts: { min: expect.any(Number) } } })
    expect((await scene.ads.call('POST', path, type, { asins })).status).toBe(415)
  })

  test('page by cursor, by product or by theme', async () => {
    const path = '/sp/targets/products/recommendations'
    const type = vnd('spproductrecommendation.v3')
    const byAsin = { accept: vnd('spproductrecommendationresponse.asins.v3') }
    const first = await scene.ads.call('POST', path, type, { adAsins: asins, count: 2 }, byAsin)
    expect(first.body.recommendations).toHaveLength(2)
    const next = await scene.ads.call(
      'POST',
      path,
      type,
      { adAsins: asins, count: 2, cursor: leafOf(first.body.nextCursor) },
      byAsin,
    )
    expect(next.body.recommendations).not.toEqual(first.body.recommendations)
    const byTheme = { accept: vnd('spproductrecommendationresponse.themes.v3') }
    const themes = await scene.ads.call('POST', path, type, { adAsins: asins }, byTheme)
    expect(themes.headers.get('content-type')).toContain('themes.v3')
    expect(themes.body.recommendations).toMatchObject({ 0: { theme: expect.any(String), recommendedAsins: {} } })
  })
})

describe('product metadata', () => {
  test('warns of a product that is out of stock', async () => {
    const key = 'A1TESTSELLER|ATVPDKIKX0DER|SKU-2'
    scene.sandbox.world.change(store => {
      const product = store.products.get(key)
      if (product) store.products.set(key, { ...product, fulfillable: 0 })
    })
    const { body } = await scene.ads.call('POST', '/eligibility/product/list', 'application/json', {
      adType: 'sp',
      productDetailsList: [{ asin: 'B0TEST0002' }],
    })
    expect(body.productResponseList).toMatchObject([
      {
        overallStatus: 'ELIGIBLE_WITH_WARNING',
        eligibilityStatusList: [{ name: 'OUT_OF_STOCK', severity: 'ELIGIBLE_WITH_WARNING' }],
      },
    ])
  })

  test('says whether they may be advertised and why not', async () => {
    const { body } = await scene.ads.call('POST', '/eligibility/product/list', 'application/json', {
      adType: 'sp',
      productDetailsList: [{ asin: 'B0TEST0001' }, { asin: 'B0TEST0003', sku: 'SKU-3' }, { asin: 'B0STRANGER' }],
    })
    expect(body.productResponseList).toMatchObject([
      { overallStatus: 'ELIGIBLE', eligibilityStatusList: [] },
      { overallStatus: 'INELIGIBLE', eligibilityStatusList: [{ message: 'Its category is restricted.' }] },
      { overallStatus: 'INELIGIBLE', eligibilityStatusList: [{ name: 'PRODUCT_NOT_FOUND' }] },
    ])
  })

  test('lists their facts under a capital P, with pictures that a browser can load', async () => {
    const { body } = await scene.ads.call(
      'POST',
      '/product/metadata',
      vnd('productmetadatarequest.v1'),
      { skus: ['SKU-2'] },
      { accept: vnd('productmetadataresponse.v1') },
    )
    expect(body.ProductMetadataList).toMatchObject([
      { asin: 'B0TEST0002', priceToPay: { amount: 19.99, currency: 'USD' }, imageUrl: expect.stringMatching(/^http/) },
    ])
  })
})

describe('budget usage', () => {
  test('answers each campaign by itself', async () => {
    const batch = await scene.ads.create('campaigns', 'campaigns', 'spCampaign', [campaignItem('Used')])
    const [made] = listOf(batch.success)
    const { status, body } = await scene.ads.call(
      'POST',
      '/sp/campaigns/budget/usage',
      vnd('spcampaignbudgetusage.v1'),
      {
        campaignIds: [leafOf(made?.campaignId), '404'],
      },
    )
    expect(status).toBe(207)
    expect(body).toMatchObject({
      success: [{ campaignId: made?.campaignId, index: 0, budget: 10, budgetUsagePercent: 0 }],
      error: [{ campaignId: '404', index: 1 }],
    })
  })
})

describe('profiles and who may call for them', () => {
  test('are those of the host’s region and of the login', async () => {
    const here = await scene.ads.call('GET', '/v2/profiles', null)
    expect(here.body).toMatchObject([
      {
        profileId: 111,
        countryCode: 'US',
        currencyCode: 'USD',
        timezone: 'America/Los_Angeles',
        accountInfo: { marketplaceStringId: 'ATVPDKIKX0DER', id: 'A1TESTSELLER', type: 'seller' },
      },
    ])
    const east = await adsClient(scene.sandbox, { region: 'fe' })
    expect((await east.call('GET', '/v2/profiles', null)).body).toMatchObject([{ profileId: 333, currencyCode: 'JPY' }])
    const europe = await adsClient(scene.sandbox, { region: 'eu' })
    expect((await europe.call('GET', '/v2/profiles', null)).body).toEqual([])
  })

  test('have a daily budget that can be set', async () => {
    const { status, body } = await scene.ads.call('PUT', '/v2/profiles', 'application/json', [
      { profileId: 111, dailyBudget: 250 },
      { profileId: 222, dailyBudget: 1 },
    ])
    expect(status).toBe(200)
    expect(body).toMatchObject([{ code: 'SUCCESS' }, { code: 'NOT_FOUND' }])
    expect(scene.sandbox.world.store.profiles.get(111)?.dailyBudgetMicros).toBe(250_000_000)
  })

  test.each([
    ['no scope', { 'amazon-advertising-api-scope': '' }, 'Scope header is missing'],
    ['a stranger’s profile', { 'amazon-advertising-api-scope': '222' }, 'Not authorized to access scope 222'],
    ['a profile of another region', { 'amazon-advertising-api-scope': '333' }, 'Not authorized to access scope 333'],
    ['words for a profile', { 'amazon-advertising-api-scope': 'mine' }, 'No matching advertiser found for scope: mine'],
    ['another client', { 'amazon-advertising-api-clientid': `${CLIENT}2` }, 'another client'],
    ['no token', { authorization: '' }, 'Authorization header is missing'],
    ['a made-up token', { authorization: 'Bearer Atza|made-up' }, 'invalid or has expired'],
  ])('are refused with 401 for %s', async (_, headers, details) => {
    const { status, body } = await scene.ads.call('POST', '/sp/campaigns/list', vnd('spCampaign.v3'), {}, headers)
    expect(status).toBe(401)
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', details: expect.stringContaining(details) })
  })
})
