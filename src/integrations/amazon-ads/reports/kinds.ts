import { type BrandOrDisplayKind, brandAndDisplayKinds } from './brand-and-display-kinds.ts'
import type { ReportDefinition } from './report-definition.ts'

/** What a report is about; each row is one day of one such thing. Without a prefix it is of Sponsored Products. */
export type ReportKind = BrandOrDisplayKind | ProductsKind

type ProductsKind =
  | 'CAMPAIGN'
  | 'AD_GROUP'
  | 'PLACEMENT'
  | 'TARGETING'
  | 'SEARCH_TERM'
  | 'ADVERTISED_PRODUCT'
  | 'PURCHASED_PRODUCT'

const windows = ['1d', '7d', '14d', '30d']
const perWindow = (names: readonly string[]): string[] => names.flatMap(name => windows.map(window => name + window))
const traffic = ['impressions', 'clicks', 'cost']
const results = perWindow([
  'purchases',
  'sales',
  'unitsSoldClicks',
  'purchasesSameSku',
  'attributedSalesSameSku',
  'unitsSoldSameSku',
])
const currency = 'campaignBudgetCurrencyCode'

// Source: Reporting version 3, report types; all keep 95 days and take at most 31 a request.
const productsKinds: Record<ProductsKind, Omit<ReportDefinition, 'adProduct'>> = {
  CAMPAIGN: {
    reportTypeId: 'spCampaigns',
    groupBy: ['campaign'],
    columns: ['date', 'campaignId', currency, 'topOfSearchImpressionShare', ...traffic, ...results],
  },
  AD_GROUP: {
    reportTypeId: 'spCampaigns',
    groupBy: ['campaign', 'adGroup'],
    columns: ['date', 'campaignId', 'adGroupId', currency, ...traffic, ...results],
  },
  // The top-of-search share is refused together with placements.
  PLACEMENT: {
    reportTypeId: 'spCampaigns',
    groupBy: ['campaign', 'campaignPlacement'],
    columns: ['date', 'campaignId', 'placementClassification', currency, ...traffic, ...results],
  },
  TARGETING: {
    reportTypeId: 'spTargeting',
    groupBy: ['targeting'],
    columns: [
      'date',
      'campaignId',
      'adGroupId',
      'keywordId',
      'keyword',
      'keywordType',
      'matchType',
      'targeting',
      'topOfSearchImpressionShare',
      currency,
      ...traffic,
      ...results,
    ],
  },
  SEARCH_TERM: {
    reportTypeId: 'spSearchTerm',
    groupBy: ['searchTerm'],
    columns: [
      'date',
      'campaignId',
      'adGroupId',
      'keywordId',
      'keyword',
      'keywordType',
      'matchType',
      'targeting',
      'searchTerm',
      currency,
      ...traffic,
      ...results,
    ],
  },
  ADVERTISED_PRODUCT: {
    reportTypeId: 'spAdvertisedProduct',
    groupBy: ['advertiser'],
    columns: [
      'date',
      'campaignId',
      'adGroupId',
      'adId',
      'advertisedAsin',
      'advertisedSku',
      currency,
      ...traffic,
      ...results,
    ],
  },
  PURCHASED_PRODUCT: {
    reportTypeId: 'spPurchasedProduct',
    groupBy: ['asin'],
    columns: [
      'date',
      'campaignId',
      'adGroupId',
      'keywordId',
      'keyword',
      'keywordType',
      'matchType',
      'advertisedAsin',
      'advertisedSku',
      'purchasedAsin',
      currency,
      ...perWindow(['purchases', 'sales', 'unitsSoldClicks']),
    ],
  },
}

/** The definition of a kind: a fixed set of columns each, so that an equal question is recognisable as such. */
export const definitionOf = (kind: ReportKind): ReportDefinition =>
  kind in productsKinds
    ? { adProduct: 'SPONSORED_PRODUCTS', ...productsKinds[kind as ProductsKind] }
    : brandAndDisplayKinds[kind as BrandOrDisplayKind]
