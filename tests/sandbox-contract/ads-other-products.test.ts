import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdsContractWorld, idIn, openAdsContract } from './ads-contract-world.ts'
import { AdsSpecification, adsSpecFolder, unlessAdsAbsent } from './ads-specification.ts'
import { textAt } from './selling-partner-world.ts'

describe.skipIf(!adsSpecFolder)(`answers beside Sponsored Products are what is specified${unlessAdsAbsent}`, () => {
  let open: AdsContractWorld
  beforeAll(async () => {
    open = await openAdsContract(new AdsSpecification(adsSpecFolder ?? ''))
  })
  afterAll(() => open.close())

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
    const { asin } = open.product()
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
    for (const query of ['?supplySource=AMAZON&locale=de_DE', ''])
      await open.ask('GET', `/sb/targets/categories${query}`, { type: 'application/vnd.sbtargeting.v4+json' })
    await open.ask('POST', '/sb/negativeTargets', {
      body: `{"negativeTargets":[{${parents(things)},${expression}},{}]}`,
    })
    await open.ask('POST', '/sb/negativeTargets/list', { body: {} })
    await open.ask('POST', '/sb/v4/campaigns/delete', {
      type: media('campaign'),
      body: { campaignIdFilter: { include: [campaignId, '404'] } },
    })
    expect(open.complaints()).toEqual([])
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
      `{"campaignId":${campaignId},"adGroupId":${adGroupId},"sku":"${open.product().sku}","state":"enabled"}`,
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
    expect(open.complaints()).toEqual([])
  })

  test('accounts for testing', async () => {
    const account = { countryCode: 'US', accountType: 'VENDOR' }
    const refused = await open.ask('POST', '/testAccounts', { body: account })
    expect(refused.status).toBe(422)
    await open.ask('POST', '/testAccounts', { body: { ...account, accountType: 'SELLER' } })
    await open.ask('GET', '/testAccounts?requestId=404')
    expect((await open.ask('GET', '/testAccounts')).body).toEqual([])
    expect(open.complaints()).toEqual([])
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
    const subscriptionRequest = {
      dataSetId: 'sp-traffic',
      clientRequestToken: 'contract-contract-contract',
      destinationArn: 'arn:aws:sqs:us-east-1:000000000000:contract',
    }
    const opened = await open.ask('POST', '/streams/subscriptions', { type: stream, body: subscriptionRequest })
    await open.ask('GET', '/streams/subscriptions', { type: stream })
    const place = `/streams/subscriptions/${textAt(opened.body, 'subscriptionId')}`
    await open.ask('GET', place, { type: stream })
    await open.ask('PUT', place, { type: stream, body: { status: 'ARCHIVED' } })
    expect(open.complaints()).toEqual([])
  })
})
