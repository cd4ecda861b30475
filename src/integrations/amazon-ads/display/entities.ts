import type { Micros } from '#shared/money.ts'
import type { EntityState } from '../structure/entities.ts'

// Sponsored Display in our words: ids as text, amounts in micro-units, days yyyy-MM-dd.

interface Observed {
  /** Null unless asked for. */
  servingStatus: string | null
  createdAt: Date | null
  updatedAt: Date | null
}

export interface DisplayCampaign extends Observed {
  campaignId: string
  name: string
  state: EntityState
  /** T00020 targets products and categories, T00030 audiences. */
  tactic: string
  /** CPC pays clicks, VCPM a thousand viewable impressions. */
  costType: 'CPC' | 'VCPM'
  dailyBudgetMicros: Micros
  startDate: string
  endDate: string | null
  portfolioId: string | null
}
export interface DisplayCampaignChange {
  campaignId: string
  name?: string | undefined
  state?: EntityState | undefined
  dailyBudgetMicros?: Micros | undefined
  /** Null removes the end. */
  endDate?: string | null | undefined
}

export interface DisplayAdGroup extends Observed {
  adGroupId: string
  campaignId: string
  name: string
  state: EntityState
  defaultBidMicros: Micros
  bidOptimization: 'REACH' | 'CLICKS' | 'CONVERSIONS'
}
export interface DisplayAdGroupChange {
  adGroupId: string
  name?: string | undefined
  state?: EntityState | undefined
  defaultBidMicros?: Micros | undefined
}

export interface DisplayAd extends Observed {
  adId: string
  adGroupId: string
  campaignId: string
  asin: string | null
  sku: string | null
  name: string | null
  state: EntityState
}
export interface DisplayAdChange {
  adId: string
  state: EntityState
}

/** A condition, or a named audience with conditions of its own inside: views of similarProduct within lookback 30. */
export interface DisplayPredicate {
  type: string
  value: string | DisplayPredicate[] | null
}

export interface DisplayTarget extends Observed {
  targetId: string
  adGroupId: string
  campaignId: string
  expression: DisplayPredicate[]
  /** The same with names in place of ids, for people. */
  resolvedExpression: DisplayPredicate[]
  state: EntityState
  /** Null: the ad group's default bid holds. */
  bidMicros: Micros | null
}
export interface DisplayTargetChange {
  targetId: string
  state?: EntityState | undefined
  bidMicros?: Micros | undefined
}

/** The specification gives negative targets no campaign, nor names in place of ids. */
export type DisplayNegativeTarget = Omit<DisplayTarget, 'bidMicros' | 'campaignId'>
export interface DisplayNegativeTargetChange {
  targetId: string
  state: EntityState
}
