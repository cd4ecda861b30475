import { type Ids, JSON_TYPE, listFilters, type Sample, vendor } from './sample.ts'

export function brandsAndDisplay(ids: Ids): Sample[] {
  const campaign = {
    name: 'Sample',
    state: 'ENABLED',
    budget: 10,
    budgetType: 'DAILY',
    brandEntityId: ids.brandEntityId,
    startDate: '2026-12-01',
    bidding: { bidOptimization: false, bidAdjustmentsByPlacement: [{ placement: 'HOME', percentage: 10 }] },
    tags: { a: 'b' },
  }
  const creative = {
    brandName: 'B',
    headline: 'H',
    brandLogoAssetID: 'amzn1.assetlibrary.asset1.a',
    brandLogoCrop: { top: 0, left: 0, width: 400, height: 400 },
    asins: [ids.asin],
    videoAssetIds: ['v1'],
    customImages: [{ assetId: 'a', crop: { top: 0 } }],
    subpages: [{ pageTitle: 't', asin: ids.asin, url: 'https://www.amazon.com/stores/page/x' }],
  }
  const landingPage = { pageType: 'STORE', url: 'https://www.amazon.com/stores/page/x', asins: [ids.asin] }
  const ad = { name: 'Ad', state: 'ENABLED', adGroupId: ids.brandAdGroupId, landingPage, creative }
  const v4 = (resource: string) => vendor(`sb${resource}resource`, 'v4')
  const list = (filter: string) => listFilters(filter, '1')
  const parents = { campaignId: Number(ids.brandCampaignId), adGroupId: Number(ids.brandAdGroupId) }
  const word = { ...parents, keywordText: 'garlic press', matchType: 'exact', bid: 1, state: 'enabled' }
  const not = { ...parents, keywordText: 'cheap', matchType: 'negativeExact', state: 'enabled' }
  const things = { ...parents, expressions: [{ type: 'asinSameAs', value: 'B000000001' }], bid: 1 }
  const filters = { filters: [{ filterType: 'TARGETING_STATE', values: ['enabled'] }], maxResults: 5, nextToken: '' }
  const display = { campaignId: Number(ids.displayCampaignId), adGroupId: Number(ids.displayAdGroupId) }
  const clause = { ...display, expressionType: 'manual', state: 'enabled', bid: 1 }
  const lists: [string, object][] = [
    ['sb/keywords', word],
    ['sb/negativeKeywords', not],
    [
      'sd/campaigns',
      {
        name: 'Sample',
        tactic: 'T00020',
        budgetType: 'daily',
        budget: 10,
        costType: 'cpc',
        state: 'enabled',
        startDate: '20261201',
        endDate: '20261231',
        portfolioId: 1,
      },
    ],
    [
      'sd/adGroups',
      { ...display, name: 'Sample', defaultBid: 1, bidOptimization: 'clicks', state: 'enabled', tactic: 'T00020' },
    ],
    ['sd/productAds', { ...display, sku: ids.sku, asin: ids.asin, state: 'enabled' }],
    ['sd/targets', { ...clause, expression: [{ type: 'views', value: [{ type: 'lookback', value: '30' }] }] }],
    ['sd/negativeTargets', { ...clause, expression: [{ type: 'asinSameAs', value: 'B000000002' }] }],
  ]
  const many: [string, string, string, string, object][] = [
    ['campaigns', 'campaigns', 'campaign', 'campaignId', campaign],
    ['adGroups', 'adGroups', 'adgroup', 'adGroupId', { campaignId: ids.brandCampaignId, name: 'W', state: 'ENABLED' }],
  ]
  return [
    ...many.flatMap(([path, key, resource, idName, item]): Sample[] => [
      { method: 'POST', url: `/ads/na/sb/v4/${path}`, type: v4(resource), body: { [key]: [item] } },
      {
        method: 'PUT',
        url: `/ads/na/sb/v4/${path}`,
        type: v4(resource),
        body: { [key]: [{ ...item, [idName]: '1' }] },
      },
      { method: 'POST', url: `/ads/na/sb/v4/${path}/list`, type: v4(resource), body: list(`${idName}Filter`) },
      {
        method: 'POST',
        url: `/ads/na/sb/v4/${path}/delete`,
        type: v4(resource),
        body: { [`${idName}Filter`]: { include: ['404'] } },
      },
    ]),
    ...['productCollection', 'productCollectionExtended', 'storeSpotlight', 'video', 'brandVideo'].map(
      (kind): Sample => ({ method: 'POST', url: `/ads/na/sb/v4/ads/${kind}`, type: v4('ad'), body: { ads: [ad] } }),
    ),
    { method: 'PUT', url: '/ads/na/sb/v4/ads', type: v4('ad'), body: { ads: [{ ...ad, adId: ids.brandAdId }] } },
    { method: 'POST', url: '/ads/na/sb/v4/ads/list', type: v4('ad'), body: list('adIdFilter') },
    { method: 'POST', url: '/ads/na/sb/v4/ads/delete', type: v4('ad'), body: { adIdFilter: { include: ['404'] } } },
    ...lists.flatMap(([path, item]): Sample[] => [
      { method: 'POST', url: `/ads/na/${path}`, type: JSON_TYPE, body: [item] },
      {
        method: 'PUT',
        url: `/ads/na/${path}`,
        type: JSON_TYPE,
        body: [{ ...item, keywordId: 1, targetId: 1, adId: 1, ...(path === 'sd/campaigns' && display) }],
      },
    ]),
    ...(['targets', 'negativeTargets'] as const).flatMap((key): Sample[] => [
      { method: 'POST', url: `/ads/na/sb/${key}`, type: JSON_TYPE, body: { [key]: [things] } },
      { method: 'PUT', url: `/ads/na/sb/${key}`, type: JSON_TYPE, body: { [key]: [{ ...things, targetId: 1 }] } },
      { method: 'POST', url: `/ads/na/sb/${key}/list`, type: JSON_TYPE, body: filters },
    ]),
  ]
}
