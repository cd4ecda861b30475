import type { Micros } from '#shared/money.ts'
import type { AutoGroup, Bidding, BiddingStrategy, MatchType } from '../entities/conversions.ts'

/** What to recommend for: products not yet advertised, or an ad group that exists. */
export type AdviceSubject = { asins: readonly string[] } | { campaignId: string; adGroupId: string }

export interface KeywordQuestion {
  subject: AdviceSubject
  /** The profile's currency: these bids alone come in its smallest unit. */
  currency: string
  /** At most 200, which is the default. */
  max?: number
  sort?: 'CLICKS' | 'CONVERSIONS' | 'DEFAULT'
  locale?: string
  strategy?: BiddingStrategy
}

/** One keyword in one match type. */
export interface KeywordAdvice {
  keyword: string
  matchType: MatchType
  /** Null where the marketplace suggests no bid. */
  bidMicros: Micros | null
  lowMicros: Micros | null
  highMicros: Micros | null
  rank: number | null
  recommendationId: string | null
  translation: string | null
  impressionRank: number | null
  /** Percent of the impressions of this search term that went to the products. */
  impressionShare: number | null
}

export interface CategoryAdvice {
  categoryId: string
  name: string
  path: string | null
  parentId: string | null
  minProducts: number | null
  maxProducts: number | null
}

export interface ProductAdvice {
  asin: string
  themes: string[]
}

export interface ProductTheme {
  theme: string
  description: string | null
  asins: string[]
}

/** What a bid is asked for. */
export type BidSubject =
  | { type: 'KEYWORD'; matchType: MatchType; text: string }
  | { type: 'AUTO'; group: AutoGroup }
  | { type: 'PRODUCT'; asin: string }
  | { type: 'CATEGORY'; categoryId: string }

export interface BidQuestion {
  subject: AdviceSubject
  /** Needed for products not yet advertised. */
  bidding?: Pick<Bidding, 'strategy' | 'placements'>
  bids: readonly BidSubject[]
}

export interface BidAdvice {
  /** Which season the figures are for; CONVERSION_OPPORTUNITIES is the everyday one. */
  theme: string
  subject: BidSubject
  lowMicros: Micros
  medianMicros: Micros
  highMicros: Micros
}

export interface Eligibility {
  asin: string | null
  sku: string | null
  status: 'ELIGIBLE' | 'ELIGIBLE_WITH_WARNING' | 'INELIGIBLE'
  reasons: { name: string; severity: string | null; message: string | null; helpUrl: string | null }[]
}

export interface ProductFacts {
  asin: string
  sku: string | null
  title: string | null
  brand: string | null
  category: string | null
  imageUrl: string | null
  bestSellerRank: number | null
  priceMicros: Micros | null
  currency: string | null
  availability: string | null
  eligibilityStatus: Eligibility['status'] | null
  ineligibilityReasons: string[]
}

export interface BudgetUsage {
  /** The campaign's, or the portfolio's. */
  id: string
  budgetMicros: Micros
  /** May pass 100: a day may spend up to twice its budget. */
  usagePercent: number
  updatedAt: Date | null
}
