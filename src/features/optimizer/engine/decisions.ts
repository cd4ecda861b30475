import type { Micros } from '#shared/money.ts'
import type { CampaignFacts, Fit, HourBlock, MarketplaceRule } from './facts.ts'

// What the engine answers: changes, each with what it was made from and what it is expected to bring.

export const causes = [
  'WORTH_LESS',
  'WORTH_MORE',
  'THIN',
  'ABOVE_HIGHEST_BID',
  'ABOVE_WORTH',
  'MONEY_SHORT',
  'STOCK_LOW',
  'STOCK_GONE',
  'STEERED',
  'BUDGET_SPLIT',
  'BUDGET_WORTH_MORE',
  'TERM_WASTES',
  'TERM_SELLS',
  'TOP_CONVERTS',
  'SPEND_BROKE_OUT',
  'REPORTS_OLD',
  'CONVERSION_BROKE_DOWN',
  'ALL_ONE_WAY',
  'NOTHING_TO_DO',
  'LAUNCH_ENDED',
  'HOURS_DIFFER',
  'MARKETPLACE_RULE',
  'PAID_BY_VIEWS',
  'REFITTED',
] as const
export type Cause = (typeof causes)[number]

/** What a decision was made from. `band` is where the worth in orders of a click lies in 80 of 100 cases. */
export interface Evidence {
  clicks?: number
  orders?: number
  costMicros?: Micros
  salesMicros?: Micros
  /** Clicks as far as their orders are reported. */
  effectiveClicks?: number
  rate?: number
  band?: readonly [low: number, high: number]
  parentRate?: number
  worthMicros?: Micros
  orderMicros?: Micros
  margin?: number | null
  multiplier?: number
  moneyFactor?: number
  worstClickMicros?: Micros
  cap?: 'HIGHEST_BID' | 'WORTH' | 'SUGGESTED' | 'STEP' | 'STOCK' | 'LEAST_BID' | null
  forecastAcos?: number | null
  targetAcos?: number
  certainty?: number
  coverDays?: number | null
  brokeOn?: string | null
  /** What a row follows from besides: with it `rederive` works the row out again. */
  basis?: Basis
  /** Of the row that says that nothing changed: how many targets stayed for which reason. */
  stayed?: Stayed
  /** Which rules of the marketplace move the values that are left alone. */
  rules?: readonly MarketplaceRule[]
}

/** By kind of decision: what was read besides the figures of the evidence, exactly as it was used. */
export interface Basis {
  bid?: {
    currency: string
    priorClicks: number
    /** How sure the rate is: it is gamma distributed with this shape. */
    shape: number
    topRaise: number
    highestBidMicros: Micros | null
    /** What a click earns, where it is never bid above; else null. */
    profitMicros: Micros | null
    suggestedHighMicros: Micros | null
    minBidMicros: Micros
    maxBidMicros: Micros
    isExact: boolean
    mayRaise: boolean
    /** A bid stays where the wanted one is so little below or above it, as logarithms. */
    deadBand: { down: number; up: number }
  }
  budget?: {
    currency: string
    wantedMicros: Micros
    /** What the total pays for over what is wanted, the part cut to fit, and the part of a raise that is free already. */
    fundedShare: number
    raiseShare: number
    cutShare: number
    leastMicros: Micros
    mostMicros: Micros
  }
  placement?: { topClicks: number; topOrders: number; otherClicks: number; otherOrders: number }
  term?: { text: string; effectiveOrders: number; sourceRate: number }
  harvest?: {
    text: string
    currency: string
    shape: number
    believedClicks: number
    pendingOrders: number
    highestBidMicros: Micros | null
    profitMicros: Micros | null
    minBidMicros: Micros
    maxBidMicros: Micros
  }
  launch?: { budgetMicros: Micros; until: string; hasCosts: boolean }
  /** Of a block of hours: what its clicks are worth against those of all, with the band of 90 of 100 cases. */
  hours?: { block: HourBlock; orderMicros: Micros; factor: number; low: number; high: number; from: string }
  /** By how much the forecast ACOS was off, and the fits before and after. */
  refit?: { before: Fit; after: Fit; bias: number }
  leftAlone?: { costType: CampaignFacts['costType'] }
  halt?: {
    expectedOrders?: number
    meanMicros?: Micros
    deviationMicros?: Micros
    earlierAcos?: number
    reportedAt?: string | null
    at?: string
  }
  /** The bid from before the raise that is reverted. */
  revert?: { beforeMicros: Micros }
}

/** Targets by why their bids stay. */
export interface Stayed {
  targets: number
  /** Their bid is right already, within the smallest change. */
  right: number
  /** Changed a few days ago. */
  resting: number
  /** Too few clicks to judge them by their own. */
  thin: number
  /** Held by a cap: they could sell more, but a click would cost more than it may. */
  capped: number
  /** The seller's: pinned, untouched or paused. */
  sellers: number
  /** Kept unchanged for comparison. */
  holdout: number
  /** Left alone because of a rule of the marketplace or of what is paid for. */
  leftAlone: number
}

/**
 * What is expected of a mean day with the change, by the same estimates. In 80 of 100 cases clicks and the price of a click of
 * the 14 days after it are both between `low` and `high`; and so are the orders, for themselves.
 */
export interface DayForecast {
  clicks: number
  costMicros: Micros
  orders: number
  acos: number | null
  low: DayBound
  high: DayBound
  /** How far each may be off besides chance, as a standard deviation of its logarithm. */
  doubt: { clicks: number; clickPrice: number; orders: number }
}
export interface DayBound {
  clicks: number
  clickMicros: Micros
  orders: number
}

export const kinds = ['bid', 'budget', 'negative', 'harvest', 'placement', 'hours', 'steer', 'breaker', 'none'] as const
export type Kind = (typeof kinds)[number]

/** One change, or the reason why there is none. `groupId` joins what is done and undone together. */
export interface Decision {
  kind: Kind
  groupId: string
  entity: 'target' | 'campaign' | 'adGroup' | 'group'
  entityId: string
  /** What changes: micros of a bid or budget, a fraction of a raise, the text of a negative or of a new target. */
  before: number | string | null
  after: number | string | null
  cause: Cause
  /** It waits for the seller's yes, whatever the settings say. */
  asks: boolean
  evidence: Evidence
  forecast: DayForecast | null
}
