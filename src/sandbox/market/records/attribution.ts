import type { Dice } from '../random.ts'

/** One order that followed a click, and when the marketplace knew of it. Hours count from the click. */
export interface Conversion {
  /** Row of the ledger that holds the click. */
  row: number
  delayHours: number
  /** From when it stands in reports, and from when no longer (0: it stays). */
  knownAfter: number
  goneAfter: number
  units: number
  salesMicros: number
  sameSku: 0 | 1
  /** What was bought where that was not the advertised product. */
  other?: string
  /** The ad was seen and not clicked. */
  byView?: 1
}

/** Orders after 1, 7, 14 and 30 days: the windows of attribution, in hours. */
export const WINDOWS_HOURS = [24, 168, 336, 720] as const
// Conversions are restated 1, 7 and 28 days after they happened.
const RESTATED_DAYS = [1, 7, 28]

const delayOf = (dice: Dice): number => {
  const roll = dice()
  if (roll < 0.8) return Math.floor(dice() * dice() * 24)
  if (roll < 0.94) return 24 + Math.floor(dice() * 144)
  if (roll < 0.98) return 168 + Math.floor(dice() * 168)
  return 336 + Math.floor(dice() * 384)
}

/** When an order came, when it was first reported (within 24 h) and whether it was cancelled or found late. */
export const timesOfConversion = (dice: Dice): Pick<Conversion, 'delayHours' | 'knownAfter' | 'goneAfter'> => {
  const delayHours = delayOf(dice)
  const restated = (RESTATED_DAYS[Math.floor(dice() * 3)] ?? 1) * 24
  const roll = dice()
  const reported = delayHours + 1 + Math.floor(dice() * 23)
  if (roll < 0.03) return { delayHours, knownAfter: reported, goneAfter: Math.max(reported + 1, delayHours + restated) }
  if (roll < 0.05) return { delayHours, knownAfter: delayHours + restated, goneAfter: 0 }
  return { delayHours, knownAfter: reported, goneAfter: 0 }
}
