import { fromMicros } from '#shared/money.ts'
import { moneyCell, ratioCell } from './cell-text.ts'
import type { Sums, Window, WindowSum } from './sums.ts'

type SumCell = (row: Sums) => string

const counted =
  (count: (row: Sums) => number): SumCell =>
  row =>
    String(count(row))
const shareOf =
  (top: (row: Sums) => number, bottom: (row: Sums) => number, factor = 1): SumCell =>
  row =>
    ratioCell(top(row), bottom(row), factor)
const costPer =
  (count: (row: Sums) => number): SumCell =>
  row =>
    ratioCell(fromMicros(row.costMicros), count(row))

// Nobody is reached twice more than about three times in ten.
const reachOf = (row: Sums): number => Math.ceil(row.viewableImpressions * 0.7)

const traffic: Record<string, SumCell> = {
  impressions: counted(row => row.impressions),
  clicks: counted(row => row.clicks),
  cost: row => moneyCell(row.costMicros),
  spend: row => moneyCell(row.costMicros),
  costPerClick: costPer(row => row.clicks),
  clickThroughRate: shareOf(
    row => row.clicks,
    row => row.impressions,
  ),
  // The traffic that counts is what is left of all of it; an invalid click was made on an invalid impression.
  grossImpressions: counted(row => row.impressions + row.invalidClicks),
  grossClickThroughs: counted(row => row.clicks + row.invalidClicks),
  invalidImpressions: counted(row => row.invalidClicks),
  invalidClickThroughs: counted(row => row.invalidClicks),
  invalidImpressionRate: shareOf(
    row => row.invalidClicks,
    row => row.impressions + row.invalidClicks,
  ),
  invalidClickThroughRate: shareOf(
    row => row.invalidClicks,
    row => row.clicks + row.invalidClicks,
  ),
  viewableImpressions: counted(row => row.viewableImpressions),
  impressionsViews: counted(row => row.viewableImpressions),
  viewabilityRate: shareOf(
    row => row.viewableImpressions,
    row => row.impressions,
  ),
  viewClickThroughRate: shareOf(
    row => row.clicks,
    row => row.viewableImpressions,
  ),
  cumulativeReach: counted(reachOf),
  impressionsFrequencyAverage: shareOf(row => row.impressions, reachOf),
}

const engagement: Record<string, SumCell> = {
  detailPageViews: counted(row => row.detailPageViews),
  detailPageViewsClicks: counted(row => row.detailPageViews),
  newToBrandDetailPageViews: counted(row => row.newDetailPageViews),
  newToBrandDetailPageViewsClicks: counted(row => row.newDetailPageViews),
  newToBrandDetailPageViewClicks: counted(row => row.newDetailPageViews),
  newToBrandDetailPageViewRate: shareOf(
    row => row.newDetailPageViews,
    row => row.impressions,
  ),
  newToBrandECPDetailPageView: costPer(row => row.newDetailPageViews),
  brandedSearches: counted(row => row.brandedSearches),
  brandedSearchesClicks: counted(row => row.brandedSearches),
  brandedSearchRate: shareOf(
    row => row.brandedSearches,
    row => row.impressions,
  ),
  eCPBrandSearch: costPer(row => row.brandedSearches),
  addToCart: counted(row => row.addToCart),
  addToCartClicks: counted(row => row.addToCart),
  addToCartRate: shareOf(
    row => row.addToCart,
    row => row.impressions,
  ),
  eCPAddToCart: costPer(row => row.addToCart),
  video5SecondViews: counted(row => row.fiveSecondViews),
  video5SecondViewRate: shareOf(
    row => row.fiveSecondViews,
    row => row.impressions,
  ),
  videoFirstQuartileViews: counted(row => row.firstQuartileViews),
  videoMidpointViews: counted(row => row.midpointViews),
  videoThirdQuartileViews: counted(row => row.thirdQuartileViews),
  videoCompleteViews: counted(row => row.completeViews),
  videoUnmutes: counted(row => row.unmutes),
}

/** Names without a window are of Sponsored Brands and Display, which count 14 days. */
const orders: Record<string, (sum: WindowSum, row: Sums) => string> = {
  purchases: sum => String(sum.orders),
  purchasesClicks: sum => String(sum.clickOrders),
  orders: sum => String(sum.orders),
  ordersClicks: sum => String(sum.clickOrders),
  unitsSold: sum => String(sum.units),
  unitsSoldClicks: sum => String(sum.clickUnits),
  sales: sum => moneyCell(sum.salesMicros),
  salesClicks: sum => moneyCell(sum.clickSalesMicros),
  purchasesSameSku: sum => String(sum.sameOrders),
  purchasesPromoted: sum => String(sum.sameOrders),
  purchasesPromotedClicks: sum => String(sum.clickSameOrders),
  unitsSoldSameSku: sum => String(sum.sameUnits),
  attributedSalesSameSku: sum => moneyCell(sum.sameSalesMicros),
  salesPromoted: sum => moneyCell(sum.sameSalesMicros),
  salesPromotedClicks: sum => moneyCell(sum.clickSameSalesMicros),
  purchasesOtherSku: sum => String(sum.orders - sum.sameOrders),
  conversionsBrandHalo: sum => String(sum.orders - sum.sameOrders),
  conversionsBrandHaloClicks: sum => String(sum.clickOrders - sum.clickSameOrders),
  unitsSoldOtherSku: sum => String(sum.units - sum.sameUnits),
  unitsSoldBrandHalo: sum => String(sum.units - sum.sameUnits),
  unitsSoldBrandHaloClicks: sum => String(sum.clickUnits - sum.clickSameUnits),
  salesOtherSku: sum => moneyCell(sum.salesMicros - sum.sameSalesMicros),
  salesBrandHalo: sum => moneyCell(sum.salesMicros - sum.sameSalesMicros),
  salesBrandHaloClicks: sum => moneyCell(sum.clickSalesMicros - sum.clickSameSalesMicros),
  newToBrandPurchases: sum => String(sum.newOrders),
  newToBrandPurchasesClicks: sum => String(sum.clickNewOrders),
  newToBrandPurchasesPercentage: sum => ratioCell(sum.newOrders, sum.orders, 100),
  newToBrandPurchasesRate: (sum, row) => ratioCell(sum.newOrders, row.impressions),
  newToBrandUnitsSold: sum => String(sum.newUnits),
  newToBrandUnitsSoldClicks: sum => String(sum.clickNewUnits),
  newToBrandUnitsSoldPercentage: sum => ratioCell(sum.newUnits, sum.units, 100),
  newToBrandSales: sum => moneyCell(sum.newSalesMicros),
  newToBrandSalesClicks: sum => moneyCell(sum.clickNewSalesMicros),
  newToBrandSalesPercentage: sum => ratioCell(sum.newSalesMicros, sum.salesMicros, 100),
  acosClicks: (sum, row) => ratioCell(row.costMicros, sum.salesMicros, 100),
  roasClicks: (sum, row) => ratioCell(sum.salesMicros, row.costMicros),
}

/** The cell of a column that is counted; null when the column is none. */
export const sumCellOf = (column: string): SumCell | null => {
  const plain = traffic[column] ?? engagement[column]
  if (plain) return plain
  const [, name = column, days = '14'] = /^(\D+)(1|7|14|30)d$/.exec(column) ?? []
  const ofOrders = orders[name]
  const window = `d${days}` as Window
  return ofOrders ? row => ofOrders(row.windows[window], row) : null
}
