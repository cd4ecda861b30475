import { fromMicros } from '#shared/money.ts'
import { type Figures, ratiosOf } from '#shared/metrics.ts'
import type { FigureSums, Freshness } from '#features/metrics/server/public.ts'

/** Sums of the database in the words and units of the contract: decimals of the currency. */
export const figuresOf = (sums: FigureSums): Figures => ({
  impressions: sums.impressions,
  clicks: sums.clicks,
  cost: fromMicros(sums.costMicros),
  sales: fromMicros(sums.salesMicros),
  orders: sums.orders,
  units: sums.units,
})

/** The same with their ratios. */
export const withRatios = (figures: Figures) => ({ ...figures, ...ratiosOf(figures) })

/** How old the figures are, as the contract says it. */
export const freshnessOf = ({ asOf, movingFrom }: Freshness) => ({ asOf: asOf?.toISOString() ?? null, movingFrom })
