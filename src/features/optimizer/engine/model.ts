import type { AdLimits } from '#shared/ad-limits.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Micros } from '#shared/money.ts'

// What the engine knows and answers. Days are the profile's own, as `2026-11-02`; shares are fractions of 1; money is micros
// of the profile's currency.

/** Figures of one day as they are reported now. Orders and sales are those within the ad type's attribution window. */
export interface DayFigures {
  day: string
  clicks: number
  costMicros: Micros
  orders: number
  salesMicros: Micros
}

export const marketplaceRules = ['BIDDING', 'SCHEDULE', 'BUDGET'] as const
/** BIDDING: bids by a ROAS of the marketplace's. SCHEDULE: bids raised by the hour. BUDGET: budgets by date or results. */
export type MarketplaceRule = (typeof marketplaceRules)[number]

/** One keyword or target that has a bid of its own. */
export interface TargetFacts {
  id: string
  campaignId: string
  adGroupId: string
  familyId: string
  kind: 'keyword' | 'product' | 'category' | 'auto' | 'audience'
  matchType: 'EXACT' | 'PHRASE' | 'BROAD' | null
  /** The normalized words of a keyword, the ASIN of a product; empty for the others. */
  text: string
  bidMicros: Micros
  isEnabled: boolean
  /** The high end of the marketplace's suggestion; null without one. */
  suggestedHighMicros: Micros | null
  days: readonly DayFigures[]
}

/** What shoppers typed, or the product page they looked at, and the target that the ad was shown for. */
export interface TermFacts {
  /** Normalized; an ASIN in capitals. */
  text: string
  isAsin: boolean
  targetId: string
  campaignId: string
  adGroupId: string
  familyId: string
  /** Whether the source has it as a negative, or another target of the family takes exactly it. */
  isNegated: boolean
  isTargeted: boolean
  days: readonly DayFigures[]
}

export interface CampaignFacts {
  id: string
  /** Orders count for 7 days after a click on Sponsored Products of a seller, for 14 on the others. */
  adType: AdType
  /** What is paid for; a bid for a thousand views is not a bid for a click. */
  costType: 'CPC' | 'VCPM'
  /** The marketplace's own rules that are on: what they move is left alone. */
  rules: readonly MarketplaceRule[]
  budgetMicros: Micros
  /** Spent today so far: no budget goes below it. */
  spentTodayMicros: Micros
  /** What the marketplace may add to a bid: 1 where bids go up and down, else 0. */
  strategyRaise: 0 | 1
  /** The raise for the top of search, 0 to 9. */
  topRaise: number
  /** What bidding and schedule rules of the marketplace add at most, their sum; 0 without any. */
  ruleRaise: number
  limits: AdLimits
  days: readonly (DayFigures & { budgetMicros: Micros })[]
  /** The figures of the two places of a search; null where reports have none. */
  places: { top: readonly DayFigures[]; other: readonly DayFigures[] } | null
}

/** Products that sell alike: one product, or its variations. */
export interface FamilyFacts {
  id: string
  priceMicros: Micros
  /** What is left of the price after goods, fees and taxes; null while the costs are unknown. */
  margin: number | null
  /** Days until the stock is gone at the usual speed; null if unknown. */
  coverDays: number | null
  /** Searches with one of these words are never negated. */
  brandWords: readonly string[]
  /** The ad groups that take proven searches and product pages; null where there is none. */
  keywordHome: { campaignId: string; adGroupId: string } | null
  productHome: { campaignId: string; adGroupId: string } | null
}

/** All of one group of campaigns: what was taken over together. */
export interface Facts {
  currency: string
  /** When the newest report was read; null before the first. */
  reportedAt: string | null
  /** The share of the final orders that reports show 0, 1, 2 … days after the end of a day; beyond the last all of them. */
  shown: readonly number[]
  /** The same of ad types whose orders come otherwise; left out where `shown` holds for them too. */
  shownBy?: Partial<Record<AdType, readonly number[]>>
  /** All clicks and orders of the profile, by day: what its products convert at. */
  account: readonly DayFigures[]
  /** What a click of the category is usually worth in orders. */
  categoryRate: number
  families: readonly FamilyFacts[]
  campaigns: readonly CampaignFacts[]
  targets: readonly TargetFacts[]
  terms: readonly TermFacts[]
  /** Targets that keep their bids for now, so that the others can be compared with them (`proof/holdout.ts`). */
  holdout?: readonly string[]
  /** Figures by the hour of the week, where the stream has sent some; without the newest 72 hours. */
  hours?: HourFacts
  /** What was fitted to this account (`proof/refit.ts`) instead of the usual numbers. */
  fit?: Fit
}

/** The sums of the hours of the week on the profile's clock, over whole days. */
export interface HourFacts {
  days: number
  /** Weekday 1 for Monday, hour 0 to 23. */
  cells: readonly { weekday: number; hour: number; clicks: number; orders: number; salesMicros: Micros }[]
}

export const dayParts = ['WEEKDAY', 'WEEKEND'] as const
/** Four hours of Mondays to Fridays, or of Saturdays and Sundays. */
export interface HourBlock {
  dayPart: (typeof dayParts)[number]
  /** The first hour, and the one after the last. */
  from: number
  to: number
}

/** How fast days lose weight, and how many orders a target's prior is worth; null: by the method of moments each day. */
export interface Fit {
  halfLifeDays: number
  priorOrders: number | null
}

export const strategies = ['PROFIT', 'REACH', 'LAUNCH'] as const
export type Strategy = (typeof strategies)[number]

/** What the seller set when taking over. */
export interface Settings {
  /** The ceiling of the group's mean ACOS, above 0. */
  targetAcos: number
  strategy: Strategy
  highestBidMicros: Micros | null
  /** The most that the campaigns may spend on a day together. */
  budgetMicros: Micros
  /** Targets and searches that are never changed. */
  untouched: readonly string[]
  /** Of the strategy LAUNCH: its first and last day, and what it may cost in all. Then it ends by itself. */
  launch?: Launch | null
}

export interface Launch {
  from: string
  until: string
  budgetMicros: Micros
}

/** What the engine remembers of a group from one day to the next. Begins as `{}`. */
export interface Memory {
  /** What is bid for a unit of expected sales, and how far a short budget lowers it (at most 1). */
  multiplier?: number
  moneyFactor?: number
  steeredOn?: string
  budgetsOn?: string
  termsOn?: string
  placesOn?: string
  /** Why nothing may be raised, and until when. */
  frozenUntil?: string
  /** The forecast of the last decision, to see it rise. */
  forecastAcos?: number
  /** The day on which the launch ended by itself, whatever the settings still say. */
  launchEndedOn?: string
  /** By campaign: what was said to be left alone, so that it is said once. */
  leftAlone?: Readonly<Record<string, string>>
  /** When hours were last proposed. */
  hoursOn?: string
  /** By target: when its bid was changed, what it was before, and until when it belongs to the seller. */
  targets?: Readonly<Record<string, TargetMemory>>
}

export interface TargetMemory {
  changedOn?: string
  beforeMicros?: Micros
  pinnedUntil?: string
  /** The days of the last two weeks on which its bid changed, and what it was until then; the earliest first. */
  bids?: readonly (readonly [day: string, beforeMicros: Micros])[]
}

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
    topRaise: number
    highestBidMicros: Micros | null
    /** What a click earns, where it is never bid above; else null. */
    profitMicros: Micros | null
    suggestedHighMicros: Micros | null
    minBidMicros: Micros
    maxBidMicros: Micros
    isExact: boolean
    mayRaise: boolean
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
