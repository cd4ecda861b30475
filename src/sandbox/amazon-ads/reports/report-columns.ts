import { fromMicros } from '#shared/money.ts'
import type { Books } from '../../core/model.ts'
import { placementNames } from '../placement-names.ts'
import { keywordTypeOf, type ReportFact, targetingText, type Window, type WindowSum } from './report-line.ts'

/** One row before it is written: the fact its names come from, and its sums. */
export interface ReportRow {
  sample: ReportFact
  date: string
  startDate: string
  endDate: string
  impressions: number
  clicks: number
  costMicros: number
  windows: Record<Window, WindowSum>
  /** Only in reports of purchased products. */
  purchasedAsin: string | null
}

/** A cell as JSON text: ids are numbers too long for a double, so they never pass through one. */
type Cell = (row: ReportRow, books: Books, currency: string) => string

const text = (value: string | null | undefined): string => JSON.stringify(value ?? null)
const id = (value: string | null | undefined): string => value ?? 'null'
const money = (micros: number): string => JSON.stringify(fromMicros(micros))
const ratio = (top: number, bottom: number, factor = 1): string =>
  bottom === 0 ? 'null' : JSON.stringify(Math.round((top / bottom) * factor * 10_000) / 10_000)

const dimensions: Record<string, Cell> = {
  date: row => text(row.date),
  startDate: row => text(row.startDate),
  endDate: row => text(row.endDate),
  campaignId: row => id(row.sample.fact.campaignId),
  campaignName: row => text(row.sample.campaign?.name),
  campaignStatus: row => text(row.sample.campaign?.state),
  campaignBudgetAmount: row => money(row.sample.campaign?.budgetMicros ?? 0),
  campaignBudgetType: () => text('DAILY_BUDGET'),
  campaignBudgetCurrencyCode: (_row, _books, currency) => text(currency),
  campaignBiddingStrategy: row => text(row.sample.campaign?.strategy),
  portfolioId: row => id(row.sample.campaign?.portfolioId),
  adGroupId: row => id(row.sample.fact.adGroupId),
  adGroupName: (row, books) => text(books.adGroups.get(row.sample.fact.adGroupId)?.name),
  adStatus: (row, books) => text(books.adGroups.get(row.sample.fact.adGroupId)?.state),
  adId: row => id(row.sample.fact.adId),
  keywordId: row => id(row.sample.fact.targetId),
  keyword: (row, books) => text(targetingText(books, row.sample.clause)),
  targeting: (row, books) => text(targetingText(books, row.sample.clause)),
  keywordType: row => text(keywordTypeOf(row.sample.clause)),
  matchType: row => text(keywordTypeOf(row.sample.clause)),
  adKeywordStatus: row => text(row.sample.clause?.state),
  keywordBid: (row, books) =>
    money(row.sample.clause?.bidMicros ?? books.adGroups.get(row.sample.fact.adGroupId)?.defaultBidMicros ?? 0),
  searchTerm: row => text(row.sample.fact.searchTerm || '*'),
  advertisedAsin: row => text(row.sample.fact.asin),
  advertisedSku: (row, books) => text(books.productAds.get(row.sample.fact.adId)?.sku),
  purchasedAsin: row => text(row.purchasedAsin),
  placementClassification: row => text(placementNames[row.sample.fact.placement]),
}

const sums: Record<string, Cell> = {
  impressions: row => String(row.impressions),
  clicks: row => String(row.clicks),
  cost: row => money(row.costMicros),
  spend: row => money(row.costMicros),
  costPerClick: row => ratio(fromMicros(row.costMicros), row.clicks),
  clickThroughRate: row => ratio(row.clicks, row.impressions),
}

const perWindow: Record<string, (sum: WindowSum) => string> = {
  purchases: sum => String(sum.orders),
  unitsSoldClicks: sum => String(sum.units),
  sales: sum => money(sum.salesMicros),
  purchasesSameSku: sum => String(sum.sameOrders),
  unitsSoldSameSku: sum => String(sum.sameUnits),
  attributedSalesSameSku: sum => money(sum.sameSalesMicros),
  purchasesOtherSku: sum => String(sum.orders - sum.sameOrders),
  unitsSoldOtherSku: sum => String(sum.units - sum.sameUnits),
  salesOtherSku: sum => money(sum.salesMicros - sum.sameSalesMicros),
}

const overCost: Record<string, (sum: WindowSum, costMicros: number) => string> = {
  acosClicks: (sum, costMicros) => ratio(costMicros, sum.salesMicros, 100),
  roasClicks: (sum, costMicros) => ratio(sum.salesMicros, costMicros),
}

// What the simulated marketplace does not have: lists, books that are read, budget rules, shares of the top of search.
const nothing = new Set([
  'topOfSearchImpressionShare',
  'campaignRuleBasedBudgetAmount',
  'campaignApplicableBudgetRuleId',
  'campaignApplicableBudgetRuleName',
])

/** Writes a column's cells. Every column of the report types has one. */
export const cellOf = (column: string): Cell => {
  const plain = dimensions[column] ?? sums[column]
  if (plain) return plain
  const [, name = '', days = ''] = /^(\D+)(\d+)d$/.exec(column) ?? []
  const window = `d${days}` as Window
  const counted = perWindow[name]
  if (counted) return row => counted(row.windows[window])
  const compared = overCost[name]
  if (compared) return row => compared(row.windows[window], row.costMicros)
  return nothing.has(column) ? () => 'null' : () => '0'
}
