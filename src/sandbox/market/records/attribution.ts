import type { Random } from '../random.ts'

/** One order that followed a click, and when the marketplace reported it. Hours count from the click. */
export interface Conversion {
  /** Row of the ledger that holds the click. */
  row: number
  delayHours: number
  /** From when reports include it, and from when no longer (0: it stays). */
  reportedAfter: number
  removedAfter: number
  units: number
  salesMicros: number
  sameSku: 0 | 1
  /** The product bought, where that was not the advertised one. */
  other?: string
  /** The buyer saw the ad and did not click it. */
  byView?: 1
}

/** The attribution windows of 1, 7, 14 and 30 days, in hours. */
export const WINDOWS_HOURS = [24, 168, 336, 720] as const
// Conversions are restated 1, 7 and 28 days after they happened.
const RESTATED_DAYS = [1, 7, 28]

function delayOf(random: Random): number {
  const roll = random()
  if (roll < 0.8) return Math.floor(random() * random() * 24)
  if (roll < 0.94) return 24 + Math.floor(random() * 144)
  if (roll < 0.98) return 168 + Math.floor(random() * 168)
  return 336 + Math.floor(random() * 384)
}

/** When an order came, when it was first reported (within 24 h), and whether it was cancelled or found late. */
export function timesOfConversion(random: Random): Pick<Conversion, 'delayHours' | 'reportedAfter' | 'removedAfter'> {
  const delayHours = delayOf(random)
  const restated = delayHours + (RESTATED_DAYS[Math.floor(random() * 3)] ?? 1) * 24
  const roll = random()
  const reportedAfter = delayHours + 1 + Math.floor(random() * 23)
  if (roll < 0.03) return { delayHours, reportedAfter, removedAfter: Math.max(reportedAfter + 1, restated) }
  if (roll < 0.05) return { delayHours, reportedAfter: restated, removedAfter: 0 }
  return { delayHours, reportedAfter, removedAfter: 0 }
}
