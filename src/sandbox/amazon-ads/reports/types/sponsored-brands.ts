import { entityStates, group, grossAndInvalids, keywordTypes, type ReportType, words } from './report-type.ts'

// Sponsored Brands report types as published with Reporting version 3. Orders count within 14 days of a click or view.

const days = words('date startDate endDate')
const campaign = words('campaignId campaignName campaignStatus campaignBudgetAmount campaignBudgetType')
const money = words('campaignBudgetCurrencyCode costType')
const traffic = words('impressions clicks cost')
const orders = words('purchases purchasesClicks sales salesClicks unitsSold')
const lists = words(`
  addToList addToListFromClicks qualifiedBorrows qualifiedBorrowsFromClicks royaltyQualifiedBorrows
  royaltyQualifiedBorrowsFromClicks`)
const engagement = words(`
  addToCart addToCartClicks addToCartRate eCPAddToCart brandedSearches brandedSearchesClicks detailPageViews
  detailPageViewsClicks newToBrandDetailPageViewRate newToBrandDetailPageViews newToBrandDetailPageViewsClicks
  newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks newToBrandPurchasesPercentage
  newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks newToBrandSalesPercentage newToBrandUnitsSold
  newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage purchasesPromoted salesPromoted`)
const kindle = words('kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d')
const video = words(`
  video5SecondViewRate video5SecondViews videoCompleteViews videoFirstQuartileViews videoMidpointViews
  videoThirdQuartileViews videoUnmutes viewabilityRate`)
const basic = [...days, ...campaign, ...money, ...traffic, ...orders, ...lists]
const common = [...basic, ...engagement]
const filmed = [...common, ...kindle, ...video, 'unitsSoldClicks']
const adGroup = words('adGroupId adGroupName')

function type(columns: readonly string[], groups: ReportType['groups'], more: Partial<ReportType> = {}): ReportType {
  return {
    adProduct: 'SPONSORED_BRANDS',
    columns,
    groups,
    mostDays: 31,
    retentionDays: 60,
    formats: ['GZIP_JSON'],
    ...more,
  }
}

/** By reportTypeId. */
export const sponsoredBrandsTypes: Readonly<Record<string, ReportType>> = {
  sbCampaigns: type([...filmed, ...words('topOfSearchImpressionShare viewableImpressions viewClickThroughRate')], {
    campaign: group(
      `campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType longTermSales longTermROAS
      topOfSearchImpressionShare`,
      { campaignStatus: entityStates },
    ),
  }),
  sbAdGroup: type([...filmed, ...adGroup, 'adStatus'], {
    adGroup: group('', { adStatus: entityStates }),
    campaign: group(),
  }),
  sbAds: type([...filmed, ...adGroup, 'adId', 'viewableImpressions'], {
    ads: group('', { adStatus: entityStates }),
  }),
  sbCampaignPlacement: type([...filmed, 'viewableImpressions', 'viewClickThroughRate'], {
    campaignPlacement: group('placementClassification'),
    campaign: group(),
  }),
  sbTargeting: type(
    [
      ...common,
      ...adGroup,
      ...words(`
        keywordBid keywordId adKeywordStatus keywordText keywordType matchType targetingExpression targetingId
        targetingText targetingType topOfSearchImpressionShare`),
    ],
    { targeting: group('', { adKeywordStatus: entityStates, keywordType: [...keywordTypes, 'THEME'] }) },
  ),
  sbSearchTerm: type(
    [
      ...basic,
      ...kindle,
      ...video,
      ...adGroup,
      ...words('keywordBid keywordId keywordText matchType searchTerm viewableImpressions viewClickThroughRate'),
    ],
    { searchTerm: group('adKeywordStatus', { keywordType: keywordTypes }) },
  ),
  sbPurchasedProduct: type(
    [
      ...days,
      ...kindle,
      ...adGroup,
      ...words(`
        campaignId campaignName campaignBudgetCurrencyCode campaignPriceTypeCode attributionType purchasedAsin
        productName productCategory orders14d ordersClicks14d sales14d salesClicks14d unitsSold14d unitsSoldClicks14d
        newToBrandSales14d newToBrandPurchases14d newToBrandUnitsSold14d newToBrandSalesPercentage14d
        newToBrandPurchasesPercentage14d newToBrandUnitsSoldPercentage14d`),
    ],
    { purchasedAsin: group() },
    { mostDays: 731, retentionDays: 731 },
  ),
  sbAudiences: type(
    [
      ...days,
      ...campaign,
      ...traffic,
      ...words(`
        segmentName segmentClassCode spend purchases sales salesClicks unitsSold unitsSoldClicks costPerClick
        clickThroughRate marketplaceId`),
    ],
    { campaign_bid_boost_segment: group() },
    { retentionDays: 95, formats: ['GZIP_JSON', 'XLSX'] },
  ),
  sbGrossAndInvalids: grossAndInvalids('SPONSORED_BRANDS'),
}
