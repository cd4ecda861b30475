import { daysBetween } from '#shared/time.ts'
import { shownAt } from './days.ts'
import type { DayFigures } from './facts.ts'

// Since when clicks convert at another rate than before: a review, a price, a rival.

/** What words are believed to bring alike, in orders. */
const alikeOrders = 4

/**
 * The days of each target with as many clicks of the family's mean as its own are worth: so that bids which move clicks to
 * other words do not look like a change of what all of them bring.
 */
export function likeTheFamily(all: readonly (readonly DayFigures[])[]): DayFigures[][] {
  const sums = all.map(days => {
    const sum = { clicks: 0, orders: 0 }
    for (const { clicks, orders } of days) {
      sum.clicks += clicks
      sum.orders += orders
    }
    return sum
  })
  const clicks = sums.reduce((sum, one) => sum + one.clicks, 0)
  const mean = sums.reduce((sum, one) => sum + one.orders, 0) / Math.max(1, clicks)
  return all.map((days, i) => {
    const own = sums[i] ?? { clicks: 0, orders: 0 }
    const relative = mean > 0 ? (own.orders + alikeOrders) / (own.clicks * mean + alikeOrders) : 1
    return days.map(one => ({ ...one, clicks: one.clicks * relative }))
  })
}

/** A break must be this much more likely than steadiness, as a logarithm: the best of some fifty days is taken. */
const leastEvidence = 6
/** Fewer orders on either side tell nothing. */
const leastOrders = 6
const watchedDays = 60

/**
 * The day since which clicks convert at another rate, where there is one: the best split into two Poisson rates. The factor is
 * the rate since then over the rate before.
 */
export function findBreak(
  days: readonly DayFigures[],
  shown: readonly number[],
  today: string,
): { day: string; factor: number } | null {
  const seen = days.flatMap(({ day, clicks, orders }) => {
    const age = daysBetween(day, today)
    return age > watchedDays || age < 1 ? [] : [{ day, clicks: clicks * shownAt(shown, age), orders }]
  })
  const total = { clicks: 0, orders: 0 }
  for (const { clicks, orders } of seen) {
    total.clicks += clicks
    total.orders += orders
  }
  if (total.clicks === 0) return null
  const likelihood = (orders: number, clicks: number): number =>
    orders === 0 || clicks === 0 ? 0 : orders * Math.log(orders / clicks)
  const steady = likelihood(total.orders, total.clicks)
  let best: { day: string; factor: number; evidence: number } | null = null
  const before = { clicks: 0, orders: 0 }
  for (const { day, clicks, orders } of seen) {
    const after = { clicks: total.clicks - before.clicks, orders: total.orders - before.orders }
    // So many orders were to be expected on this side.
    const expected = Math.min(before.clicks, after.clicks) * (total.orders / total.clicks)
    if (expected >= leastOrders) {
      const evidence = likelihood(before.orders, before.clicks) + likelihood(after.orders, after.clicks) - steady
      const over = (side: { clicks: number; orders: number }): number =>
        (side.orders + alikeOrders) / ((side.clicks * total.orders) / total.clicks + alikeOrders)
      if (evidence > (best?.evidence ?? leastEvidence)) best = { day, factor: over(after) / over(before), evidence }
    }
    before.clicks += clicks
    before.orders += orders
  }
  return best && { day: best.day, factor: best.factor }
}
