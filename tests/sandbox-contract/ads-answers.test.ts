import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdsContractWorld, openAdsContract, PROFILE } from './ads-contract-world.ts'
import { AdsSpecification, adsSpecFolder, unlessAdsAbsent } from './ads-specification.ts'
import { at, listAt, textAt } from './selling-partner-world.ts'

const sp = (name: string): string => `application/vnd.${name}.v3+json`

// Resource, its media type, the key of request and reply, filter of ids and the field that holds an item's id.
const entities = [
  ['campaigns', 'spCampaign', 'campaigns', 'campaignIdFilter', 'campaignId'],
  ['adGroups', 'spAdGroup', 'adGroups', 'adGroupIdFilter', 'adGroupId'],
  ['productAds', 'spProductAd', 'productAds', 'adIdFilter', 'adId'],
  ['keywords', 'spKeyword', 'keywords', 'keywordIdFilter', 'keywordId'],
  ['negativeKeywords', 'spNegativeKeyword', 'negativeKeywords', 'negativeKeywordIdFilter', 'keywordId'],
  [
    'campaignNegativeKeywords',
    'spCampaignNegativeKeyword',
    'campaignNegativeKeywords',
    'campaignNegativeKeywordIdFilter',
    'keywordId',
  ],
  ['targets', 'spTargetingClause', 'targetingClauses', 'targetIdFilter', 'targetId'],
  ['negativeTargets', 'spNegativeTargetingClause', 'negativeTargetingClauses', 'negativeTargetIdFilter', 'targetId'],
  [
    'campaignNegativeTargets',
    'spCampaignNegativeTargetingClause',
    'campaignNegativeTargetingClauses',
    'campaignNegativeTargetIdFilter',
    'targetId',
  ],
] as const

describe.skipIf(!adsSpecFolder)(`answers of the Ads API are what its specifications describe${unlessAdsAbsent}`, () => {
  let open: AdsContractWorld
  let specification: AdsSpecification
  beforeAll(async () => {
    specification = new AdsSpecification(adsSpecFolder ?? '')
    open = await openAdsContract(specification)
  })
  afterAll(() => open.close())

  test('Sponsored Products: made, refused, changed, listed and archived', async () => {
    const made = async (resource: string, media: string, key: string, item: object): Promise<string> => {
      const type = sp(media)
      const headers = { prefer: 'return=representation' }
      const { status, body } = await open.ask('POST', `/sp/${resource}`, { type, headers, body: { [key]: [item, {}] } })
      expect(status).toBe(207)
      const [success] = listAt(body, key, 'success')
      expect(listAt(body, key, 'error').length).toBeGreaterThan(0)
      const id = Object.entries(success ?? {}).find(([name]) => name.endsWith('Id'))?.[1] as unknown
      expect(id, `${resource} ${JSON.stringify(body)}`).toEqual(expect.any(String))
      return id as string
    }
    const campaign = {
      name: 'Contract',
      state: 'ENABLED',
      targetingType: 'MANUAL',
      budget: { budget: 10, budgetType: 'DAILY' },
      dynamicBidding: {
        strategy: 'AUTO_FOR_SALES',
        placementBidding: [{ placement: 'PLACEMENT_TOP', percentage: 20 }],
      },
    }
    const campaignId = await made('campaigns', 'spCampaign', 'campaigns', campaign)
    const group = { campaignId, name: 'Words', state: 'ENABLED', defaultBid: 1 }
    const adGroupId = await made('adGroups', 'spAdGroup', 'adGroups', group)
    const things = await made('adGroups', 'spAdGroup', 'adGroups', { ...group, name: 'Things' })
    const parents = { campaignId, adGroupId, state: 'ENABLED' }
    await made('productAds', 'spProductAd', 'productAds', { ...parents, sku: open.product().sku })
    const word = { keywordText: 'garlic press', matchType: 'EXACT', bid: 0.5 }
    await made('keywords', 'spKeyword', 'keywords', { ...parents, ...word })
    const not = { keywordText: 'free', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' }
    await made('negativeKeywords', 'spNegativeKeyword', 'negativeKeywords', { ...parents, ...not })
    await made('campaignNegativeKeywords', 'spCampaignNegativeKeyword', 'campaignNegativeKeywords', {
      campaignId,
      ...not,
    })
    const expression = [{ type: 'ASIN_SAME_AS', value: 'B000000001' }]
    await made('targets', 'spTargetingClause', 'targetingClauses', {
      ...parents,
      adGroupId: things,
      expression,
      expressionType: 'MANUAL',
      bid: 0.5,
    })
    await made('negativeTargets', 'spNegativeTargetingClause', 'negativeTargetingClauses', { ...parents, expression })
    await made('campaignNegativeTargets', 'spCampaignNegativeTargetingClause', 'campaignNegativeTargetingClauses', {
      campaignId,
      state: 'ENABLED',
      expression,
    })
    for (const [resource, media, key, filter, id] of entities) {
      const type = sp(media)
      const body = { maxResults: 5, includeExtendedDataFields: true }
      const listed = await open.ask('POST', `/sp/${resource}/list`, { type, body })
      const [first] = listAt(listed.body, key)
      const change = { [id]: at(first, id), state: 'PAUSED' }
      await open.ask('PUT', `/sp/${resource}`, { type, body: { [key]: [change, { [id]: '404', state: 'PAUSED' }] } })
      const include = [at(first, id), '404']
      await open.ask('POST', `/sp/${resource}/delete`, { type, body: { [filter]: { include } } })
      await open.ask('POST', `/sp/${resource}/list`, { type, body: { stateFilter: { include: ['enabled'] } } })
    }
    expect(open.complaints()).toEqual([])
  })

  test('advice, budgets and eligibility', async () => {
    const { asin, sku } = open.product()
    const [campaign] = [...open.sandbox.world.store.campaigns.values()].filter(one => one.profileId === PROFILE)
    const { campaignId = '' } = campaign ?? {}
    const group = [...open.sandbox.world.store.adGroups.values()].find(one => one.campaignId === campaignId)
    for (const version of [3, 4, 5]) {
      const type = `application/vnd.spkeywordsrecommendation.v${version}+json`
      const requested = { recommendationType: 'KEYWORDS_FOR_ASINS', asins: [asin], maxRecommendations: 5 }
      await open.ask('POST', '/sp/targets/keywords/recommendations', { type, body: requested })
    }
    const bidding = { strategy: 'AUTO_FOR_SALES' }
    const targetingExpressions = [{ type: 'KEYWORD_EXACT_MATCH', value: 'garlic press' }, { type: 'CLOSE_MATCH' }]
    for (const version of [3, 4, 5])
      for (const body of [
        { recommendationType: 'BIDS_FOR_NEW_AD_GROUP', asins: [asin], bidding, targetingExpressions },
        {
          recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP',
          campaignId,
          adGroupId: group?.adGroupId,
          targetingExpressions: [{ type: 'CLOSE_MATCH' }],
          ...(version === 5 && { includeAnalysis: true }),
        },
      ])
        await open.ask('POST', '/sp/targets/bid/recommendations', {
          type: `application/vnd.spthemebasedbidrecommendation.v${version}+json`,
          body,
        })
    for (const version of [3, 4, 5])
      await open.ask('POST', '/sp/targets/categories/recommendations', {
        type: 'application/vnd.spproducttargeting.v3+json',
        accept: `application/vnd.spproducttargetingresponse.v${version}+json`,
        body: { asins: [asin], includeAncestor: true },
      })
    for (const form of ['asins', 'themes'])
      await open.ask('POST', '/sp/targets/products/recommendations', {
        type: 'application/vnd.spproductrecommendation.v3+json',
        accept: `application/vnd.spproductrecommendationresponse.${form}.v3+json`,
        body: { adAsins: [asin], count: 5 },
      })
    await open.ask('POST', '/sp/campaigns/budget/usage', {
      type: 'application/vnd.spcampaignbudgetusage.v1+json',
      body: { campaignIds: [campaignId, '404'] },
    })
    await open.ask('POST', '/sp/campaigns/budgetRecommendations', {
      type: 'application/vnd.budgetrecommendation.v3+json',
      body: { campaignIds: [campaignId, '404'] },
    })
    await open.ask('POST', '/eligibility/product/list', {
      body: { adType: 'sp', productDetailsList: [{ asin, sku }], locale: 'en_US' },
    })
    await open.ask('POST', '/product/metadata', {
      type: 'application/vnd.productmetadatarequest.v1+json',
      accept: 'application/vnd.productmetadataresponse.v1+json',
      body: { asins: [asin], pageIndex: 0, pageSize: 10, checkItemDetails: true, checkEligibility: true, adType: 'SP' },
    })
    expect(open.complaints()).toEqual([])
  })

  test('profiles and reports', async () => {
    await open.ask('GET', '/v2/profiles')
    await open.ask('GET', `/v2/profiles/${PROFILE}`)
    await open.ask('PUT', '/v2/profiles', { body: [{ profileId: PROFILE, dailyBudget: 500 }] })
    const type = 'application/vnd.createasyncreportrequest.v3+json'
    const body = {
      name: 'Contract',
      startDate: '2026-11-10',
      endDate: '2026-11-12',
      configuration: {
        adProduct: 'SPONSORED_PRODUCTS',
        groupBy: ['campaign'],
        columns: ['campaignId', 'impressions', 'clicks', 'cost', 'date'],
        reportTypeId: 'spCampaigns',
        timeUnit: 'DAILY',
        format: 'GZIP_JSON',
      },
    }
    const accept = 'application/vnd.createasyncreportresponse.v3+json'
    const created = await open.ask('POST', '/reporting/reports', { type, accept, body })
    const report = `/reporting/reports/${textAt(created.body, 'reportId')}`
    await open.ask('POST', '/reporting/reports', { type, accept, body })
    const wrong = { ...body, configuration: { ...body.configuration, columns: ['nonsense'] } }
    await open.ask('POST', '/reporting/reports', { type, accept, body: wrong })
    await open.ask('GET', report)
    open.sandbox.world.clock.advance(3 * 3_600_000 - 1000)
    const done = await open.ask('GET', report)
    expect(at(done.body, 'status')).toBe('COMPLETED')
    await open.ask('DELETE', report)
    await open.ask('GET', '/reporting/reports/404')
    expect(open.complaints()).toEqual([])
  })

  test('and whatever else is answered: bare questions, unknown ids, no token, wrong media types', async () => {
    for (const { method, path, takes } of specification.operations) {
      const type = takes[0] ?? 'application/json'
      const filled = path.replaceAll(/\{\w+\}/g, '123')
      const body = method === 'GET' ? {} : { body: {} }
      const { exists, status } = await open.ask(method, filled, { type, ...body })
      if (!exists) continue
      expect(status).not.toBe(401)
      await open.ask(method, filled, { type, ...body, headers: { authorization: 'Bearer nonsense' } })
      if (takes.length > 0) await open.ask(method, filled, { ...body, type: 'application/vnd.nonsense+json' })
    }
    expect(open.judged.size).toBeGreaterThan(150)
    expect(open.complaints()).toEqual([])
  })
})
