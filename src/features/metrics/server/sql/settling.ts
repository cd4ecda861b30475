import type { Db } from '#server/db/tables.ts'
import type { FigureSums } from '#shared/metrics.ts'

/** The range in which a figure of a day will end in nine of ten cases, in the units of `toFigures`. */
export interface Band {
  low: number
  high: number
}

/** How a day that may still change will end. ACOS is null where the day may end without sales. */
export interface DayBand {
  cost: Band
  sales: Band
  orders: Band
  acos: Band | null
}

export type DaySums = FigureSums & { date: string }

/**
 * The bands of those days of an account that have not settled, by day: what restated earlier days of the same age, applied
 * to these sums. The sums may be of the account or of a part of it. Days that have settled are missing, and all of them
 * while there is no history to learn from.
 */
export async function settlingBands(
  _tx: Db,
  _profile: { merchantId: number; profileId: number; timezone: string },
  _days: readonly DaySums[],
): Promise<Map<string, DayBand>> {
  return new Map()
}
