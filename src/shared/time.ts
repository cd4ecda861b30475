import { TZDate } from '@date-fns/tz'

/** Tells the current time. Passed in wherever time matters, so that tests and the demonstration can set it. */
export interface Clock {
  now(): Date
}
/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() }

// The platform's calendar, because browsers have it anyway and a first visit does not need to load the library.
const calendars = new Map<string, Intl.DateTimeFormat>()
function calendarOf(timezone: string): Intl.DateTimeFormat {
  const cached = calendars.get(timezone)
  if (cached) return cached
  const calendar = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  calendars.set(timezone, calendar)
  return calendar
}
const partOf = (parts: Intl.DateTimeFormatPart[], type: Intl.DateTimeFormatPartTypes): string =>
  parts.find(part => part.type === type)?.value ?? ''

/** The calendar day (yyyy-MM-dd) of a moment in a time zone (IANA name). */
export function dayIn(at: Date, timezone: string): string {
  const parts = calendarOf(timezone).formatToParts(at)
  return `${partOf(parts, 'year').padStart(4, '0')}-${partOf(parts, 'month')}-${partOf(parts, 'day')}`
}
/** The hour (0 to 23) of a moment in a time zone. */
export const hourIn = (at: Date, timezone: string): number =>
  Number(partOf(calendarOf(timezone).formatToParts(at), 'hour'))
/** The moment at which a day begins in a time zone. */
export function startOfDayIn(day: string, timezone: string): Date {
  const [y, m, d] = day.split('-').map(Number) as [number, number, number]
  return new Date(new TZDate(y, m - 1, d, 0, 0, 0, 0, timezone).getTime())
}
// A date without a time is midnight in UTC, where every day has 24 hours.
const DAY_MS = 86_400_000
/** How many days a screen of figures shows unless its user chooses others. */
export const usualDays = 30
/** Adds days to a calendar day, independently of time zones. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + Math.trunc(days) * DAY_MS).toISOString().slice(0, 10)
}
/** Days from one calendar day to another; negative if `to` comes first. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS
/** Every day from `from` to `to`, both included; empty if `to` comes first. */
export const daysOf = (from: string, to: string): string[] =>
  Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, i) => addDays(from, i))
