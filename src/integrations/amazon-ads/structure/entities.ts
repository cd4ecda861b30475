import type * as rules from '#shared/campaign-rules.ts'
import type { Micros } from '#shared/money.ts'

/** Ids are the marketplace's, as strings; amounts are micro-units of the profile's currency; days are yyyy-MM-dd. */
export type EntityState = 'ENABLED' | 'PAUSED' | 'ARCHIVED'
export type WritableState = Exclude<EntityState, 'ARCHIVED'>
export type TargetingType = 'AUTO' | 'MANUAL'
export type BiddingStrategy = rules.BiddingStrategy<'SPONSORED_PRODUCTS'>
export type Placement = rules.Placement<'SPONSORED_PRODUCTS'>
export type MatchType = 'EXACT' | 'PHRASE' | 'BROAD'
export type NegativeMatchType = 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE' | 'NEGATIVE_BROAD'

export interface PlacementBid {
  placement: Placement
  /** 0 to 900 percent on top of the bid. */
  percentage: number
}

/** An audience that is bid on higher; kept whole so that an update does not lose what a person set in the console. */
export interface AudienceBid {
  percentage: number
  audiences: { audienceId: string; type: string | null }[]
}

/** Always sent whole: no document says whether the marketplace keeps a part that an update leaves out. */
export interface Bidding {
  /** OTHER is read only: a strategy that this product does not know. */
  strategy: BiddingStrategy | 'OTHER'
  placements: PlacementBid[]
  audiences: AudienceBid[]
}

interface Observed {
  /** The marketplace's own word on why something does or does not run; null unless asked for. */
  servingStatus: string | null
  createdAt: Date | null
  updatedAt: Date | null
}

export interface Campaign extends Observed {
  campaignId: string
  name: string
  state: EntityState
  targetingType: TargetingType
  dailyBudgetMicros: Micros
  bidding: Bidding
  startDate: string
  endDate: string | null
  portfolioId: string | null
  tags: Record<string, string>
}
export interface NewCampaign {
  name: string
  state: WritableState
  targetingType: TargetingType
  dailyBudgetMicros: Micros
  bidding: Bidding
  startDate?: string | undefined
  endDate?: string | undefined
  portfolioId?: string | undefined
  tags?: Record<string, string> | undefined
}
export interface CampaignChange {
  campaignId: string
  name?: string | undefined
  state?: WritableState | undefined
  dailyBudgetMicros?: Micros | undefined
  bidding?: Bidding | undefined
  startDate?: string | undefined
  /** Null removes the end. */
  endDate?: string | null | undefined
  portfolioId?: string | null | undefined
  tags?: Record<string, string> | undefined
}

export interface AdGroup extends Observed {
  adGroupId: string
  campaignId: string
  name: string
  state: EntityState
  defaultBidMicros: Micros
}
export interface NewAdGroup {
  campaignId: string
  name: string
  state: WritableState
  defaultBidMicros: Micros
}
export interface AdGroupChange {
  adGroupId: string
  name?: string | undefined
  state?: WritableState | undefined
  defaultBidMicros?: Micros | undefined
}

export interface ProductAd extends Observed {
  adId: string
  adGroupId: string
  campaignId: string
  asin: string | null
  sku: string | null
  state: EntityState
}
/** Sellers advertise a sku, vendors an asin. */
export interface NewProductAd {
  adGroupId: string
  campaignId: string
  sku?: string | undefined
  asin?: string | undefined
  state: WritableState
}
export interface ProductAdChange {
  adId: string
  state: WritableState
}

export interface Keyword extends Observed {
  keywordId: string
  adGroupId: string
  campaignId: string
  text: string
  matchType: MatchType
  state: EntityState
  /** Null: the ad group's default bid holds. */
  bidMicros: Micros | null
}
export interface NewKeyword {
  adGroupId: string
  campaignId: string
  text: string
  matchType: MatchType
  state: WritableState
  bidMicros?: Micros | undefined
}
export interface KeywordChange {
  keywordId: string
  state?: WritableState | undefined
  bidMicros?: Micros | undefined
}

/** A negative on an ad group, or on the whole campaign when `adGroupId` is null. */
export interface NegativeKeyword extends Observed {
  keywordId: string
  adGroupId: string | null
  campaignId: string
  text: string
  matchType: NegativeMatchType
  state: EntityState
}
export interface NewNegativeKeyword {
  adGroupId: string
  campaignId: string
  text: string
  matchType: Exclude<NegativeMatchType, 'NEGATIVE_BROAD'>
  state: WritableState
}
export type NewCampaignNegativeKeyword = Omit<NewNegativeKeyword, 'adGroupId'>
export interface NegativeKeywordChange {
  keywordId: string
  state: WritableState
}

/** One condition of a target, for instance ASIN_SAME_AS B0…; the four automatic groups are named as in the console. */
export interface Predicate {
  type: string
  value: string | null
}
export type AutoGroup = 'CLOSE_MATCH' | 'LOOSE_MATCH' | 'SUBSTITUTES' | 'COMPLEMENTS'

export interface Target extends Observed {
  targetId: string
  adGroupId: string
  campaignId: string
  expressionType: TargetingType
  expression: Predicate[]
  /** The same with names in place of ids, for people. */
  resolvedExpression: Predicate[]
  state: EntityState
  bidMicros: Micros | null
}
export interface NewTarget {
  adGroupId: string
  campaignId: string
  expression: Predicate[]
  state: WritableState
  bidMicros?: Micros | undefined
}
export interface TargetChange {
  targetId: string
  state?: WritableState | undefined
  bidMicros?: Micros | undefined
}

/** A product or brand never to be met: on an ad group, or on the whole campaign when `adGroupId` is null. */
export interface NegativeTarget extends Observed {
  targetId: string
  adGroupId: string | null
  campaignId: string
  expression: Predicate[]
  resolvedExpression: Predicate[]
  state: EntityState
}
export interface NewNegativeTarget {
  adGroupId: string
  campaignId: string
  expression: Predicate[]
  state: WritableState
}
export type NewCampaignNegativeTarget = Omit<NewNegativeTarget, 'adGroupId'>
export interface NegativeTargetChange {
  targetId: string
  state: WritableState
}
