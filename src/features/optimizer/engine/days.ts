import { addDays, daysBetween } from '#shared/time.ts'
import type { DayFigures } from './facts.ts'

// Days: which of them count, how much of them is reported, and when something may change again.

/** Days between two changes of the multiplier, the budgets or one bid. */
export const restDays = 3

/** Whether something may change again. */
export const isRested = (changedOn: string | undefined, today: string, days = restDays): boolean =>
  changedOn === undefined || daysBetween(changedOn, today) >= days

/** The days whose spend is complete: the last one ended yesterday. */
export function lastDays<T extends { day: string }>(days: readonly T[], today: string, count: number): T[] {
  const from = addDays(today, -count)
  return days.filter(({ day }) => day >= from && day < today)
}

/** The share of a click's final orders that is reported, for a day so many days ago. */
export const shownAt = (shown: readonly number[], age: number): number => (age < 1 ? 0 : (shown[age] ?? 1))

/** The sums of days of the same date, the earliest first. */
export function sumByDay(all: readonly (readonly DayFigures[])[]): DayFigures[] {
  const byDay = new Map<string, DayFigures>()
  for (const days of all)
    for (const one of days) {
      const sum = byDay.get(one.day)
      byDay.set(one.day, {
        day: one.day,
        clicks: (sum?.clicks ?? 0) + one.clicks,
        costMicros: (sum?.costMicros ?? 0) + one.costMicros,
        orders: (sum?.orders ?? 0) + one.orders,
        salesMicros: (sum?.salesMicros ?? 0) + one.salesMicros,
      })
    }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}
