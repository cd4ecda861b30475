import { tzOffset } from '@date-fns/tz'
import { addDays, daysBetween, daysOf, hourIn, startOfDayIn } from '#shared/time.ts'

const HOUR_MS = 3_600_000
export const HOURS_OF_WEEK = 168

/** An hour of a day that happened. */
interface RealHour {
  /** Its number on the marketplace's clock: on the day with 25 hours one number comes twice, on that with 23 one is missing. */
  hour: number
  /** Its place on the shown clock, in hours from the start of the marketplace's day; below 0 is the day before. */
  place: number
}

/** Days on end whose hours fall on the same places of the shown clock. */
export interface Stretch {
  from: string
  to: string
  hours: readonly RealHour[]
}

export interface ShownHours {
  /** The days of the marketplace, both included. */
  from: string
  to: string
  timezone: string
  /** The time zone of the clock on which the hours are shown. */
  shown: string
  /** Only whole hours between these two moments count. */
  since: Date
  until: Date
}

// No zone changes its clock twice within so many days.
const RUN_DAYS = 14

/** The hours of these days that count, as few stretches as there are changes of a clock and days that count in part. */
export function stretchesOf({ from, to, timezone, shown, since, until }: ShownHours): Stretch[] {
  const stretches: Stretch[] = []
  const add = (first: string, last: string, hours: readonly RealHour[]): void => {
    const before = stretches.at(-1)
    if (before && isSame(before.hours, hours)) before.to = last
    else stretches.push({ from: first, to: last, hours })
  }
  const startOf = (day: string): number => startOfDayIn(day, timezone).getTime()
  let day = from
  let start = startOf(from)
  while (day <= to) {
    const runEnd = addDays(day, RUN_DAYS)
    const end = addDays(day, 1)
    const isRun = runEnd <= addDays(to, 1) && isPlain(start, startOf(runEnd), RUN_DAYS * 24, timezone, shown)
    const next = isRun ? runEnd : end
    const nextStart = startOf(next)
    const isWhole = start >= since.getTime() && nextStart <= until.getTime()
    const hours = hoursOfDay(day, start, isRun ? start + 24 * HOUR_MS : nextStart, timezone, shown)
    if (isRun && !isWhole) {
      // One of its days counts in part.
      for (const one of daysOf(day, addDays(next, -1))) {
        const shift = daysBetween(day, one) * 24 * HOUR_MS
        add(one, one, counting(hours, shift, since, until))
      }
    } else add(day, addDays(next, -1), isWhole ? hours : counting(hours, 0, since, until))
    day = next
    start = nextStart
  }
  return stretches
}

const counting = (hours: readonly (RealHour & { at: number })[], shift: number, since: Date, until: Date) =>
  hours.filter(({ at }) => at + shift >= since.getTime() && at + shift + HOUR_MS <= until.getTime())

/** Whether neither clock changes between two moments that are so many hours apart. */
const isPlain = (start: number, end: number, hours: number, ...zones: string[]): boolean =>
  end - start === hours * HOUR_MS && zones.every(zone => offsetOf(zone, start) === offsetOf(zone, end - HOUR_MS))

function hoursOfDay(day: string, start: number, end: number, timezone: string, shown: string) {
  const count = Math.round((end - start) / HOUR_MS)
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const plain = isPlain(start, end, 24, shown)
  const first = placeOf(start, midnight, shown)
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * HOUR_MS
    return {
      at,
      hour: count === 24 ? index : hourIn(new Date(at), timezone),
      place: plain ? first + index : placeOf(at, midnight, shown),
    }
  })
}

const offsetOf = (timezone: string, at: number): number => tzOffset(timezone, new Date(at)) * 60_000

// An hour that begins at half past, as zones with half hours see it, belongs to the hour in which it begins.
const placeOf = (at: number, midnight: number, shown: string): number =>
  Math.floor((at + offsetOf(shown, at) - midnight) / HOUR_MS)

const isSame = (a: readonly RealHour[], b: readonly RealHour[]): boolean =>
  a.length === b.length && a.every(({ hour, place }, i) => hour === b[i]?.hour && place === b[i].place)

/** The hour of the week (0: Monday, 0 h) of a place on the shown clock, on a day of the marketplace. */
export const hourOfWeek = (weekday: number, place: number): number =>
  (((weekday * 24 + place) % HOURS_OF_WEEK) + HOURS_OF_WEEK) % HOURS_OF_WEEK

/** How often each hour of the week happened, and on how many days. */
export function countHours(stretches: readonly Stretch[]): { times: number; days: number }[] {
  const counts = Array.from({ length: HOURS_OF_WEEK }, () => ({ times: 0, days: 0 }))
  for (const { from, to, hours } of stretches) {
    const weeks = weekdayCounts(from, to)
    for (const [weekday, days] of weeks.entries())
      for (const [index, { place }] of hours.entries()) {
        const count = counts[hourOfWeek(weekday, place)]
        if (!count) continue
        count.times += days
        if (hours.findIndex(one => one.place === place) === index) count.days += days
      }
  }
  return counts
}

/** 0 for Monday. */
const weekdayOf = (day: string): number => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7

function weekdayCounts(from: string, to: string): number[] {
  const days = daysBetween(from, to) + 1
  const first = weekdayOf(from)
  return Array.from({ length: 7 }, (_, weekday) => Math.floor((days - ((weekday - first + 7) % 7) + 6) / 7))
}
