/** What the marketplace counts. Money in the same unit as the caller's (micros in the database, decimals on the wire). */
export interface Figures {
  impressions: number
  clicks: number
  cost: number
  sales: number
  orders: number
  units: number
}

/** Ratios, null where the divisor is 0. ctr, cvr and acos are percentages, cpc is money, roas a plain number. */
export interface Ratios {
  ctr: number | null
  cpc: number | null
  cvr: number | null
  acos: number | null
  roas: number | null
}

const over = (a: number, b: number, factor = 1): number | null => (b === 0 ? null : (a / b) * factor)

/**
 * Ratios of summed figures, never means of ratios. CTR = clicks / impressions, CPC = cost / clicks,
 * CVR = orders / clicks, ACOS = cost / attributed sales, ROAS = sales / cost.
 */
export const ratiosOf = (f: Figures): Ratios => ({
  ctr: over(f.clicks, f.impressions, 100),
  cpc: over(f.cost, f.clicks),
  cvr: over(f.orders, f.clicks, 100),
  acos: over(f.cost, f.sales, 100),
  roas: over(f.sales, f.cost),
})

/** Nothing happened: every figure is zero. */
export const noFigures: Readonly<Figures> = { impressions: 0, clicks: 0, cost: 0, sales: 0, orders: 0, units: 0 }

/** Sums figures of one currency. */
export const sumFigures = (rows: readonly Figures[]): Figures =>
  rows.reduce<Figures>(
    (a, b) => ({
      impressions: a.impressions + b.impressions,
      clicks: a.clicks + b.clicks,
      cost: a.cost + b.cost,
      sales: a.sales + b.sales,
      orders: a.orders + b.orders,
      units: a.units + b.units,
    }),
    { ...noFigures },
  )
