import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'

/** The strategies that can be chosen; others are shown but cannot be set here. */
export const biddingStrategies = ['SALES_DOWN_ONLY', 'SALES_UP_AND_DOWN', 'MANUAL'] as const
export type ChosenStrategy = (typeof biddingStrategies)[number]

/** The placements that can be bid on higher, as the marketplace lists them. */
export const placements = ['TOP_OF_SEARCH', 'PRODUCT_PAGE', 'REST_OF_SEARCH', 'SITE_AMAZON_BUSINESS'] as const
export type Placement = (typeof placements)[number]
/** Percent on top of the bid, at most (marketplace's Sponsored Products specification). */
export const MAX_PLACEMENT_PERCENT = 900

/** Of ad groups (marketplace documentation, concepts/limits). */
export const MAX_AD_GROUP_NAME_LENGTH = 255

/** Sponsored Products campaigns of sellers (marketplace documentation, concepts/limits). */
export const MAX_NAME_LENGTH = 128

type Market = Pick<
  MarketplaceFacts,
  'currency' | 'minBidMicros' | 'maxBidMicros' | 'minDailyBudgetMicros' | 'maxDailyBudgetMicros'
>

const amountProblem = (
  what: string,
  amount: number,
  { low, high, currency }: { low: number; high: number; currency: string },
): string | null => {
  const micros = toMicros(amount)
  if (!hasUnitPrecision(micros, currency)) return `The ${what} has more decimals than ${currency} has`
  if (micros < low || micros > high)
    return `The ${what} must be between ${fromMicros(low)} and ${fromMicros(high)} ${currency}`
  return null
}

/** Why the marketplace would not take a daily budget; null when it would. */
export const budgetProblem = (budget: number, market: Market): string | null =>
  amountProblem('daily budget', budget, {
    low: market.minDailyBudgetMicros,
    high: market.maxDailyBudgetMicros,
    currency: market.currency,
  })

/** Why a campaign cannot end on a day; null when it can. Null as the day means that it has no end. */
export const endDateProblem = (endDate: string | null, startDate: string | null, today: string): string | null => {
  if (endDate === null) return null
  if (endDate < today) return 'The last day must not lie in the past'
  return startDate !== null && endDate < startDate ? 'The last day must not come before the first' : null
}

/** Why the marketplace would not take a bid; null when it would. A bid may not pass its campaign's daily budget. */
export const bidProblem = (bid: number, market: Market, budgetMicros: number | null): string | null => {
  const problem = amountProblem('bid', bid, {
    low: market.minBidMicros,
    high: market.maxBidMicros,
    currency: market.currency,
  })
  if (problem || budgetMicros === null || toMicros(bid) <= budgetMicros) return problem
  return `The bid must not be higher than the campaign’s daily budget of ${fromMicros(budgetMicros)} ${market.currency}`
}
