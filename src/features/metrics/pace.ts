import type { Micros } from '#shared/money.ts'
import { addDays, hourIn, startOfDayIn } from '#shared/time.ts'

const HOUR_MS = 3_600_000
/** Days of its own hours that a campaign needs before its own curve counts. */
const LEAST_CURVE_DAYS = 7

/** How much of a day's spend falls on each hour, 0 to 23; any scale. */
export type HourlyCurve = readonly number[]

/** What a campaign (or an account) spent by hour in the last 28 days. */
export interface PastHour {
  hour: number
  costMicros: Micros
  /** On how many days it was still running by then: a day that ended without budget says nothing of its later hours. */
  days: number
}

/** A curve of past hours; null where there are too few days, so that the clock alone must do. */
export function curveOf(hours: readonly PastHour[]): HourlyCurve | null {
  const days = Math.max(0, ...hours.map(hour => hour.days))
  if (days < LEAST_CURVE_DAYS) return null
  const byHour = new Map(hours.map(one => [one.hour, one.days > 0 ? one.costMicros / one.days : 0]))
  const curve = Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? 0)
  return curve.some(share => share > 0) ? curve : null
}

interface DayOfPace {
  date: string
  timezone: string
  /** Up to when the spend is complete. */
  asOf: Date
  curve: HourlyCurve | null
}

export interface Pace {
  /** How much of the day's spend falls before `asOf`, 0 to 1. */
  share: number
  /** What the budget would have lasted for by now if it lasted all day. */
  expectedMicros: Micros
  /** What the day would cost at this pace with a budget without end; null before anything can be said. */
  projectedMicros: Micros | null
  /** When the budget will be used up at this pace; null when it lasts, or is used up already. */
  endsAt: Date | null
  /** How much of the day is left from then on, in minutes. */
  lostMinutesAhead: number
}

// The hours of a day with the moment of their begin: 23, 24 or 25 of them.
function slotsOf({ date, timezone, curve }: DayOfPace): { at: number; weight: number }[] {
  const [start, end] = [startOfDayIn(date, timezone).getTime(), startOfDayIn(addDays(date, 1), timezone).getTime()]
  return Array.from({ length: Math.round((end - start) / HOUR_MS) }, (_, i) => {
    const at = start + i * HOUR_MS
    return { at, weight: curve ? (curve[hourIn(new Date(at), timezone)] ?? 0) : 1 }
  })
}

/** How much of the day's spend falls before a moment, by the curve or else by the clock. */
export function shareBefore(day: DayOfPace, moment: Date): number {
  const slots = slotsOf(day)
  const total = slots.reduce((sum, { weight }) => sum + weight, 0)
  const before = slots.reduce((sum, { at, weight }) => {
    const part = Math.min(1, Math.max(0, (moment.getTime() - at) / HOUR_MS))
    return sum + part * weight
  }, 0)
  return total > 0 ? before / total : 0
}

/**
 * Where a day's budget stands and will end: expected spend is the budget's share for the hours so far, projected spend is
 * what the day costs at this pace. `outSince` is when the budget was used up: from then on there was no pace.
 */
export function paceOf(
  day: DayOfPace,
  { budgetMicros, spentMicros, outSince }: { budgetMicros: Micros; spentMicros: Micros; outSince: Date | null },
): Pace {
  const share = shareBefore(day, day.asOf)
  const shareSpent = outSince ? shareBefore(day, outSince) : share
  const projectedMicros = shareSpent > 0 ? Math.round(spentMicros / shareSpent) : null
  const endsAt =
    outSince || projectedMicros === null || projectedMicros <= budgetMicros
      ? null
      : momentOf(day, budgetMicros / projectedMicros)
  const end = startOfDayIn(addDays(day.date, 1), day.timezone).getTime()
  return {
    share,
    expectedMicros: Math.round(budgetMicros * share),
    projectedMicros,
    endsAt,
    lostMinutesAhead: endsAt ? Math.round((end - endsAt.getTime()) / 60_000) : 0,
  }
}

/** The moment by which a share of the day's spend has fallen. */
function momentOf(day: DayOfPace, share: number): Date {
  const slots = slotsOf(day)
  const total = slots.reduce((sum, { weight }) => sum + weight, 0)
  let left = share * total
  for (const { at, weight } of slots) {
    if (weight > 0 && left <= weight) return new Date(at + (left / weight) * HOUR_MS)
    left -= weight
  }
  return startOfDayIn(addDays(day.date, 1), day.timezone)
}

/** What a month will cost: what its days so far cost, and the mean of settled days for those that are left, today among them. */
export function projectMonth(
  today: string,
  days: readonly { date: string; costMicros: Micros }[],
  settledTo: string | null,
) {
  const first = `${today.slice(0, 7)}-01`
  const last = addDays(addDays(first, 31).slice(0, 7).concat('-01'), -1)
  const spentMicros = sumOf(days.filter(({ date }) => date >= first && date < today))
  const settled = settledTo === null ? [] : days.filter(({ date }) => date <= settledTo).slice(-7)
  const averageMicros = settled.length ? Math.round(sumOf(settled) / settled.length) : null
  const daysLeft = Number(last.slice(8)) - Number(today.slice(8)) + 1
  return {
    from: first,
    to: last,
    spentMicros,
    averageMicros,
    daysLeft,
    projectedMicros: averageMicros === null ? null : spentMicros + averageMicros * daysLeft,
  }
}

const sumOf = (days: readonly { costMicros: Micros }[]): Micros => days.reduce((sum, day) => sum + day.costMicros, 0)
