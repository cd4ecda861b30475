import type { Micros } from '#shared/money.ts'
import type { EntityState, MatchType, NegativeMatchType, Predicate, WritableState } from '../structure/entities.ts'

// Sponsored Brands in our words: ids as text, amounts in micro-units, days yyyy-MM-dd.

interface Observed {
  /** Null unless asked for. */
  servingStatus: string | null
  createdAt: Date | null
  updatedAt: Date | null
}

export interface BrandCampaign extends Observed {
  campaignId: string
  name: string
  state: EntityState
  budgetMicros: Micros
  budgetType: 'DAILY' | 'LIFETIME'
  /** CPC pays clicks, VCPM a thousand viewable impressions. */
  costType: 'CPC' | 'VCPM'
  goal: string | null
  brandEntityId: string | null
  /** True: the marketplace bids below top of search by itself, and `placements` count for nothing. */
  bidOptimization: boolean
  placements: { placement: string; percentage: number }[]
  startDate: string
  endDate: string | null
  portfolioId: string | null
  tags: Record<string, string>
}
export interface BrandCampaignChange {
  campaignId: string
  name?: string | undefined
  state?: WritableState | undefined
  budgetMicros?: Micros | undefined
  endDate?: string | null | undefined
}

export interface BrandAdGroup extends Observed {
  adGroupId: string
  campaignId: string
  name: string
  state: EntityState
}
export interface BrandAdGroupChange {
  adGroupId: string
  name?: string | undefined
  state?: WritableState | undefined
}

export interface BrandAd extends Observed {
  adId: string
  adGroupId: string
  campaignId: string
  name: string
  state: EntityState
  /** PRODUCT_COLLECTION, STORE_SPOTLIGHT, VIDEO, BRAND_VIDEO; null where it is missing. */
  format: string | null
  headline: string | null
  /** The products it shows. */
  asins: string[]
  landingPage: { type: string | null; url: string | null }
}
export interface BrandAdChange {
  adId: string
  name?: string | undefined
  state?: WritableState | undefined
}

interface Clause {
  adGroupId: string
  campaignId: string
  state: EntityState
}

/** A clause is changed together with the names of what it hangs under, which the calls demand. */
interface ClauseChange {
  adGroupId: string
  campaignId: string
  state?: EntityState | undefined
}

export interface BrandKeyword extends Clause {
  keywordId: string
  text: string
  matchType: MatchType
  bidMicros: Micros | null
}
export interface BrandKeywordChange extends ClauseChange {
  keywordId: string
  bidMicros?: Micros | undefined
}

export interface BrandNegativeKeyword extends Clause {
  keywordId: string
  text: string
  matchType: NegativeMatchType
}
export interface BrandNegativeKeywordChange extends ClauseChange {
  keywordId: string
}

export interface BrandTarget extends Clause {
  targetId: string
  /** Types in the same words as with Sponsored Products: ASIN_SAME_AS and so on. */
  expression: Predicate[]
  resolvedExpression: Predicate[]
  bidMicros: Micros | null
}
export interface BrandTargetChange extends ClauseChange {
  targetId: string
  bidMicros?: Micros | undefined
}

export type BrandNegativeTarget = Omit<BrandTarget, 'bidMicros'>
export interface BrandNegativeTargetChange extends ClauseChange {
  targetId: string
}

/** The campaigns must be named: a list of all of them is known to miss some keywords. */
export interface BrandClauseFilter {
  campaignIds: readonly string[]
  states?: readonly EntityState[]
}
