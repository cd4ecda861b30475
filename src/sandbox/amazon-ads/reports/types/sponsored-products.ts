import {
  entityStates,
  group,
  grossAndInvalids,
  inEachWindow,
  keywordTypes,
  type ReportType,
  words,
} from './report-type.ts'

// Sponsored Products report types as published with Reporting version 3.

const days = words('date startDate endDate')
const store = words('addToList qualifiedBorrows royaltyQualifiedBorrows')
const kindle = words('kindleEditionNormalizedPagesRead14d kindleEditionNormalizedPagesRoyalties14d')
const traffic = words('impressions clicks cost costPerClick clickThroughRate')
const results = inEachWindow('purchases purchasesSameSku unitsSoldClicks sales attributedSalesSameSku unitsSoldSameSku')
const ratios = words('salesOtherSku7d unitsSoldOtherSku7d acosClicks7d acosClicks14d roasClicks7d roasClicks14d')
const budget = words('campaignStatus campaignBudgetAmount campaignBudgetType')
const campaign = words('campaignName campaignId campaignBudgetCurrencyCode')
const adGroup = words('adGroupName adGroupId')
const keyword = words('keywordId keyword keywordType matchType')
const rules = 'campaignRuleBasedBudgetAmount campaignApplicableBudgetRuleId campaignApplicableBudgetRuleName'
const grouped = `${[...campaign, ...budget].join(' ')} ${rules} topOfSearchImpressionShare`
const base = [...days, ...store, ...kindle, ...traffic, ...results]

function type(columns: readonly string[], groups: ReportType['groups'], formats = ['GZIP_JSON']): ReportType {
  return {
    adProduct: 'SPONSORED_PRODUCTS',
    columns,
    groups,
    mostDays: 31,
    retentionDays: 95,
    formats,
  }
}

/** By reportTypeId. */
export const sponsoredProductsTypes: Readonly<Record<string, ReportType>> = {
  spCampaigns: type([...base, 'spend', 'campaignBiddingStrategy'], {
    campaign: group(grouped, { campaignStatus: entityStates }),
    adGroup: group('adGroupName adGroupId adStatus', { adStatus: entityStates }),
    campaignPlacement: group(`placementClassification ${grouped}`, { campaignSite: ['AmazonBusiness'] }),
  }),
  spTargeting: type(
    [
      ...base,
      ...ratios,
      ...campaign,
      ...budget,
      ...adGroup,
      ...keyword,
      ...words('keywordBid targeting portfolioId topOfSearchImpressionShare'),
    ],
    { targeting: group('adKeywordStatus', { adKeywordStatus: entityStates, keywordType: keywordTypes }) },
  ),
  spSearchTerm: type(
    [
      ...base,
      ...ratios,
      ...campaign,
      ...budget,
      ...adGroup,
      ...keyword,
      ...words('keywordBid targeting portfolioId searchTerm adKeywordStatus'),
    ],
    { searchTerm: group('adKeywordStatus', { keywordType: keywordTypes }) },
  ),
  spAdvertisedProduct: type(
    [
      ...base,
      'spend',
      ...ratios,
      ...campaign,
      ...budget,
      ...adGroup,
      ...words('adId portfolioId advertisedAsin advertisedSku'),
    ],
    { advertiser: group('', { adCreativeStatus: entityStates }) },
  ),
  spPurchasedProduct: type(
    [
      ...days,
      ...store,
      ...kindle,
      ...campaign,
      ...adGroup,
      ...keyword,
      ...words('addToListFromClicks qualifiedBorrowsFromClicks royaltyQualifiedBorrowsFromClicks portfolioId'),
      ...words('advertisedAsin advertisedSku purchasedAsin'),
      ...inEachWindow('unitsSoldClicks sales purchases unitsSoldOtherSku salesOtherSku purchasesOtherSku'),
    ],
    { asin: group() },
  ),
  spAudiences: type(
    [
      ...days,
      ...traffic,
      'spend',
      ...results,
      ...budget,
      ...words('campaignId campaignName campaignBiddingStrategy marketplaceId segmentName segmentClassCode'),
    ],
    { campaign_bid_boost_segment: group() },
    ['GZIP_JSON', 'XLSX'],
  ),
  spGrossAndInvalids: grossAndInvalids('SPONSORED_PRODUCTS'),
}
