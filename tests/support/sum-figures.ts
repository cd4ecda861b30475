import { type Figures, fieldOf, fill, measuredMetrics, measuredNames, toFigures } from '#shared/metrics.ts'
import { toMicros } from '#shared/money.ts'

/** Adds up figures in decimals. */
export const sumFigures = (rows: readonly Figures[]): Figures =>
  fill(measuredNames, name => rows.reduce((total, row) => total + row[name], 0))

/** Figures in decimals with their ratios; those that are left out are 0. */
export function figuresWithRatios(figures: Partial<Figures>) {
  const sums = measuredNames.map(name => {
    const value = figures[name] ?? 0
    return [fieldOf(name), measuredMetrics[name].unit === 'money' ? toMicros(value) : value]
  })
  return toFigures(Object.fromEntries(sums) as Parameters<typeof toFigures>[0])
}
