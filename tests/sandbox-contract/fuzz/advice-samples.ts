import { type Ids, JSON_TYPE, type Sample, US, vendor } from './sample.ts'

export function advice({ campaignId, adGroupId, asin, sku, seller }: Ids): Sample[] {
  const targetingExpressions = [{ type: 'KEYWORD_EXACT_MATCH', value: 'soap' }]
  const bidding = { strategy: 'AUTO_FOR_SALES', adjustments: [{ predicate: 'PLACEMENT_TOP', percentage: 10 }] }
  const post = (path: string, type: string, body: object): Sample => ({
    method: 'POST',
    url: `/ads/na${path}`,
    type,
    body,
  })
  const expression = [{ type: 'asinPriceBetween', value: '1-2' }]
  return [
    ...['v3', 'v4', 'v5'].map(version =>
      post('/sp/targets/keywords/recommendations', vendor('spkeywordsrecommendation', version), {
        recommendationType: 'KEYWORDS_FOR_ASINS',
        asins: [asin],
        maxRecommendations: 5,
        sortDimension: 'CLICKS',
        locale: 'de_DE',
        biddingStrategy: 'AUTO_FOR_SALES',
        bidsEnabled: true,
        targets: [{ matchType: 'EXACT', keyword: 'soap', bid: 10, userSelectedKeyword: true }],
      }),
    ),
    post('/sp/targets/keywords/recommendations', vendor('spkeywordsrecommendation', 'v5'), {
      recommendationType: 'KEYWORDS_FOR_ADGROUP',
      campaignId,
      adGroupId,
    }),
    ...['v3', 'v4'].map(version =>
      post('/sp/targets/bid/recommendations', vendor('spthemebasedbidrecommendation', version), {
        recommendationType: 'BIDS_FOR_NEW_AD_GROUP',
        asins: [asin],
        bidding,
        targetingExpressions,
      }),
    ),
    post('/sp/targets/bid/recommendations', vendor('spthemebasedbidrecommendation', 'v5'), {
      recommendationType: 'BIDS_FOR_EXISTING_AD_GROUP',
      campaignId,
      adGroupId,
      targetingExpressions: [{ type: 'CLOSE_MATCH' }],
      includeAnalysis: true,
    }),
    post('/sp/targets/categories/recommendations', vendor('spproducttargeting'), {
      asins: [asin],
      includeAncestor: true,
    }),
    post('/sp/targets/products/recommendations', vendor('spproductrecommendation'), {
      adAsins: [asin],
      count: 5,
      cursor: '',
      locale: 'de_DE',
    }),
    post('/sp/targets/products/count', vendor('spproducttargeting'), {
      category: '3111001',
      brands: ['1'],
      priceRange: { min: '1', max: '2' },
      ratingRange: { min: '1', max: '2' },
      isPrimeShipping: true,
      ageRanges: ['1'],
      genres: ['1'],
    }),
    post('/sp/campaigns/initialBudgetRecommendation', vendor('spinitialbudgetrecommendation', 'v3.4'), {
      targetingType: 'manual',
      bidding,
      adGroups: [{ asins: [asin], targetingExpressions }],
      startDate: '2026-12-01',
    }),
    ...['sp', 'sb', 'sd'].map(product =>
      post(`/${product}/campaigns/budget/usage`, vendor(`${product}campaignbudgetusage`, 'v1'), {
        campaignIds: [campaignId, '404'],
      }),
    ),
    post('/portfolios/budget/usage', vendor('portfoliobudgetusage', 'v1'), { portfolioIds: ['404'] }),
    post('/sp/campaigns/budgetRecommendations', vendor('budgetrecommendation'), { campaignIds: [campaignId, '404'] }),
    post('/accountBudgets/featureFlags', vendor('accountBudgetFeatureFlags', 'v1'), {
      featureFlags: { isOptedOutForAverageDailyBudgetIncrease: true },
    }),
    post('/recommendations/list', JSON_TYPE, {
      filters: [{ field: 'RECOMMENDATION_TYPE', values: ['CAMPAIGN_BUDGET'], operator: 'EXACT' }],
      maxResults: 5,
      nextToken: '',
    }),
    post('/recommendations/apply', JSON_TYPE, { recommendationIds: ['a'] }),
    post('/eligibility/product/list', JSON_TYPE, {
      adType: 'sp',
      productDetailsList: [{ asin, sku, globalStoreSetting: { catalogSourceCountryCode: 'US' } }],
      locale: 'en_US',
    }),
    post('/product/metadata', vendor('productmetadatarequest', 'v1'), {
      asins: [asin],
      skus: [sku],
      searchStr: 'a',
      pageIndex: 0,
      pageSize: 10,
      checkItemDetails: true,
      checkEligibility: true,
      isGlobalStoreSelection: false,
      adType: 'SP',
      sortBy: 'SUGGESTED',
      sortOrder: 'ASC',
      cursorToken: '',
      locale: 'en_US',
    }),
    post('/currencies/localize', JSON_TYPE, {
      sourceMarketplaceId: US,
      targetMarketplaces: ['A1PA6795UKMFR9'],
      targetCountryCodes: ['DE'],
      localizeCurrencyRequests: [{ currency: { amount: 5 } }],
    }),
    post('/products/localize', JSON_TYPE, {
      adType: 'SPONSORED_PRODUCTS',
      sourceDetails: { marketplaceId: US, advertiserId: seller },
      targetDetails: [{ marketplaceId: US, advertiserId: seller }],
      localizeProductRequests: [{ product: { sku, asin } }],
    }),
    post('/keywords/localize', JSON_TYPE, {
      sourceDetails: { marketplaceId: US, countryCode: 'US' },
      targetDetails: { marketplaceIds: [US], countryCodes: ['DE'] },
      localizeKeywordRequests: [{ localizationKeyword: { keyword: 'soap' } }],
    }),
    post('/targetingExpression/localize', JSON_TYPE, {
      sourceDetails: { marketplaceId: US },
      targetDetailsList: [{ marketplaceId: 'A1PA6795UKMFR9' }],
      requests: [{ targetingExpression: { expression, isForNegativeTargeting: false } }],
    }),
  ]
}
