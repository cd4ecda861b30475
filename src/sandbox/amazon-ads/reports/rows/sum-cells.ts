import { fromMicros } from '#shared/money.ts'
import type { Sums, Window, WindowSum } from './sums.ts'

/** Cells are JSON text: ids are numbers too long for a double, so they never pass through one. */
export const textCell = (value: string | null | undefined): string => JSON.stringify(value ?? null)
export const idCell = (value: string | null | undefined): string => value ?? 'null'
export const moneyCell = (micros: number): string => String(fromMicros(micros))
/** Rounded to four decimals; null where there is nothing to divide by. */
const ratioCell = (top: number, bottom: number, factor = 1): string =>
  bottom === 0 ? 'null' : String(Math.round((top / bottom) * factor * 10_000) / 10_000)

type SumCell = (row: Sums) => string

/** A count by its name, or worked out of several. */
type Count = Exclude<keyof Sums, 'windows'> | ((row: Sums) => number)
const read = (row: Sums, count: Count): number => (typeof count === 'function' ? count(row) : row[count])

function counted(count: Count): SumCell {
  return row => String(read(row, count))
}
function shareOf(top: Count, bottom: Count): SumCell {
  return row => ratioCell(read(row, top), read(row, bottom), 1)
}
function costPer(count: Count): SumCell {
  return row => ratioCell(fromMicros(row.costMicros), read(row, count))
}

// Nobody is reached twice more than about three times in ten.
const reachOf = (row: Sums): number => Math.ceil(row.viewableImpressions * 0.7)

const traffic: Record<string, SumCell> = {
  impressions: counted('impressions'),
  clicks: counted('clicks'),
  cost: row => moneyCell(row.costMicros),
  spend: row => moneyCell(row.costMicros),
  costPerClick: costPer('clicks'),
  clickThroughRate: shareOf('clicks', 'impressions'),
  // The traffic that counts is what is left of all of it; an invalid click was made on an invalid impression.
  grossImpressions: counted(row => row.impressions + row.invalidClicks),
  grossClickThroughs: counted(row => row.clicks + row.invalidClicks),
  invalidImpressions: counted('invalidClicks'),
  invalidClickThroughs: counted('invalidClicks'),
  invalidImpressionRate: shareOf('invalidClicks', row => row.impressions + row.invalidClicks),
  invalidClickThroughRate: shareOf('invalidClicks', row => row.clicks + row.invalidClicks),
  topOfSearchImpressionShare: shareOf('wonAtTop', 'eligibleAtTop'),
  viewableImpressions: counted('viewableImpressions'),
  impressionsViews: counted('viewableImpressions'),
  viewabilityRate: shareOf('viewableImpressions', 'impressions'),
  viewClickThroughRate: shareOf('clicks', 'viewableImpressions'),
  cumulativeReach: counted(reachOf),
  impressionsFrequencyAverage: shareOf('impressions', reachOf),
}

const engagement: Record<string, SumCell> = {
  detailPageViews: counted('detailPageViews'),
  detailPageViewsClicks: counted('detailPageViews'),
  newToBrandDetailPageViews: counted('newDetailPageViews'),
  newToBrandDetailPageViewsClicks: counted('newDetailPageViews'),
  newToBrandDetailPageViewClicks: counted('newDetailPageViews'),
  newToBrandDetailPageViewRate: shareOf('newDetailPageViews', 'impressions'),
  newToBrandECPDetailPageView: costPer('newDetailPageViews'),
  brandedSearches: counted('brandedSearches'),
  brandedSearchesClicks: counted('brandedSearches'),
  brandedSearchRate: shareOf('brandedSearches', 'impressions'),
  eCPBrandSearch: costPer('brandedSearches'),
  addToCart: counted('addToCart'),
  addToCartClicks: counted('addToCart'),
  addToCartRate: shareOf('addToCart', 'impressions'),
  eCPAddToCart: costPer('addToCart'),
  video5SecondViews: counted('fiveSecondViews'),
  video5SecondViewRate: shareOf('fiveSecondViews', 'impressions'),
  videoFirstQuartileViews: counted('firstQuartileViews'),
  videoMidpointViews: counted('midpointViews'),
  videoThirdQuartileViews: counted('thirdQuartileViews'),
  videoCompleteViews: counted('completeViews'),
  videoUnmutes: counted('unmutes'),
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
export function sumCellOf(column: string): SumCell | null {
  const plain = traffic[column] ?? engagement[column]
  if (plain) return plain
  const [, name = column, days = '14'] = /^(\D+)(1|7|14|30)d$/.exec(column) ?? []
  const ofOrders = orders[name]
  const window = `d${days}` as Window
  return ofOrders ? row => ofOrders(row.windows[window], row) : null
}
