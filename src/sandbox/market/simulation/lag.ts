import type { Random } from '../random.ts'
import type { Conversion } from '../records/ledger.ts'

// Conversions are restated 1, 7 and 28 days after they happened.
const RESTATED_DAYS = [1, 7, 28]
/** Share of orders that are cancelled later. */
export const CANCELLED = 0.03
/** Of those who buy after a click while a great day is near, so many wait for it. */
const WAITING = 0.4
const RUSH_HOURS = 24

/** Shares of orders later than a day, a week and a fortnight after the click, where buyers take their usual time. */
const LATER = [0.2, 0.06, 0.02] as const

/** Share of orders within a week of the click, for a listing whose buyers take so many times the usual time. */
export const withinWeek = (slowness: number): number => 1 - slowness * LATER[1]

function delayOf(slowness: number, random: Random): number {
  const roll = 1 - random()
  const [day, week, fortnight] = LATER
  if (roll > slowness * day) return Math.floor(random() * random() * 24)
  if (roll > slowness * week) return 24 + Math.floor(random() * 144)
  if (roll > slowness * fortnight) return 168 + Math.floor(random() * 168)
  return 336 + Math.floor(random() * 384)
}

interface Buyers {
  /** See `Listing`. */
  slowness: number
  /** Hours until a great day begins; null when none is near. */
  rushIn: number | null
}

/** When an order came, when it was first reported (within 24 h), and whether it was cancelled or found late. */
export function timesOfConversion(
  { slowness, rushIn }: Buyers,
  random: Random,
): Pick<Conversion, 'delayHours' | 'reportedAfter' | 'removedAfter'> {
  const waits = rushIn !== null && random() < WAITING
  const delayHours = waits ? rushIn + Math.floor(random() * RUSH_HOURS) : delayOf(slowness, random)
  const restated = delayHours + (RESTATED_DAYS[Math.floor(random() * 3)] ?? 1) * 24
  const roll = random()
  const reportedAfter = delayHours + 1 + Math.floor(random() * 23)
  if (roll < CANCELLED) return { delayHours, reportedAfter, removedAfter: Math.max(reportedAfter + 1, restated) }
  if (roll < 0.05) return { delayHours, reportedAfter: restated, removedAfter: 0 }
  return { delayHours, reportedAfter, removedAfter: 0 }
}
