import { type Ids, listFilters, type Sample, vendor } from './sample.ts'

const entityNames = {
  campaigns: ['campaigns', 'spCampaign', 'campaignIdFilter', 'campaignId'],
  adGroups: ['adGroups', 'spAdGroup', 'adGroupIdFilter', 'adGroupId'],
  productAds: ['productAds', 'spProductAd', 'adIdFilter', 'adId'],
  keywords: ['keywords', 'spKeyword', 'keywordIdFilter', 'keywordId'],
  negativeKeywords: ['negativeKeywords', 'spNegativeKeyword', 'negativeKeywordIdFilter', 'keywordId'],
  campaignNegativeKeywords: [
    'campaignNegativeKeywords',
    'spCampaignNegativeKeyword',
    'campaignNegativeKeywordIdFilter',
    'keywordId',
  ],
  targets: ['targetingClauses', 'spTargetingClause', 'targetIdFilter', 'targetId'],
  negativeTargets: ['negativeTargetingClauses', 'spNegativeTargetingClause', 'negativeTargetIdFilter', 'targetId'],
  campaignNegativeTargets: [
    'campaignNegativeTargetingClauses',
    'spCampaignNegativeTargetingClause',
    'campaignNegativeTargetIdFilter',
    'targetId',
  ],
} as const

/** Create, change, list and archive of each resource. */
export function sponsoredProducts(ids: Ids): Sample[] {
  const { campaignId, adGroupId, sku } = ids
  const parents = { campaignId, adGroupId, state: 'ENABLED' }
  const not = { keywordText: 'free', matchType: 'NEGATIVE_EXACT', state: 'ENABLED' }
  const expression = [{ type: 'ASIN_SAME_AS', value: 'B000000001' }]
  const items: Record<keyof typeof entityNames, object> = {
    campaigns: {
      name: 'Sample',
      state: 'ENABLED',
      targetingType: 'MANUAL',
      startDate: '2026-12-01',
      endDate: '2026-12-31',
      portfolioId: '1',
      tags: { a: 'b' },
      siteRestrictions: ['AMAZON_BUSINESS'],
      offAmazonSettings: { offAmazonBudgetControlStrategy: 'MINIMIZE_SPEND' },
      budget: { budget: 10, budgetType: 'DAILY' },
      dynamicBidding: {
        strategy: 'AUTO_FOR_SALES',
        placementBidding: [{ placement: 'PLACEMENT_TOP', percentage: 20 }],
        shopperCohortBidding: [{ shopperCohortType: 'AUDIENCE_SEGMENT', percentage: 1, audienceSegments: [] }],
      },
    },
    adGroups: { campaignId, name: 'Sample', state: 'ENABLED', defaultBid: 1 },
    productAds: { ...parents, sku, asin: ids.asin, customText: 'x' },
    keywords: { ...parents, keywordText: 'garlic press', matchType: 'EXACT', bid: 0.5, nativeLanguageLocale: 'de_DE' },
    negativeKeywords: { ...parents, ...not },
    campaignNegativeKeywords: { campaignId, ...not },
    targets: { ...parents, expression, expressionType: 'MANUAL', bid: 0.5 },
    negativeTargets: { ...parents, expression },
    campaignNegativeTargets: { campaignId, expression, state: 'ENABLED' },
  }
  return Object.entries(entityNames).flatMap(([path, [key, media, filter, idName]]) => {
    const type = vendor(media)
    const item = items[path as keyof typeof items]
    const url = `/ads/na/sp/${path}`
    return [
      { method: 'POST', url, type, body: { [key]: [item] } },
      { method: 'PUT', url, type, body: { [key]: [{ ...item, [idName]: ids.byKind[path] ?? '404' }] } },
      { method: 'POST', url: `${url}/list`, type, body: listFilters(filter, campaignId) },
      { method: 'POST', url: `${url}/delete`, type, body: { [filter]: { include: ['404'] } } },
    ] satisfies Sample[]
  })
}
