import { addDays } from '#shared/time.ts'

const weekday = (day: string): number => (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7

/** The Mondays of the first and the last week that lie wholly within these days (both included); null when none does. */
export const wholeWeeks = (from: string, to: string): { first: string; last: string } | null => {
  const first = addDays(from, (7 - weekday(from)) % 7)
  const last = addDays(to, -((weekday(to) + 1) % 7) - 6)
  return first <= last ? { first, last } : null
}
