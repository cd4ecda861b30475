import type { Micros } from '#shared/money.ts'

/** What ads of a product came to over settled days. */
export interface AdvertisedFigures {
  clicks: number
  orders: number
  salesMicros: Micros
}

// With fewer clicks or orders a rate is chance: at 100 clicks and 3 orders it may still be off by half.
const LEAST_CLICKS = 100
const LEAST_ORDERS = 3

/** Order value and conversion rate (a share of clicks) of a product; both null until there is enough to tell. */
export function ratesOf({ clicks, orders, salesMicros }: AdvertisedFigures): {
  orderValueMicros: Micros | null
  conversionRate: number | null
} {
  return clicks >= LEAST_CLICKS && orders >= LEAST_ORDERS
    ? { orderValueMicros: Math.round(salesMicros / orders), conversionRate: orders / clicks }
    : { orderValueMicros: null, conversionRate: null }
}
