import { fromMicros } from '#shared/money.ts'
import type { Product, Profile, Placement } from '../../core/model/store.ts'
import type { Fact, Purchase } from '../../market/market.ts'
import type { ReportRequest } from './report-request.ts'
import type { Subject } from './subject.ts'
import { type Field, figureOf, readerOf, type Sums, type Window } from './sums.ts'

/** How reports and the stream write a placement. */
const placementNames: Record<Placement, string> = {
  PLACEMENT_TOP: 'Top of Search on-Amazon',
  PLACEMENT_PRODUCT_PAGE: 'Detail Page on-Amazon',
  PLACEMENT_REST_OF_SEARCH: 'Other on-Amazon',
  SITE_AMAZON_BUSINESS: 'Other on-Amazon',
}

/** One row before it is written: a fact that its names come from, and its sums. */
export interface ReportRow extends Sums {
  fact: Fact
  subject: Subject
  /** Empty in a summary. */
  date: string
  /** Only in reports of purchased products. */
  purchased: Pick<Purchase, 'asin' | 'sameSku'> | null
}

/** What a report is written from, besides its rows. */
export interface ReportContext {
  profile: Profile
  request: ReportRequest
  productOf: (asin: string) => Product | undefined
}

type Text = string | null | undefined
/** A row of a report, or an hour of the stream. */
type Line = Pick<ReportRow, 'fact' | 'subject'>
type Dimension<T> = (line: Line) => T

const ids: Record<string, Dimension<Text>> = {
  campaignId: line => line.fact.campaignId,
  portfolioId: line => line.subject.campaign.portfolioId,
  adGroupId: line => line.fact.adGroupId,
  adId: line => line.fact.adId,
  keywordId: line => line.fact.targetId,
  targetingId: line => line.fact.targetId,
}

const keywordText: Dimension<Text> = line => line.subject.targetText
const keywordType: Dimension<Text> = line => line.subject.targetType
const costType: Dimension<Text> = line => line.subject.campaign.costType ?? 'CPC'
const advertisedAsin: Dimension<Text> = line => line.fact.asin
const advertisedSku: Dimension<Text> = line => line.subject.ad?.sku

const texts: Record<string, Dimension<Text>> = {
  campaignName: line => line.subject.campaign.name,
  campaignStatus: line => line.subject.campaign.state,
  campaignBudgetType: ({ subject: { campaign } }) =>
    campaign.budgetType === 'LIFETIME' ? 'LIFETIME_BUDGET' : 'DAILY_BUDGET',
  campaignBiddingStrategy: line => line.subject.campaign.strategy,
  campaignPriceTypeCode: costType,
  costType,
  adGroupName: line => line.subject.adGroup?.name,
  adStatus: line => line.subject.adGroup?.state,
  bidOptimization: line => line.subject.adGroup?.bidOptimization?.toLowerCase(),
  keyword: keywordText,
  keywordText,
  targeting: keywordText,
  targetingText: keywordText,
  targetingExpression: ({ subject }) => (subject.target?.expression ? subject.targetText : null),
  keywordType,
  matchType: keywordType,
  targetingType: keywordType,
  adKeywordStatus: line => line.subject.target?.state,
  searchTerm: line => line.fact.searchTerm || '*',
  // Pages that an ad stood on are written in lower case by the market.
  matchedTargetAsin: ({ fact: { searchTerm } }) =>
    /^b0[0-9a-z]{8}$/.test(searchTerm) ? searchTerm.toUpperCase() : null,
  advertisedAsin,
  promotedAsin: advertisedAsin,
  advertisedSku,
  promotedSku: advertisedSku,
  placementClassification: line => placementNames[line.fact.placement],
}

const purchasedAsin = (row: ReportRow): Text => row.purchased?.asin
const reportTexts: Record<string, (row: ReportRow, context: ReportContext) => Text> = {
  date: row => row.date,
  startDate: (_row, { request }) => request.startDate,
  endDate: (_row, { request }) => request.endDate,
  marketplaceId: (_row, { profile }) => profile.marketplaceId,
  campaignBudgetCurrencyCode: (_row, { profile }) => profile.currency,
  purchasedAsin,
  asinBrandHalo: purchasedAsin,
  attributionType: row => (row.purchased?.sameSku ? 'Promoted' : 'Brand Halo'),
  productName: (row, { productOf }) => productOf(row.purchased?.asin ?? '')?.title,
  productCategory: (row, { productOf }) => productOf(row.purchased?.asin ?? '')?.categoryName,
}

const bidOf = ({ target, adGroup }: Subject): number => target?.bidMicros ?? adGroup?.defaultBidMicros ?? 0
const amounts: Record<string, Dimension<number>> = {
  campaignBudgetAmount: line => line.subject.campaign.budgetMicros,
  keywordBid: line => bidOf(line.subject),
}

/** A number of a row; null where there is nothing to divide by. */
type Figure = (sums: Sums) => number | null
/** A field, or a figure worked out of several, within a window. */
type Measure = Field | ((window: Window) => Figure)
type Count = Field | ((sums: Sums) => number)

const countOf = (count: Count, window: Window) => (typeof count === 'function' ? count : readerOf(count, window))

/** Rounded to four decimals. */
function ratio(top: Count, bottom: Count, factor = 1): Measure {
  return window => {
    const [dividend, divisor] = [countOf(top, window), countOf(bottom, window)]
    return sums =>
      divisor(sums) === 0 ? null : Math.round((dividend(sums) / divisor(sums)) * factor * 10_000) / 10_000
  }
}
const costPer = (count: Count): Measure => ratio(figureOf('costMicros'), count)
/** What was bought besides the advertised product. */
function less(all: Field, same: Field): Measure {
  return window => {
    const [total, part] = [readerOf(all, window), readerOf(same, window)]
    const rest = (sums: Sums): number => total(sums) - part(sums)
    return all.endsWith('Micros') ? sums => fromMicros(rest(sums)) : rest
  }
}

// Nobody is reached twice more than about three times in ten.
const reach = (sums: Sums): number => Math.ceil(sums.viewableImpressions * 0.7)
// The traffic that counts is what is left of all of it; an invalid click was made on an invalid impression.
const grossImpressions = (sums: Sums): number => sums.impressions + sums.invalidClicks
const grossClicks = (sums: Sums): number => sums.clicks + sums.invalidClicks

/** Names without a window are of Sponsored Brands and Display, which count 14 days. */
const measures: Record<string, Measure> = {
  impressions: 'impressions',
  clicks: 'clicks',
  cost: 'costMicros',
  spend: 'costMicros',
  costPerClick: costPer('clicks'),
  clickThroughRate: ratio('clicks', 'impressions'),
  grossImpressions: () => grossImpressions,
  grossClickThroughs: () => grossClicks,
  invalidImpressions: 'invalidClicks',
  invalidClickThroughs: 'invalidClicks',
  invalidImpressionRate: ratio('invalidClicks', grossImpressions),
  invalidClickThroughRate: ratio('invalidClicks', grossClicks),
  topOfSearchImpressionShare: ratio('wonAtTop', 'eligibleAtTop'),
  viewableImpressions: 'viewableImpressions',
  impressionsViews: 'viewableImpressions',
  viewabilityRate: ratio('viewableImpressions', 'impressions'),
  viewClickThroughRate: ratio('clicks', 'viewableImpressions'),
  cumulativeReach: () => reach,
  impressionsFrequencyAverage: ratio('impressions', reach),
  detailPageViews: 'detailPageViews',
  detailPageViewsClicks: 'detailPageViews',
  newToBrandDetailPageViews: 'newDetailPageViews',
  newToBrandDetailPageViewsClicks: 'newDetailPageViews',
  newToBrandDetailPageViewClicks: 'newDetailPageViews',
  newToBrandDetailPageViewRate: ratio('newDetailPageViews', 'impressions'),
  newToBrandECPDetailPageView: costPer('newDetailPageViews'),
  brandedSearches: 'brandedSearches',
  brandedSearchesClicks: 'brandedSearches',
  brandedSearchRate: ratio('brandedSearches', 'impressions'),
  eCPBrandSearch: costPer('brandedSearches'),
  addToCart: 'addToCart',
  addToCartClicks: 'addToCart',
  addToCartRate: ratio('addToCart', 'impressions'),
  eCPAddToCart: costPer('addToCart'),
  video5SecondViews: 'fiveSecondViews',
  video5SecondViewRate: ratio('fiveSecondViews', 'impressions'),
  videoFirstQuartileViews: 'firstQuartileViews',
  videoMidpointViews: 'midpointViews',
  videoThirdQuartileViews: 'thirdQuartileViews',
  videoCompleteViews: 'completeViews',
  videoUnmutes: 'unmutes',
  purchases: 'orders',
  purchasesClicks: 'clickOrders',
  orders: 'orders',
  ordersClicks: 'clickOrders',
  unitsSold: 'units',
  unitsSoldClicks: 'clickUnits',
  sales: 'salesMicros',
  salesClicks: 'clickSalesMicros',
  purchasesSameSku: 'sameOrders',
  purchasesPromoted: 'sameOrders',
  purchasesPromotedClicks: 'clickSameOrders',
  unitsSoldSameSku: 'sameUnits',
  attributedSalesSameSku: 'sameSalesMicros',
  salesPromoted: 'sameSalesMicros',
  salesPromotedClicks: 'clickSameSalesMicros',
  purchasesOtherSku: less('orders', 'sameOrders'),
  conversionsBrandHalo: less('orders', 'sameOrders'),
  conversionsBrandHaloClicks: less('clickOrders', 'clickSameOrders'),
  unitsSoldOtherSku: less('units', 'sameUnits'),
  unitsSoldBrandHalo: less('units', 'sameUnits'),
  unitsSoldBrandHaloClicks: less('clickUnits', 'clickSameUnits'),
  salesOtherSku: less('salesMicros', 'sameSalesMicros'),
  salesBrandHalo: less('salesMicros', 'sameSalesMicros'),
  salesBrandHaloClicks: less('clickSalesMicros', 'clickSameSalesMicros'),
  newToBrandPurchases: 'newOrders',
  newToBrandPurchasesClicks: 'clickNewOrders',
  newToBrandPurchasesPercentage: ratio('newOrders', 'orders', 100),
  newToBrandPurchasesRate: ratio('newOrders', 'impressions'),
  newToBrandUnitsSold: 'newUnits',
  newToBrandUnitsSoldClicks: 'clickNewUnits',
  newToBrandUnitsSoldPercentage: ratio('newUnits', 'units', 100),
  newToBrandSales: 'newSalesMicros',
  newToBrandSalesClicks: 'clickNewSalesMicros',
  newToBrandSalesPercentage: ratio('newSalesMicros', 'salesMicros', 100),
  acosClicks: ratio('costMicros', 'salesMicros', 100),
  roasClicks: ratio('salesMicros', 'costMicros'),
}

// What the simulated marketplace lacks: budget rules, forecasts of value, and audiences with raised bids.
const absent = new Set([
  'campaignRuleBasedBudgetAmount',
  'campaignApplicableBudgetRuleId',
  'campaignApplicableBudgetRuleName',
  'longTermSales',
  'longTermROAS',
  'segmentName',
  'segmentClassCode',
])
// What never happens here: e-books that are read or borrowed, lists, and effects of a view without a click.
const never = /^(kindleEdition|addToList|qualifiedBorrows|royaltyQualifiedBorrows)|Views$|ViewViews$/

/** Reads a figure of sums by the name of its column; null when the column is none. */
function columnFigure(column: string): Figure | null {
  const [, name = column, days = '14'] = /^(\D+)(1|7|14|30)d$/.exec(column) ?? []
  const measure = measures[column] ?? measures[name]
  const window = `d${days}` as Window
  return measure === undefined ? null : typeof measure === 'function' ? measure(window) : figureOf(measure, window)
}

/** What a line is about, in the column of that name. */
export const dimensionOf = (line: Line, column: string): string => (ids[column] ?? texts[column])?.(line) ?? ''

/**
 * Writes a column's cells as JSON text: ids are numbers too long for a double, so they never pass through one. Throws on a
 * column that no report type has.
 */
export function cellOf(column: string): (row: ReportRow, context: ReportContext) => string {
  const [id, text, amount] = [ids[column], texts[column] ?? reportTexts[column], amounts[column]]
  if (id) return row => id(row) ?? 'null'
  if (text) return (row, context) => JSON.stringify(text(row, context) ?? null)
  if (amount) return row => String(fromMicros(amount(row)))
  const figure = columnFigure(column)
  if (figure) return row => String(figure(row))
  if (absent.has(column)) return () => 'null'
  if (never.test(column)) return () => '0'
  throw new Error(`no cell for ${column}`)
}
