import type { Micros } from '#shared/money.ts'

/** How the impact of a negative is estimated. */
export const savingConfig = {
  /** The settled days before a negative that say what its terms cost. */
  daysBefore: 30,
  /** Standard deviations to each side of a count, for 90 % confidence. */
  spread: 1.645,
  /** Gross profit of a sale before ads, in percent of it, where costs are missing. */
  assumedMargin: 30,
  /** The newest negatives are looked at; older ones say little of today. */
  mostNegatives: 500,
} as const

export interface SavingInput {
  /** What the matched terms did in the days before. */
  clicks: number
  orders: number
  costMicros: Micros
  daysBefore: number
  /** The days since, within the range. */
  daysActive: number
  /** Clicks a day of the campaign now for one then; null when it had none. */
  trafficIndex: number | null
  /** Gross profit of an order. */
  profitMicros: Micros
  /** The campaign's budget a day; null where it has none. */
  budgetMicros: Micros | null
}

export interface Saving {
  low: Micros
  middle: Micros
  high: Micros
  forgone: Micros
  isCapped: boolean
}

/**
 * What a negative saved or redirected: cost a day of its terms before × days since × traffic index, less the gross profit
 * of the orders that did not come, and no more than the campaign's budget. The range is that of the clicks and orders that
 * were counted: a few clicks, or one order more or less, are chance.
 */
export function savingOf(input: SavingInput): Saving {
  const { clicks, orders, costMicros, daysBefore, daysActive, trafficIndex, profitMicros, budgetMicros } = input
  const scale = daysBefore > 0 ? (daysActive / daysBefore) * (trafficIndex ?? 1) : 0
  const { spread } = savingConfig
  const cpc = clicks > 0 ? costMicros / clicks : 0
  const around = spread * Math.sqrt(clicks)
  const worth = (someClicks: number, someOrders: number): number =>
    scale * (someClicks * cpc - someOrders * profitMicros)
  // Without a click there was nothing to save, and nothing that chance could have hidden.
  const mostOrders = clicks > 0 ? orders + spread * Math.sqrt(orders + 1) : 0
  const cap = budgetMicros === null ? Infinity : budgetMicros * daysActive
  const middle = worth(clicks, orders)
  const high = worth(clicks + around, Math.max(0, orders - spread * Math.sqrt(orders)))
  return {
    low: held(worth(Math.max(0, clicks - around), mostOrders), cap),
    middle: held(middle, cap),
    high: held(high, cap),
    forgone: Math.round(scale * orders * profitMicros),
    isCapped: high > cap,
  }
}

const held = (value: number, cap: number): Micros => Math.round(Math.min(value, cap))
