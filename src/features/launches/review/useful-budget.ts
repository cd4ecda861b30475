import type { Micros } from '#shared/money.ts'

/** Fewer clicks a day than this teach nothing for weeks: at a conversion rate of 10 % an order needs about ten. */
export const LEAST_CLICKS_A_DAY = 5

/** How many clicks a daily budget buys at an expected price of a click, to one decimal; null without a price. */
export const clicksADay = (budgetMicros: Micros, cpcMicros: Micros): number | null =>
  cpcMicros > 0 ? Math.round((budgetMicros / cpcMicros) * 10) / 10 : null

interface PricedCampaign {
  dailyBudgetMicros: Micros
  /** What a click is expected to cost; 0 where nobody knows. */
  cpcMicros: Micros
}

/** True where a campaign buys fewer clicks a day than are of use. */
export const isThin = ({ dailyBudgetMicros, cpcMicros }: PricedCampaign): boolean =>
  dailyBudgetMicros < cpcMicros * LEAST_CLICKS_A_DAY

/** About what the total daily budget would have to be for every campaign to buy enough clicks, shared as it is now. */
export const usefulBudget = (campaigns: readonly PricedCampaign[]): number => {
  const total = campaigns.reduce((sum, c) => sum + c.dailyBudgetMicros, 0)
  return Math.max(...campaigns.map(c => (c.cpcMicros * LEAST_CLICKS_A_DAY * total) / c.dailyBudgetMicros))
}
