import type { FigureSums, Freshness } from '#features/metrics/server/public.ts'
import { type Figures, ratiosOf } from '#shared/metrics.ts'
import { fromMicros } from '#shared/money.ts'

/** Sums of the database in the words of the rules; money stays in micros. */
export const figuresOf = ({ costMicros, salesMicros, ...counts }: FigureSums): Figures => ({
  impressions: counts.impressions,
  clicks: counts.clicks,
  cost: costMicros,
  sales: salesMicros,
  orders: counts.orders,
  units: counts.units,
})

/** Figures with their ratios, money as decimals of the currency. */
export const withRatios = (micros: Figures) => {
  const figures = { ...micros, cost: fromMicros(micros.cost), sales: fromMicros(micros.sales) }
  return { ...figures, ...ratiosOf(figures) }
}

/** How old the figures are, as the contract says it. */
export const freshnessOf = ({ asOf, movingFrom }: Freshness) => ({ asOf: asOf?.toISOString() ?? null, movingFrom })
