import type { Micros } from '#shared/money.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'
import { attributionDays } from '#features/metrics/server/public.ts'

/** Days of which something must be known before one of them is usual. */
const LEAST_DAYS = 7
const SPAN_DAYS = 28

/** The days of the last four weeks that have settled, in the account's time zone. */
export function settledSpan(
  { timezone, accountType }: { timezone: string; accountType: 'seller' | 'vendor' },
  now: Date,
): { from: string; to: string } {
  const today = dayIn(now, timezone)
  return { from: addDays(today, -SPAN_DAYS), to: addDays(today, -attributionDays[accountType] - 1) }
}

/**
 * What a day of a span usually sells: the mean from the first day with sales on, in which days that are missing sold nothing.
 * Null while less than a week is known.
 */
export function usualDaySales(sales: readonly { date: string; micros: Micros }[], to: string): Micros | null {
  const days = sales.filter(({ date, micros }) => micros > 0 && date <= to)
  const first = days.reduce((earliest, { date }) => (date < earliest ? date : earliest), to)
  const count = daysBetween(first, addDays(to, 1))
  if (!days.length || count < LEAST_DAYS) return null
  return Math.round(days.reduce((sum, { micros }) => sum + micros, 0) / count)
}
