import type { ReportDefinition } from './report-definition.ts'

/** Reports of Sponsored Brands (SB) and Sponsored Display (SD). */
export type BrandOrDisplayKind =
  | 'SB_CAMPAIGN'
  | 'SB_AD_GROUP'
  | 'SB_PLACEMENT'
  | 'SB_TARGETING'
  | 'SB_SEARCH_TERM'
  | 'SB_AD'
  | 'SB_PURCHASED_PRODUCT'
  | 'SD_CAMPAIGN'
  | 'SD_AD_GROUP'
  | 'SD_TARGETING'
  | 'SD_ADVERTISED_PRODUCT'

const place = ['date', 'campaignId', 'campaignBudgetCurrencyCode']
const inGroup = [...place, 'adGroupId']
const figures = ['impressions', 'clicks', 'cost', 'purchases', 'sales', 'unitsSold']

const brands = (reportTypeId: string, groupBy: string, columns: readonly string[]): ReportDefinition => ({
  adProduct: 'SPONSORED_BRANDS',
  reportTypeId,
  groupBy: [groupBy],
  columns,
})
const display = (reportTypeId: string, groupBy: string, columns: readonly string[]): ReportDefinition => ({
  adProduct: 'SPONSORED_DISPLAY',
  reportTypeId,
  groupBy: [groupBy],
  columns,
})

/**
 * They know one attribution window, of 14 days, and no suffix for it. At most 31 days a request; Brands keep 60 days and
 * Display 65. Source: Reporting version 3, report types.
 */
export const brandAndDisplayKinds: Record<BrandOrDisplayKind, ReportDefinition> = {
  SB_CAMPAIGN: brands('sbCampaigns', 'campaign', [...place, 'topOfSearchImpressionShare', ...figures]),
  SB_AD_GROUP: brands('sbAdGroup', 'adGroup', [...inGroup, ...figures]),
  SB_PLACEMENT: brands('sbCampaignPlacement', 'campaignPlacement', [...place, 'placementClassification', ...figures]),
  SB_TARGETING: brands('sbTargeting', 'targeting', [
    ...inGroup,
    'keywordId',
    'keywordText',
    'keywordType',
    'matchType',
    'targetingId',
    'targetingText',
    'topOfSearchImpressionShare',
    ...figures,
  ]),
  SB_SEARCH_TERM: brands('sbSearchTerm', 'searchTerm', [
    ...inGroup,
    'keywordId',
    'keywordText',
    'matchType',
    'searchTerm',
    ...figures,
  ]),
  SB_AD: brands('sbAds', 'ads', [...inGroup, 'adId', ...figures]),
  SB_PURCHASED_PRODUCT: brands('sbPurchasedProduct', 'purchasedAsin', [
    ...inGroup,
    'purchasedAsin',
    'orders14d',
    'sales14d',
    'unitsSold14d',
  ]),
  SD_CAMPAIGN: display('sdCampaigns', 'campaign', [...place, ...figures]),
  SD_AD_GROUP: display('sdAdGroup', 'adGroup', [...inGroup, ...figures]),
  SD_TARGETING: display('sdTargeting', 'targeting', [...inGroup, 'targetingId', 'targetingText', ...figures]),
  SD_ADVERTISED_PRODUCT: display('sdAdvertisedProduct', 'advertiser', [
    ...inGroup,
    'adId',
    'promotedAsin',
    'promotedSku',
    ...figures,
  ]),
}
