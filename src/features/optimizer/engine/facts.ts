import type { AdLimits } from '#shared/ad-limits.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { Micros } from '#shared/money.ts'

// What the engine knows of a group of campaigns. Days are the profile's own, as `2026-11-02`; shares are fractions of 1; money is
// micros of the profile's currency.

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
  /** How often its ads were shown on all of these days; left out where it is not known. */
  impressions?: number
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
  /** The mean price; null while none is known. */
  priceMicros: Micros | null
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
