import { type Figures, fill, measuredNames } from '#shared/metrics.ts'

/** Adds up figures in decimals. */
export const sumFigures = (rows: readonly Figures[]): Figures =>
  fill(measuredNames, name => rows.reduce((total, row) => total + row[name], 0))
