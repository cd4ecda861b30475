import { group, grossAndInvalids, type ReportType, words } from './report-type.ts'

// Sponsored Display report types as published with Reporting version 3. Orders count within 14 days of a click or view.

const days = words('date startDate endDate')
const campaign = words('campaignId campaignName campaignBudgetCurrencyCode')
const adGroup = words('adGroupId adGroupName')
const lists = words(`
  addToList addToListFromClicks addToListFromViews qualifiedBorrows qualifiedBorrowsFromClicks
  qualifiedBorrowsFromViews royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks royaltyQualifiedBorrowsFromViews`)
const results = words(`
  impressions impressionsViews clicks cost purchases purchasesClicks purchasesPromotedClicks sales salesClicks
  salesPromotedClicks unitsSold unitsSoldClicks newToBrandPurchases newToBrandPurchasesClicks newToBrandSalesClicks
  newToBrandUnitsSold newToBrandUnitsSoldClicks`)
const engagement = words(`
  addToCart addToCartClicks addToCartRate addToCartViews eCPAddToCart brandedSearches brandedSearchesClicks
  brandedSearchesViews brandedSearchRate eCPBrandSearch detailPageViews detailPageViewsClicks videoCompleteViews
  videoFirstQuartileViews videoMidpointViews videoUnmutes viewabilityRate`)
const common = [...days, ...campaign, ...lists, ...results, ...engagement]
const watched = words('videoThirdQuartileViews viewClickThroughRate')
const firstViews = `newToBrandDetailPageViewClicks newToBrandDetailPageViewRate newToBrandDetailPageViews
  newToBrandDetailPageViewViews newToBrandECPDetailPageView`
const matchedTarget = group('matchedTargetAsin')

function type(columns: readonly string[], groups: ReportType['groups']): ReportType {
  return {
    adProduct: 'SPONSORED_DISPLAY',
    columns,
    groups,
    mostDays: 31,
    retentionDays: 65,
    formats: ['GZIP_JSON'],
  }
}

/** By reportTypeId. */
export const sponsoredDisplayTypes: Readonly<Record<string, ReportType>> = {
  sdCampaigns: type([...common, ...watched], {
    campaign: group(`
      campaignBudgetAmount campaignStatus costType cumulativeReach impressionsFrequencyAverage longTermSales
      longTermROAS newToBrandSales ${firstViews}`),
    matchedTarget,
  }),
  sdAdGroup: type([...common, ...watched, ...adGroup, ...words('bidOptimization cumulativeReach newToBrandSales')], {
    adGroup: group(`cumulativeReach impressionsFrequencyAverage ${firstViews}`),
    matchedTarget,
  }),
  sdTargeting: type(
    [...common, ...adGroup, ...words('newToBrandSales targetingExpression targetingId targetingText')],
    { targeting: group(`adKeywordStatus ${firstViews}`), matchedTarget },
  ),
  sdAdvertisedProduct: type(
    [
      ...common,
      ...watched,
      ...adGroup,
      ...words(firstViews),
      ...words('adId bidOptimization cumulativeReach impressionsFrequencyAverage newToBrandSales'),
      ...words('promotedAsin promotedSku'),
    ],
    { advertiser: group() },
  ),
  sdPurchasedProduct: type(
    [
      ...days,
      ...campaign,
      ...adGroup,
      ...lists,
      ...words(`
        asinBrandHalo conversionsBrandHalo conversionsBrandHaloClicks promotedAsin promotedSku salesBrandHalo
        salesBrandHaloClicks unitsSoldBrandHalo unitsSoldBrandHaloClicks`),
    ],
    { asin: group() },
  ),
  sdGrossAndInvalids: grossAndInvalids('SPONSORED_DISPLAY'),
}
