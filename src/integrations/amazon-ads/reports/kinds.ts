import { attributedSources, inWindow, type MetricSource, trafficSources, windowDays } from '../performance.ts'

export type AdProduct = 'SPONSORED_PRODUCTS' | 'SPONSORED_BRANDS' | 'SPONSORED_DISPLAY'

interface ReportDefinition {
  adProduct: AdProduct
  reportTypeId: string
  groupBy: readonly string[]
  columns: readonly string[]
}

/** The columns of all metrics that a family of reports has, in every attribution window. */
function metricColumns(family: keyof MetricSource): string[] {
  return [...trafficSources, ...attributedSources].flatMap(source => {
    const column = source[family]
    if (!column) return []
    return column.includes('*') ? windowDays.map(days => inWindow(column, days)) : [column]
  })
}

const split = (text: string): string[] => text.split(' ')

// A fixed set of columns each, so that two requests for the same report are recognized as equal, and no more than is read: the
// report of a large account's day has half a million rows.
function report(adProduct: AdProduct, metrics: string[]) {
  return (reportTypeId: string, groupBy: string, keys = ''): ReportDefinition => ({
    adProduct,
    reportTypeId,
    groupBy: split(groupBy),
    columns: [...split('date campaignId'), ...split(keys).filter(Boolean), ...metrics],
  })
}

const products = report('SPONSORED_PRODUCTS', metricColumns('products'))
const productsPurchases = report('SPONSORED_PRODUCTS', metricColumns('productsPurchases'))
const brands = report('SPONSORED_BRANDS', metricColumns('brandsAndDisplay'))
const brandsPurchases = report('SPONSORED_BRANDS', metricColumns('brandsPurchases'))
const display = report('SPONSORED_DISPLAY', metricColumns('brandsAndDisplay'))

const target = 'adGroupId keywordId'

/** How many days the marketplace keeps in its reports, today included; earlier ones are refused. */
export const keptDays = {
  SPONSORED_PRODUCTS: 95,
  SPONSORED_BRANDS: 60,
  SPONSORED_DISPLAY: 65,
} as const satisfies Record<AdProduct, number>

/**
 * What a report is about; each row is one day of one such entity. Without a prefix it is of Sponsored Products; SB is
 * Sponsored Brands, SD Sponsored Display. A request takes at most 31 days.
 * Source: Reporting version 3, report types.
 */
export const reportKinds = {
  CAMPAIGN: products('spCampaigns', 'campaign'),
  AD_GROUP: products('spCampaigns', 'campaign adGroup', 'adGroupId'),
  PLACEMENT: products('spCampaigns', 'campaign campaignPlacement', 'placementClassification'),
  TARGETING: products('spTargeting', 'targeting', target),
  SEARCH_TERM: products('spSearchTerm', 'searchTerm', `${target} searchTerm`),
  ADVERTISED_PRODUCT: products('spAdvertisedProduct', 'advertiser', 'adGroupId adId advertisedAsin'),
  PURCHASED_PRODUCT: productsPurchases('spPurchasedProduct', 'asin', `${target} advertisedAsin purchasedAsin`),
  SB_CAMPAIGN: brands('sbCampaigns', 'campaign'),
  SB_AD_GROUP: brands('sbAdGroup', 'adGroup', 'adGroupId'),
  SB_PLACEMENT: brands('sbCampaignPlacement', 'campaignPlacement', 'placementClassification'),
  SB_TARGETING: brands('sbTargeting', 'targeting', 'adGroupId keywordId targetingId'),
  SB_SEARCH_TERM: brands('sbSearchTerm', 'searchTerm', 'adGroupId keywordId searchTerm'),
  SB_AD: brands('sbAds', 'ads', 'adGroupId adId'),
  SB_PURCHASED_PRODUCT: brandsPurchases('sbPurchasedProduct', 'purchasedAsin', 'adGroupId purchasedAsin'),
  SD_CAMPAIGN: display('sdCampaigns', 'campaign'),
  SD_AD_GROUP: display('sdAdGroup', 'adGroup', 'adGroupId'),
  SD_TARGETING: display('sdTargeting', 'targeting', 'adGroupId targetingId'),
  SD_ADVERTISED_PRODUCT: display('sdAdvertisedProduct', 'advertiser', 'adGroupId adId promotedAsin'),
} as const satisfies Record<string, ReportDefinition>

export type ReportKind = keyof typeof reportKinds
