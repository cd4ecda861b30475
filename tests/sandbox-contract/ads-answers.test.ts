import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdsContractWorld, openAdsContract, PROFILE } from './ads-contract-world.ts'
import { AdsSpecification, adsSpecFolder, unlessAdsAbsent } from './ads-specification.ts'
import { at, listAt, textAt } from './selling-partner-world.ts'

/** Where the real answers are known to differ from their own specification, and who says so. */
const granted: [RegExp, string][] = [
  [/ 401:/, 'the gateway before all families refuses tokens in its own words: reference/concepts/errors'],
  [/\.requestId is not in the specification$/, 'the gateway adds it: reference/concepts/errors'],
  [/ 415: no such status$/, 'a wrong media type is refused everywhere: reference/api-overview'],
  [
    /suggestedBid\.rangeMedian is not in/,
    'the official Postman collection has it where the specification says suggested',
  ],
  [
    /(searchTermImpression(Rank|Share)|translation) must be (number|string)$/,
    'null in the official Postman collection',
  ],
  [/\.targetingExpression\.value must be string$/, 'null in the official Postman collection'],
  [/\.(next|previous)Cursor must be string$/, 'null in the official Postman collection'],
  [/\.budgetRuleRecommendation must be object$/, 'null in the official Postman collection'],
  [/campaigns\/budget\/usage 200: no such status$/, 'the official Postman collection answers 200'],
  [/ (\/v2\/profiles|\/sb\/\w+)(\/\{\w+\})? (400|404|422): no such status$/, 'no refusal at all is specified there'],
  [
    / \/sb\/targets 422: no such status$/,
    'told as the other arrays of the family tell it: official Postman collection',
  ],
  // One address of two: the sandbox has the target with an id there, and no categories.
  [/GET \/sb\/targets\/categories 404/, 'not emulated'],
]

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

  /** What the specifications have against the answers since the last time, but for what is known of the real ones. */
  const complaints = (): string[] => open.takeDeviations().filter(one => !granted.some(([known]) => known.test(one)))
  const product = (): { asin: string; sku: string } => {
    const profile = open.sandbox.world.books.profiles.get(PROFILE)
    return (
      [...open.sandbox.world.books.products.values()].find(
        one =>
          one.sellerId === profile?.sellerId &&
          one.marketplaceId === profile.marketplaceId &&
          one.eligibility === 'ELIGIBLE',
      ) ?? expect.unreachable()
    )
  }

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
    await made('productAds', 'spProductAd', 'productAds', { ...parents, sku: product().sku })
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
    expect(complaints()).toEqual([])
  })

  test('advice, budgets and eligibility', async () => {
    const { asin, sku } = product()
    const [campaign] = [...open.sandbox.world.books.campaigns.values()].filter(one => one.profileId === PROFILE)
    const { campaignId = '' } = campaign ?? {}
    const group = [...open.sandbox.world.books.adGroups.values()].find(one => one.campaignId === campaignId)
    for (const version of [3, 4, 5]) {
      const type = `application/vnd.spkeywordsrecommendation.v${version}+json`
      const wanted = { recommendationType: 'KEYWORDS_FOR_ASINS', asins: [asin], maxRecommendations: 5 }
      await open.ask('POST', '/sp/targets/keywords/recommendations', { type, body: wanted })
    }
    const bidding = { strategy: 'AUTO_FOR_SALES' }
    const targetingExpressions = [{ type: 'KEYWORD_EXACT_MATCH', value: 'garlic press' }, { type: 'CLOSE_MATCH' }]
    for (const version of [4, 5])
      for (const body of [
        { recommendationType: 'BIDS_FOR_NEW_AD_GROUP', asins: [asin], bidding, targetingExpressions },
        {
          recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP',
          campaignId,
          adGroupId: group?.adGroupId,
          targetingExpressions,
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
    expect(complaints()).toEqual([])
  })

  /** The first id of a name in an answer, digit by digit. */
  const idIn = (text: string, name: string): string => {
    const id = new RegExp(`"${name}":"?(\\d+)`).exec(text)?.[1]
    if (id === undefined) throw new Error(`no ${name} in ${text}`)
    return id
  }

  test('Sponsored Brands: campaigns, groups, ads, words and things', async () => {
    const brands = await open.ask('GET', '/brands')
    const brandEntityId = textAt(brands.body, 0, 'brandEntityId')
    const media = (resource: string): string => `application/vnd.sb${resource}resource.v4+json`
    const v4 = async (resource: string, key: string, path: string, items: object[]): Promise<string> => {
      const { text } = await open.ask('POST', `/sb/v4/${path}`, { type: media(resource), body: { [key]: items } })
      return idIn(text, `${resource === 'adgroup' ? 'adGroup' : resource}Id`)
    }
    const campaign = { name: 'Brand', state: 'ENABLED', budget: 10, budgetType: 'DAILY', brandEntityId }
    const campaignId = await v4('campaign', 'campaigns', 'campaigns', [campaign, { ...campaign, budget: 0 }])
    const groups = ['Words', 'Things', 'Films'].map(name => ({ campaignId, name, state: 'ENABLED' }))
    const [words = '', things = '', films = ''] = await Promise.all(
      groups.map(group => v4('adgroup', 'adGroups', 'adGroups', [group, {}])),
    )
    const ad = { name: 'Ad', state: 'ENABLED', adGroupId: words }
    const creative = { brandName: 'B', headline: 'H', brandLogoAssetID: 'amzn1.assetlibrary.asset1.a' }
    const landingPage = { pageType: 'STORE', url: 'https://www.amazon.com/stores/page/x' }
    const { asin } = product()
    await v4('ad', 'ads', 'ads/productCollection', [
      { ...ad, landingPage, creative: { ...creative, asins: [asin] } },
      {},
    ])
    const video = { asins: [asin], videoAssetIds: ['v1'] }
    await v4('ad', 'ads', 'ads/video', [{ ...ad, name: 'Film', adGroupId: films, creative: video }, {}])
    for (const [resource, path] of [
      ['campaign', 'campaigns'],
      ['adgroup', 'adGroups'],
      ['ad', 'ads'],
    ] as const) {
      const type = media(resource)
      const listed = await open.ask('POST', `/sb/v4/${path}/list`, {
        type,
        body: { maxResults: 10, includeExtendedDataFields: true },
      })
      const idName = `${resource === 'adgroup' ? 'adGroup' : resource}Id`
      const id = idIn(listed.text, idName)
      const changes = [{ [idName]: id, state: 'PAUSED' }, { [idName]: '404' }]
      await open.ask('PUT', `/sb/v4/${path}`, { type, body: { [path]: changes } })
      await open.ask('POST', `/sb/v4/${path}/list`, { type, body: { maxResults: 1000 } })
    }
    // Ids of these are numbers, written out since JavaScript's hold too few digits.
    const parents = (group: string): string => `"campaignId":${campaignId},"adGroupId":${group}`
    const word = `{${parents(words)},"keywordText":"garlic press","matchType":"exact","bid":1}`
    const keyword = await open.ask('POST', '/sb/keywords', { body: `[${word},{}]` })
    const keywordId = idIn(keyword.text, 'keywordId')
    await open.ask('GET', '/sb/keywords')
    await open.ask('GET', `/sb/keywords/${keywordId}`)
    await open.ask('PUT', '/sb/keywords', {
      body: `[{"keywordId":${keywordId},${parents(words)},"state":"paused"},{}]`,
    })
    await open.ask('DELETE', `/sb/keywords/${keywordId}`)
    const not = `{${parents(words)},"keywordText":"cheap","matchType":"negativeExact"}`
    await open.ask('POST', '/sb/negativeKeywords', { body: `[${not},{}]` })
    await open.ask('GET', '/sb/negativeKeywords')
    const expression = '"expressions":[{"type":"asinSameAs","value":"B000000001"}]'
    await open.ask('POST', '/sb/targets', { body: `{"targets":[{${parents(things)},${expression},"bid":1},{}]}` })
    await open.ask('POST', '/sb/targets/list', { body: {} })
    await open.ask('POST', '/sb/negativeTargets', {
      body: `{"negativeTargets":[{${parents(things)},${expression}},{}]}`,
    })
    await open.ask('POST', '/sb/negativeTargets/list', { body: {} })
    await open.ask('POST', '/sb/v4/campaigns/delete', {
      type: media('campaign'),
      body: { campaignIdFilter: { include: [campaignId, '404'] } },
    })
    expect(complaints()).toEqual([])
  })

  test('Sponsored Display: everything of it, in bare lists', async () => {
    const made = async (resource: string, id: string, item: string): Promise<string> => {
      const answer = await open.ask('POST', `/sd/${resource}`, { body: `[${item},{}]` })
      expect(answer.status, answer.text).toBe(207)
      return idIn(answer.text, id)
    }
    const campaignId = await made(
      'campaigns',
      'campaignId',
      '{"name":"Display","tactic":"T00020","budgetType":"daily","budget":10,"costType":"cpc","state":"enabled"}',
    )
    const adGroupId = await made(
      'adGroups',
      'adGroupId',
      `{"campaignId":${campaignId},"name":"Group","defaultBid":1,"bidOptimization":"clicks","state":"enabled"}`,
    )
    const adId = await made(
      'productAds',
      'adId',
      `{"campaignId":${campaignId},"adGroupId":${adGroupId},"sku":"${product().sku}","state":"enabled"}`,
    )
    const clause = `"adGroupId":${adGroupId},"expressionType":"manual","state":"enabled"`
    const things = '"expression":[{"type":"asinSameAs","value":"B000000001"}]'
    const targetId = await made('targets', 'targetId', `{${clause},${things},"bid":1}`)
    const other = '"expression":[{"type":"asinSameAs","value":"B000000002"}]'
    const negativeId = await made('negativeTargets', 'targetId', `{${clause},${other}}`)
    for (const [resource, name, id] of [
      ['campaigns', 'campaignId', campaignId],
      ['adGroups', 'adGroupId', adGroupId],
      ['productAds', 'adId', adId],
      ['targets', 'targetId', targetId],
      ['negativeTargets', 'targetId', negativeId],
    ] as const) {
      for (const path of ['', '/extended', `/${id}`, `/extended/${id}`]) {
        const { status } = await open.ask('GET', `/sd/${resource}${path}`)
        expect(status, `${resource}${path}`).toBe(200)
      }
      await open.ask('PUT', `/sd/${resource}`, { body: `[{"${name}":${id},"state":"paused"},{"${name}":404}]` })
      await open.ask('DELETE', `/sd/${resource}/${id}`)
    }
    expect(complaints()).toEqual([])
  })

  test('portfolios, exports, history and the stream', async () => {
    const type = 'application/vnd.spPortfolio.v3+json'
    const budget = { policy: 'MONTHLY_RECURRING', amount: 500, currencyCode: 'USD', endDate: '2026-12-31' }
    const portfolios = [{ name: 'Contract', state: 'ENABLED', budget }, {}]
    const made = await open.ask('POST', '/portfolios', { type, body: { portfolios } })
    const portfolioId = idIn(made.text, 'portfolioId')
    const changes = [{ portfolioId, name: 'Renamed' }, { portfolioId: '404' }]
    await open.ask('PUT', '/portfolios', { type, body: { portfolios: changes } })
    await open.ask('POST', '/portfolios/list', { type, body: { includeExtendedDataFields: true } })
    const usage = 'application/vnd.portfoliobudgetusage.v1+json'
    await open.ask('POST', '/portfolios/budget/usage', { type: usage, body: { portfolioIds: [portfolioId, '404'] } })
    for (const kind of ['campaigns', 'adGroups', 'ads', 'targets']) {
      const media = `application/vnd.${kind.toLowerCase()}export.v1+json`
      const body = { adProductFilter: ['SPONSORED_PRODUCTS'], stateFilter: ['ENABLED'] }
      const ordered = await open.ask('POST', `/${kind}/export`, { type: media, body })
      expect(ordered.status, ordered.text).toBe(202)
      const place = `/exports/${encodeURIComponent(textAt(ordered.body, 'exportId'))}`
      await open.ask('GET', place, { type: media })
      open.sandbox.world.clock.advance(3_600_000)
      await open.ask('GET', place, { type: media })
    }
    const now = open.sandbox.world.clock.now().getTime()
    await open.ask('POST', '/history', {
      body: {
        fromDate: now - 86_400_000,
        toDate: now,
        eventTypes: { CAMPAIGN: { eventTypeIds: [], filters: ['STATUS'] } },
        sort: { key: 'DATE', direction: 'DESC' },
        count: 50,
      },
    })
    const stream = 'application/vnd.amazonmarketingstreamsubscriptions.v1+json'
    const wish = {
      dataSetId: 'sp-traffic',
      clientRequestToken: 'contract-contract-contract',
      destinationArn: 'arn:aws:sqs:us-east-1:000000000000:contract',
    }
    const opened = await open.ask('POST', '/streams/subscriptions', { type: stream, body: wish })
    await open.ask('GET', '/streams/subscriptions', { type: stream })
    const place = `/streams/subscriptions/${textAt(opened.body, 'subscriptionId')}`
    await open.ask('GET', place, { type: stream })
    await open.ask('PUT', place, { type: stream, body: { status: 'ARCHIVED' } })
    expect(complaints()).toEqual([])
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
    expect(complaints()).toEqual([])
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
    expect(complaints()).toEqual([])
  })
})
