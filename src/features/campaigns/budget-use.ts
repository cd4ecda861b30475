import { fromMicros, type Micros } from '#shared/money.ts'
import { addDays, dayIn, hourIn, startOfDayIn } from '#shared/time.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

interface Received {
  usage: readonly { at: Date; budgetMicros: Micros; usagePercent: number }[]
  hours: readonly { date: string; hour: number; impressions: number; costMicros: Micros }[]
  since: Date | null
  asOf: Date | null
}

/** One hour of a day; `cost` is null where nothing is known of it, and `outMinutes` says how long the budget was used up. */
export interface BudgetHour {
  hour: number
  cost: number | null
  outMinutes: number
}

export interface BudgetDay {
  date: string
  /** As the marketplace counted it on that day; null when it reported none. */
  budget: number | null
  spent: number | null
  hours: BudgetHour[]
  /** How long ads were not shown because the budget was used up; null when that is not known. */
  lostMinutes: number | null
  /** When it was last used up; null when it was not, or has been raised since. */
  outSince: string | null
  /** True when a part of the day was not received, so that its sums are at least what they say. */
  isPartial: boolean
}

/**
 * How a campaign used its budget on each of some days (in order, in the account's time zone). It is out of budget from the
 * report that all of it is used until a report of less, or the end of the day. A day may cost more than its budget, so the
 * time counts only from the end of the last hour in which ads were shown. `now` ends the current day.
 */
export function budgetDays(days: readonly string[], timezone: string, now: Date, received: Received): BudgetDay[] {
  return days.map(date => budgetDay(date, timezone, now, received))
}

function budgetDay(date: string, timezone: string, now: Date, { usage, hours, since, asOf }: Received): BudgetDay {
  const [start, midnight] = [startOfDayIn(date, timezone), startOfDayIn(addDays(date, 1), timezone)]
  const end = now < midnight ? now : midnight
  const ofDay = hours.filter(hour => hour.date === date)
  const isReceived = since !== null && since < end
  const reports = usage.filter(({ at }) => at > start && at <= end)
  const stretches = isReceived ? outStretches(reports, hoursShown(start, end, timezone, ofDay), end) : []
  const byHour = Array.from({ length: 24 }, (_, hour): BudgetHour => {
    const figures = ofDay.find(one => one.hour === hour)
    return { hour, cost: figures ? fromMicros(figures.costMicros) : null, outMinutes: 0 }
  })
  // Hours without figures cost nothing only where they were received.
  for (let at = start.getTime(); at < midnight.getTime(); at += HOUR_MS) {
    const hour = byHour[hourIn(new Date(at), timezone)]
    if (!hour) continue
    if (hour.cost === null && since && asOf && since.getTime() <= at && at + HOUR_MS <= asOf.getTime()) hour.cost = 0
    hour.outMinutes = Math.min(60, hour.outMinutes + minutesWithin(stretches, at, at + HOUR_MS))
  }
  const last = stretches.at(-1)
  return {
    date,
    budget: reports.length ? fromMicros(reports.at(-1)?.budgetMicros ?? 0) : null,
    spent: byHour.every(({ cost }) => cost === null) ? null : fromMicros(sumOf(ofDay)),
    hours: byHour,
    lostMinutes: isReceived ? minutesWithin(stretches, start.getTime(), end.getTime()) : null,
    outSince: last && last.to === end.getTime() ? new Date(last.from).toISOString() : null,
    isPartial: isReceived && since > start,
  }
}

const sumOf = (hours: Received['hours']): Micros => hours.reduce((sum, { costMicros }) => sum + costMicros, 0)

interface Stretch {
  from: number
  to: number
}

// The ends of the hours in which ads were shown.
function hoursShown(start: Date, end: Date, timezone: string, hours: Received['hours']): number[] {
  const shown = new Set(hours.filter(({ impressions }) => impressions > 0).map(({ hour }) => hour))
  const ends: number[] = []
  for (let at = start.getTime(); at < end.getTime(); at += HOUR_MS)
    if (shown.has(hourIn(new Date(at), timezone))) ends.push(at + HOUR_MS)
  return ends
}

function outStretches(reports: Received['usage'], shownUntil: readonly number[], end: Date): Stretch[] {
  const found: Stretch[] = []
  let from: number | null = null
  const close = (to: number): void => {
    if (from === null) return
    const begin = from
    // What was shown after the budget was raised again belongs to the time after.
    const later = shownUntil.filter(ended => ended > begin && ended <= to)
    const since = Math.max(begin, ...later)
    if (since < to) found.push({ from: since, to })
    from = null
  }
  for (const { at, usagePercent } of reports)
    if (usagePercent >= 100) from = from === null ? at.getTime() : from
    else close(at.getTime())
  close(end.getTime())
  return found
}

const minutesWithin = (stretches: readonly Stretch[], from: number, to: number): number =>
  Math.round(
    stretches.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0) / MINUTE_MS,
  )

interface Use {
  timezone: string
  asOf: string | null
  days: readonly Pick<BudgetDay, 'date' | 'budget' | 'spent' | 'outSince'>[]
}

/**
 * Whether a daily budget, as it is now, is used up, by what was reported today; null where nothing of today was. The budget may
 * have been changed since the report. A campaign's own status says it too, but may be a day old.
 */
export function isUsedUp({ timezone, asOf, days }: Use, budget: number): boolean | null {
  const today = days.at(-1)
  if (!today || today.budget === null || asOf === null || dayIn(new Date(asOf), timezone) !== today.date) return null
  return Math.max(today.spent ?? 0, today.outSince === null ? 0 : today.budget) >= budget
}

/** The days of which budget use is shown: today and the six before. */
export function budgetRange(now: Date, timezone: string): string[] {
  const today = dayIn(now, timezone)
  return Array.from({ length: 7 }, (_, i) => addDays(today, i - 6))
}
