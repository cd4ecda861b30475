import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import type { Frequency } from './contract.ts'

// In the morning, when the marketplace's figures of the last day are usually in.
const dueHourMs = 7 * 3_600_000

const monday = (day: string): string => addDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7))
const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** The first day of the period that a day is in: a Monday, or the first of a month. */
const startOf = (frequency: Frequency, day: string): string =>
  frequency === 'WEEKLY' ? monday(day) : firstOfMonth(day)

/** The period that was over when a schedule became due: the week (Monday to Sunday) or month before. */
export function periodBefore(frequency: Frequency, dueAt: Date, timeZone: string): { from: string; to: string } {
  const to = addDays(startOf(frequency, dayIn(dueAt, timeZone)), -1)
  return { from: startOf(frequency, to), to }
}

/** When the period that runs at a moment is reported: at 7 on the first morning after it, where the account counts its days. */
export function dueAfter(frequency: Frequency, at: Date, timeZone: string): Date {
  const start = startOf(frequency, dayIn(at, timeZone))
  const dueOf = (day: string) => new Date(startOfDayIn(day, timeZone).getTime() + dueHourMs)
  // Early on a Monday the report of the week before is still to come.
  if (dueOf(start) > at) return dueOf(start)
  // Eight days on there is always the next week, 32 the next month.
  const next = startOf(frequency, addDays(start, frequency === 'WEEKLY' ? 7 : 31))
  return dueOf(next)
}
