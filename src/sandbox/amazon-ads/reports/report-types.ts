import type { AdProduct } from '../../market/market.ts'

// Report types as published with Reporting version 3. Orders of Sponsored Brands and Display without a window count within
// 14 days of a click or view.

interface ReportGroup {
  columns: readonly string[]
  filters: Readonly<Record<string, readonly string[]>>
}

/** Which columns, groups and filters a kind of report takes, and of which days. */
export interface ReportType {
  adProduct: AdProduct
  columns: readonly string[]
  groups: Readonly<Record<string, ReportGroup>>
  mostDays: number
  retentionDays: number
  formats: readonly string[]
}

export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Every name with every window of attribution. */
function inEachWindow(text: string): string {
  return words(text)
    .flatMap(name => ['1d', '7d', '14d', '30d'].map(window => name + window))
    .join(' ')
}

const states = ['ENABLED', 'PAUSED', 'ARCHIVED']
const keywordTypes = words('BROAD PHRASE EXACT TARGETING_EXPRESSION TARGETING_EXPRESSION_PREDEFINED')

function group(columns = '', filters: ReportGroup['filters'] = {}): ReportGroup {
  return {
    columns: columns ? words(columns) : [],
    filters,
  }
}

function typeOf(adProduct: AdProduct, retentionDays: number) {
  return (columns: string, groups: ReportType['groups'], more: Partial<ReportType> = {}): ReportType => ({
    adProduct,
    columns: words(columns),
    groups,
    mostDays: 31,
    retentionDays,
    formats: ['GZIP_JSON'],
    ...more,
  })
}
const products = typeOf('SPONSORED_PRODUCTS', 95)
const brands = typeOf('SPONSORED_BRANDS', 60)
const display = typeOf('SPONSORED_DISPLAY', 65)

const days = 'date startDate endDate'
const kindle = 'kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d'
const inExcel = ['GZIP_JSON', 'XLSX']

/** The report of gross and invalid traffic, the same for each ad product. */
function grossAndInvalids(type: typeof products): ReportType {
  return type(
    `campaignName campaignStatus clicks date endDate grossClickThroughs grossImpressions impressions
    invalidClickThroughRate invalidClickThroughs invalidImpressionRate invalidImpressions startDate`,
    { campaign: group('', { campaignStatus: states }) },
    { mostDays: 365, retentionDays: 365, formats: ['GZIP_JSON', 'CSV'] },
  )
}

const spStore = 'addToList qualifiedBorrows royaltyQualifiedBorrows'
const spTraffic = 'impressions clicks cost costPerClick clickThroughRate'
const spResults = inEachWindow(
  'purchases purchasesSameSku unitsSoldClicks sales attributedSalesSameSku unitsSoldSameSku',
)
const spRatios = 'salesOtherSku7d unitsSoldOtherSku7d acosClicks7d acosClicks14d roasClicks7d roasClicks14d'
const spBudget = 'campaignStatus campaignBudgetAmount campaignBudgetType'
const spCampaign = 'campaignName campaignId campaignBudgetCurrencyCode'
const spAdGroup = 'adGroupName adGroupId'
const spKeyword = 'keywordId keyword keywordType matchType'
const spGrouped = `${spCampaign} ${spBudget} campaignRuleBasedBudgetAmount campaignApplicableBudgetRuleId
  campaignApplicableBudgetRuleName topOfSearchImpressionShare`
const spBase = `${days} ${spStore} ${kindle} ${spTraffic} ${spResults}`
const spTargeting = `${spBase} ${spRatios} ${spCampaign} ${spBudget} ${spAdGroup} ${spKeyword} keywordBid targeting
  portfolioId`

const sponsoredProducts = {
  spCampaigns: products(`${spBase} spend campaignBiddingStrategy`, {
    campaign: group(spGrouped, { campaignStatus: states }),
    adGroup: group('adGroupName adGroupId adStatus', { adStatus: states }),
    campaignPlacement: group(`placementClassification ${spGrouped}`, { campaignSite: ['AmazonBusiness'] }),
  }),
  spTargeting: products(`${spTargeting} topOfSearchImpressionShare`, {
    targeting: group('adKeywordStatus', { adKeywordStatus: states, keywordType: keywordTypes }),
  }),
  spSearchTerm: products(`${spTargeting} searchTerm adKeywordStatus`, {
    searchTerm: group('adKeywordStatus', { keywordType: keywordTypes }),
  }),
  spAdvertisedProduct: products(
    `${spBase} spend ${spRatios} ${spCampaign} ${spBudget} ${spAdGroup} adId portfolioId advertisedAsin advertisedSku`,
    { advertiser: group('', { adCreativeStatus: states }) },
  ),
  spPurchasedProduct: products(
    `${days} ${spStore} ${kindle} ${spCampaign} ${spAdGroup} ${spKeyword} addToListFromClicks qualifiedBorrowsFromClicks
    royaltyQualifiedBorrowsFromClicks portfolioId advertisedAsin advertisedSku purchasedAsin
    ${inEachWindow('unitsSoldClicks sales purchases unitsSoldOtherSku salesOtherSku purchasesOtherSku')}`,
    { asin: group() },
  ),
  spAudiences: products(
    `${days} ${spTraffic} spend ${spResults} ${spBudget} campaignId campaignName campaignBiddingStrategy marketplaceId
    segmentName segmentClassCode`,
    { campaign_bid_boost_segment: group() },
    { formats: inExcel },
  ),
  spGrossAndInvalids: grossAndInvalids(products),
}

const sbCampaign = 'campaignId campaignName campaignStatus campaignBudgetAmount campaignBudgetType'
const sbTraffic = 'impressions clicks cost'
const sbBasic = `${days} ${sbCampaign} campaignBudgetCurrencyCode costType ${sbTraffic} purchases purchasesClicks sales
  salesClicks unitsSold addToList addToListFromClicks qualifiedBorrows qualifiedBorrowsFromClicks
  royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks`
const sbCommon = `${sbBasic} addToCart addToCartClicks addToCartRate eCPAddToCart brandedSearches brandedSearchesClicks
  detailPageViews detailPageViewsClicks newToBrandDetailPageViewRate newToBrandDetailPageViews
  newToBrandDetailPageViewsClicks newToBrandECPDetailPageView newToBrandPurchases newToBrandPurchasesClicks
  newToBrandPurchasesPercentage newToBrandPurchasesRate newToBrandSales newToBrandSalesClicks
  newToBrandSalesPercentage newToBrandUnitsSold newToBrandUnitsSoldClicks newToBrandUnitsSoldPercentage
  purchasesPromoted salesPromoted`
const sbVideo = `video5SecondViewRate video5SecondViews videoCompleteViews videoFirstQuartileViews videoMidpointViews
  videoThirdQuartileViews videoUnmutes viewabilityRate`
const sbFilmed = `${sbCommon} ${kindle} ${sbVideo} unitsSoldClicks`
const sbAdGroup = 'adGroupId adGroupName'

const sponsoredBrands = {
  sbCampaigns: brands(`${sbFilmed} topOfSearchImpressionShare viewableImpressions viewClickThroughRate`, {
    campaign: group(
      `campaignBudgetAmount campaignBudgetCurrencyCode campaignBudgetType longTermSales longTermROAS
      topOfSearchImpressionShare`,
      { campaignStatus: states },
    ),
  }),
  sbAdGroup: brands(`${sbFilmed} ${sbAdGroup} adStatus`, {
    adGroup: group('', { adStatus: states }),
    campaign: group(),
  }),
  sbAds: brands(`${sbFilmed} ${sbAdGroup} adId viewableImpressions`, { ads: group('', { adStatus: states }) }),
  sbCampaignPlacement: brands(`${sbFilmed} viewableImpressions viewClickThroughRate`, {
    campaignPlacement: group('placementClassification'),
    campaign: group(),
  }),
  sbTargeting: brands(
    `${sbCommon} ${sbAdGroup} keywordBid keywordId adKeywordStatus keywordText keywordType matchType targetingExpression
    targetingId targetingText targetingType topOfSearchImpressionShare`,
    { targeting: group('', { adKeywordStatus: states, keywordType: [...keywordTypes, 'THEME'] }) },
  ),
  sbSearchTerm: brands(
    `${sbBasic} ${kindle} ${sbVideo} ${sbAdGroup} keywordBid keywordId keywordText matchType searchTerm
    viewableImpressions viewClickThroughRate`,
    { searchTerm: group('adKeywordStatus', { keywordType: keywordTypes }) },
  ),
  sbPurchasedProduct: brands(
    `${days} ${kindle} ${sbAdGroup} campaignId campaignName campaignBudgetCurrencyCode campaignPriceTypeCode
    attributionType purchasedAsin productName productCategory orders14d ordersClicks14d sales14d salesClicks14d
    unitsSold14d unitsSoldClicks14d newToBrandSales14d newToBrandPurchases14d newToBrandUnitsSold14d
    newToBrandSalesPercentage14d newToBrandPurchasesPercentage14d newToBrandUnitsSoldPercentage14d`,
    { purchasedAsin: group() },
    { mostDays: 731, retentionDays: 731 },
  ),
  sbAudiences: brands(
    `${days} ${sbCampaign} ${sbTraffic} segmentName segmentClassCode spend purchases sales salesClicks unitsSold
    unitsSoldClicks costPerClick clickThroughRate marketplaceId`,
    { campaign_bid_boost_segment: group() },
    { retentionDays: 95, formats: inExcel },
  ),
  sbGrossAndInvalids: grossAndInvalids(brands),
}

const sdCampaign = 'campaignId campaignName campaignBudgetCurrencyCode'
const sdAdGroup = 'adGroupId adGroupName'
const sdLists = `addToList addToListFromClicks addToListFromViews qualifiedBorrows qualifiedBorrowsFromClicks
  qualifiedBorrowsFromViews royaltyQualifiedBorrows royaltyQualifiedBorrowsFromClicks royaltyQualifiedBorrowsFromViews`
const sdCommon = `${days} ${sdCampaign} ${sdLists} impressions impressionsViews clicks cost purchases purchasesClicks
  purchasesPromotedClicks sales salesClicks salesPromotedClicks unitsSold unitsSoldClicks newToBrandPurchases
  newToBrandPurchasesClicks newToBrandSalesClicks newToBrandUnitsSold newToBrandUnitsSoldClicks addToCart
  addToCartClicks addToCartRate addToCartViews eCPAddToCart brandedSearches brandedSearchesClicks brandedSearchesViews
  brandedSearchRate eCPBrandSearch detailPageViews detailPageViewsClicks videoCompleteViews videoFirstQuartileViews
  videoMidpointViews videoUnmutes viewabilityRate`
const sdWatched = `${sdCommon} videoThirdQuartileViews viewClickThroughRate`
const sdFirstViews = `newToBrandDetailPageViewClicks newToBrandDetailPageViewRate newToBrandDetailPageViews
  newToBrandDetailPageViewViews newToBrandECPDetailPageView`
const matchedTarget = group('matchedTargetAsin')

const sponsoredDisplay = {
  sdCampaigns: display(sdWatched, {
    campaign: group(
      `campaignBudgetAmount campaignStatus costType cumulativeReach impressionsFrequencyAverage longTermSales
      longTermROAS newToBrandSales ${sdFirstViews}`,
    ),
    matchedTarget,
  }),
  sdAdGroup: display(`${sdWatched} ${sdAdGroup} bidOptimization cumulativeReach newToBrandSales`, {
    adGroup: group(`cumulativeReach impressionsFrequencyAverage ${sdFirstViews}`),
    matchedTarget,
  }),
  sdTargeting: display(`${sdCommon} ${sdAdGroup} newToBrandSales targetingExpression targetingId targetingText`, {
    targeting: group(`adKeywordStatus ${sdFirstViews}`),
    matchedTarget,
  }),
  sdAdvertisedProduct: display(
    `${sdWatched} ${sdAdGroup} ${sdFirstViews} adId bidOptimization cumulativeReach impressionsFrequencyAverage
    newToBrandSales promotedAsin promotedSku`,
    { advertiser: group() },
  ),
  sdPurchasedProduct: display(
    `${days} ${sdCampaign} ${sdAdGroup} ${sdLists} asinBrandHalo conversionsBrandHalo conversionsBrandHaloClicks
    promotedAsin promotedSku salesBrandHalo salesBrandHaloClicks unitsSoldBrandHalo unitsSoldBrandHaloClicks`,
    { asin: group() },
  ),
  sdGrossAndInvalids: grossAndInvalids(display),
}

export const reportTypes: Readonly<Record<string, ReportType>> = {
  ...sponsoredProducts,
  ...sponsoredBrands,
  ...sponsoredDisplay,
}
