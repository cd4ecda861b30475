import type { Store, Product, Profile } from '../../../core/model/store.ts'
import { placementNames } from '../../placement-names.ts'
import type { ReportRequest } from '../report-request.ts'
import { idCell, moneyCell, textCell } from './sum-cells.ts'
import type { ReportRow } from './report-rows.ts'

/** What a report is written from, besides its rows. */
export interface ReportContext {
  store: Store
  profile: Profile
  request: ReportRequest
  productOf: (asin: string) => Product | undefined
}

/** A cell as JSON text. */
export type Cell = (row: ReportRow, context: ReportContext) => string

const budgetTypeOf = ({ subject }: ReportRow): string =>
  subject.campaign.budgetType === 'DAILY' ? 'DAILY_BUDGET' : 'LIFETIME_BUDGET'

const bidOf = ({ subject: { clause, adGroup } }: ReportRow): number => clause?.bidMicros ?? adGroup?.bidMicros ?? 0

const keywordText: Cell = ({ subject }) => textCell(subject.clause?.text)
const keywordType: Cell = ({ subject }) => textCell(subject.clause?.type)
const targetText: Cell = ({ subject: { clause } }) => textCell(clause?.kind === 'target' ? clause.text : null)
const advertisedAsin: Cell = row => textCell(row.fact.asin)
const advertisedSku: Cell = row => textCell(row.subject.ad?.sku)
const purchasedAsin: Cell = row => textCell(row.purchased?.asin)
// Pages that an ad stood on are written in lower case by the market.
const matchedAsin: Cell = ({ fact: { searchTerm } }) =>
  textCell(/^b0[0-9a-z]{8}$/.test(searchTerm) ? searchTerm.toUpperCase() : null)

/** Who and what a row is about, by column. */
export const dimensionCells: Record<string, Cell> = {
  date: row => textCell(row.date),
  startDate: (_row, { request }) => textCell(request.startDate),
  endDate: (_row, { request }) => textCell(request.endDate),
  marketplaceId: (_row, { profile }) => textCell(profile.marketplaceId),
  campaignId: row => idCell(row.fact.campaignId),
  campaignName: row => textCell(row.subject.campaign.name),
  campaignStatus: row => textCell(row.subject.campaign.state),
  campaignBudgetAmount: row => moneyCell(row.subject.campaign.budgetMicros),
  campaignBudgetType: row => textCell(budgetTypeOf(row)),
  campaignBudgetCurrencyCode: (_row, { profile }) => textCell(profile.currency),
  campaignBiddingStrategy: row => textCell(row.subject.campaign.strategy),
  campaignPriceTypeCode: row => textCell(row.subject.campaign.costType),
  costType: row => textCell(row.subject.campaign.costType),
  portfolioId: row => idCell(row.subject.campaign.portfolioId),
  adGroupId: row => idCell(row.fact.adGroupId),
  adGroupName: row => textCell(row.subject.adGroup?.name),
  adStatus: row => textCell(row.subject.adGroup?.state),
  bidOptimization: row => textCell(row.subject.adGroup?.bidOptimization),
  adId: row => idCell(row.fact.adId),
  keywordId: row => idCell(row.fact.targetId),
  targetingId: row => idCell(row.fact.targetId),
  keyword: keywordText,
  keywordText,
  targeting: keywordText,
  targetingText: keywordText,
  targetingExpression: targetText,
  keywordType,
  matchType: keywordType,
  targetingType: keywordType,
  adKeywordStatus: row => textCell(row.subject.clause?.state),
  keywordBid: row => moneyCell(bidOf(row)),
  searchTerm: row => textCell(row.fact.searchTerm || '*'),
  matchedTargetAsin: matchedAsin,
  advertisedAsin,
  promotedAsin: advertisedAsin,
  advertisedSku,
  promotedSku: advertisedSku,
  purchasedAsin,
  asinBrandHalo: purchasedAsin,
  attributionType: row => textCell(row.purchased?.sameSku ? 'Promoted' : 'Brand Halo'),
  productName: (row, { productOf }) => textCell(productOf(row.purchased?.asin ?? '')?.title),
  productCategory: (row, { productOf }) => textCell(productOf(row.purchased?.asin ?? '')?.categoryName),
  placementClassification: row => textCell(placementNames[row.fact.placement]),
}
