/** From which counts on Home draws conclusions. Each is shown next to what was concluded. */
export const thresholds = {
  /** Clicks that each of two periods needs before the price of a click says anything. */
  leastClicks: 30,
  /** Orders that each of two periods needs before the value of an order says anything. */
  leastOrders: 10,
  /** How far conversion must have moved, in standard errors: further comes by chance once in ten times. */
  leastDeviation: 1.645,
  /** A change of ACOS, spend or sales by less is no change, in percent of what it was. */
  leastChangePercent: 2,
  /** A campaign is near its budget from this share of it on, in percent. */
  nearBudgetPercent: 80,
} as const
