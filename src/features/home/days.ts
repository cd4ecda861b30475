import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { addDays, dayIn, daysBetween } from '#shared/time.ts'

/** Today where the marketplace counts its days. */
export const todayIn = (marketplaceId: number, now: Date): string => dayIn(now, timezoneOfMarketplace(marketplaceId))

const minuteMs = 60_000

/** The moment, to the minute, at which today ends where the marketplace counts its days. */
export function endOfToday(marketplaceId: number, nowMs: number): number {
  const today = todayIn(marketplaceId, new Date(nowMs))
  let lastIn = nowMs
  // A day has 25 hours at most.
  let firstAfter = nowMs + 25 * 60 * minuteMs
  while (firstAfter - lastIn > minuteMs) {
    const between = (lastIn + firstAfter) / 2
    if (todayIn(marketplaceId, new Date(between)) === today) lastIn = between
    else firstAfter = between
  }
  return lastIn
}

/**
 * The days of a period that count for TACOS and for profit: all until the last import, including the current one as far
 * as it was imported. A day that began since then has neither ad spend nor sales yet.
 */
export const importedDays = <T extends { date: string }>(days: readonly T[], importedTo: string | null): T[] =>
  importedTo === null ? [] : days.filter(day => day.date <= importedTo)

/** The days that a change compares, and as many before them. */
export interface ComparedDays {
  from: string
  to: string
  previousFrom: string
  previousTo: string
}

/**
 * Like is compared with like: the days of a range that were over when their figures were imported, with as many days right
 * before the range. Null where no day was over.
 */
export function comparedDays(
  { dateFrom, dateTo }: { dateFrom: string; dateTo: string },
  asOf: Date | null,
  timezone: string,
): ComparedDays | null {
  if (asOf === null) return null
  const lastOver = addDays(dayIn(asOf, timezone), -1)
  const to = dateTo < lastOver ? dateTo : lastOver
  if (to < dateFrom) return null
  const previousFrom = addDays(dateFrom, -1 - daysBetween(dateFrom, to))
  return { from: dateFrom, to, previousFrom, previousTo: addDays(dateFrom, -1) }
}

export type Granularity = 'DAY' | 'WEEK' | 'MONTH'

/** The first day of the week (Monday) or month that the day is in; the day itself for days. */
export function bucketOf(day: string, granularity: Granularity): string {
  if (granularity === 'DAY') return day
  if (granularity === 'MONTH') return `${day.slice(0, 7)}-01`
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7
  return addDays(day, -weekday)
}
