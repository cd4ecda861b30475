// @ts-expect-error jStat 1.9 has no types of its own.
import jStat from 'jstat'
import { studentt } from '../engine/distributions.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import type { HoldoutEstimate, Interval } from './holdout.ts'

// What the optimizer did to a group's profit. By the holdout where there was one; else by the group's weeks before and after,
// with what the rest of the account did in the same weeks and the wandering of markets allowed for. Often the honest answer is
// that it is open.

/** A settled day of a group: profit after the costs of goods and clicks. */
export interface ProfitDay {
  day: string
  profitMicros: number
  /** The same of the account's other campaigns; null where there are none. */
  restMicros: number | null
  orders: number
}

export interface GroupEffect {
  method: 'HOLDOUT' | 'BEFORE_AFTER'
  verdict: 'BETTER' | 'WORSE' | 'CANNOT_TELL'
  /** Why it is open. */
  why: 'TOO_FEW_WEEKS' | 'TOO_FEW_ORDERS' | 'INTERVAL_HAS_ZERO' | null
  /** Profit of a day more than it would have been, in micros, with 95 % certainty; null where data are too thin. */
  dayMicros: Interval | null
  /** As a part of what it would have been; null where that is not above 0. */
  share: Interval | null
  /** Weeks that were compared; 0 with a holdout. */
  weeksBefore: number
  weeksAfter: number
}

const most = { before: 16, after: 12 }
const least = { before: 6, after: 4, orders: 60 }
/** Campaigns are taken over in bad weeks, which get better by themselves: the four before do not count. */
const leftOutWeeks = 4

/**
 * The effect of taking a group over on its profit. `startedOn` is the first day on which it sent changes; the week from then is
 * left out, as are the four before. `days` are settled ones, of some 4 months before and after.
 */
export function effectOf(
  days: readonly ProfitDay[],
  startedOn: string,
  holdout: { estimate: HoldoutEstimate; days: number } | null,
): GroupEffect {
  if (holdout) {
    const { estimate, days: count } = holdout
    const { low, middle, high } = estimate.profitMicros
    return {
      method: 'HOLDOUT',
      verdict: estimate.verdict,
      why: estimate.verdict === 'CANNOT_TELL' ? 'INTERVAL_HAS_ZERO' : null,
      dayMicros: { low: low / count, middle: middle / count, high: high / count },
      share: estimate.share,
      weeksBefore: 0,
      weeksAfter: 0,
    }
  }
  const { before, after } = weeksAround(days, startedOn)
  const none = (why: GroupEffect['why']): GroupEffect => ({
    method: 'BEFORE_AFTER',
    verdict: 'CANNOT_TELL',
    why,
    dayMicros: null,
    share: null,
    weeksBefore: before.length,
    weeksAfter: after.length,
  })
  if (before.length < least.before || after.length < least.after) return none('TOO_FEW_WEEKS')
  if ([before, after].some(weeks => sumBy(weeks, one => one.orders) < least.orders)) return none('TOO_FEW_ORDERS')
  const week = stepOf(before, after, chanceOf(days))
  const dayMicros = { low: week.low / 7, middle: week.middle / 7, high: week.high / 7 }
  const otherwise = sumBy(after, one => one.profitMicros) / after.length / 7 - dayMicros.middle
  const of = (value: number): number => value / otherwise
  const verdict = dayMicros.low > 0 ? 'BETTER' : dayMicros.high < 0 ? 'WORSE' : 'CANNOT_TELL'
  return {
    ...none(verdict === 'CANNOT_TELL' ? 'INTERVAL_HAS_ZERO' : null),
    verdict,
    dayMicros,
    share: otherwise > 0 ? { low: of(dayMicros.low), middle: of(dayMicros.middle), high: of(dayMicros.high) } : null,
  }
}

interface Week {
  /** In weeks from the day of the start; below 0 before it. */
  at: number
  profitMicros: number
  restMicros: number | null
  orders: number
}

/** Whole weeks counted from the start, without those right around it. */
function weeksAround(days: readonly ProfitDay[], startedOn: string): { before: Week[]; after: Week[] } {
  const from = addDays(startedOn, -7 * (most.before + leftOutWeeks))
  const until = addDays(startedOn, 7 * (most.after + 1))
  const counted = days.filter(({ day }) => day >= from && day < until)
  const weeks = [...Map.groupBy(counted, ({ day }) => Math.floor(daysBetween(startedOn, day) / 7))]
    .filter(([, own]) => own.length === 7)
    .map(([at, own]) => ({
      at,
      profitMicros: sumBy(own, one => one.profitMicros),
      restMicros: own.some(one => one.restMicros === null) ? null : sumBy(own, one => one.restMicros ?? 0),
      orders: sumBy(own, one => one.orders),
    }))
    .toSorted((a, b) => a.at - b.at)
  return { before: weeks.filter(({ at }) => at < -leftOutWeeks), after: weeks.filter(({ at }) => at > 0) }
}

/** How sure the chance of weeks is known from days, as a standard deviation of the logarithm. */
const chanceDoubt = 0.4

/**
 * The variance of a week's profit that is chance alone: what neighbouring days differ by, once the days of the week are taken
 * out. Markets do not wander far from one day to the next.
 */
function chanceOf(days: readonly ProfitDay[]): number {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const weekday = ({ day }: ProfitDay): number => new Date(`${day}T12:00:00Z`).getUTCDay()
  const usual = new Map(
    [...Map.groupBy(sorted, weekday)].map(([at, own]) => [at, sumBy(own, one => one.profitMicros) / own.length]),
  )
  const misses = sorted.map(one => one.profitMicros - (usual.get(weekday(one)) ?? 0))
  const steps = misses.slice(1).map((miss, i) => (miss - (misses[i] ?? 0)) ** 2 / 2)
  return steps.length ? (7 * sumBy(steps, one => one)) / steps.length : 0
}

/** How the unexplained part of a week may wander: its variance against that of chance, and after how many weeks half is left. */
const wanderings = [0.3, 1, 3, 10, 30].flatMap(variance => [1, 3, 8].map(halfLife => ({ variance, halfLife })))

/**
 * The step in profit between the weeks before and after: profit = level + part of the rest's profit + step + wandering + chance.
 * How much it wanders is not known from so few weeks, so all possibilities count by how well they explain the weeks, and the
 * chance that single days show (a mixture of t distributions, with flat priors for the rest).
 */
function stepOf(before: readonly Week[], after: readonly Week[], chance: number): Interval {
  const weeks = [...before, ...after]
  const rests = weeks.map(one => one.restMicros)
  const hasRest = rests.every(one => one !== null) && new Set(rests).size > 2
  const y = weeks.map(one => one.profitMicros)
  const scale = Math.max(...y.map(Math.abs), 1)
  const columns = [weeks.map(() => 1), weeks.map(({ at }) => (at > 0 ? 1 : 0))]
  if (hasRest) {
    const largest = Math.max(...rests.map(one => Math.abs(one ?? 0)), 1)
    columns.push(rests.map(one => (one ?? 0) / largest))
  }
  const degrees = weeks.length - columns.length
  const fits = wanderings.map(({ variance, halfLife }) => {
    const covariance = weeks.map((a, i) =>
      weeks.map((b, j) => (i === j ? 1 : 0) + variance * 0.5 ** (Math.abs(a.at - b.at) / halfLife)),
    )
    return fit(
      columns,
      y.map(one => one / scale),
      covariance,
      degrees,
    )
  })
  for (const one of fits)
    if (chance > 0) one.evidence -= (Math.log((one.variance * scale ** 2) / chance) / chanceDoubt) ** 2 / 2
  const best = Math.max(...fits.map(one => one.evidence))
  const weighed = fits.map(one => ({ ...one, weight: Math.exp(one.evidence - best) }))
  const total = sumBy(weighed, one => one.weight)
  const below = (value: number): number =>
    sumBy(weighed, one => one.weight * studentt.cdf((value - one.step) / one.error, degrees)) / total
  const spread = Math.max(...fits.map(one => one.error))
  const middle = sumBy(weighed, one => one.weight * one.step) / total
  const at = (share: number): number => {
    let [low, high] = [middle - 60 * spread, middle + 60 * spread]
    for (let i = 0; i < 60; i++) {
      const half = (low + high) / 2
      if (below(half) < share) low = half
      else high = half
    }
    return ((low + high) / 2) * scale
  }
  return { low: at(0.025), middle: at(0.5), high: at(0.975) }
}

/** Generalized least squares: the step (the second column), its standard error, and the restricted likelihood's logarithm. */
function fit(columns: readonly number[][], y: readonly number[], covariance: number[][], degrees: number) {
  const lower = jStat.cholesky(covariance) as number[][]
  const white = columns.map(column => solveLower(lower, column))
  const target = solveLower(lower, y)
  const normal = white.map(a => white.map(b => dot(a, b)))
  const inverse = jStat.inv(normal) as number[][]
  const right = white.map(column => dot(column, target))
  const weights = inverse.map(row => dot(row, right))
  const misses = target.map(
    (value, i) => value - sumBy(white, column => (column[i] ?? 0) * (weights[white.indexOf(column)] ?? 0)),
  )
  const squares = Math.max(dot(misses, misses), 1e-12)
  const determinant = jStat.det(normal) as number
  return {
    step: weights[1] ?? 0,
    variance: squares / degrees,
    error: Math.sqrt((squares / degrees) * (inverse[1]?.[1] ?? 0)),
    evidence:
      -sumBy(lower, row => Math.log(row[lower.indexOf(row)] ?? 1)) -
      Math.log(determinant) / 2 -
      (degrees / 2) * Math.log(squares),
  }
}

function solveLower(lower: readonly number[][], right: readonly number[]): number[] {
  const solved: number[] = []
  for (const [i, row] of lower.entries()) {
    const solvedPart = sumBy(
      solved.map((value, j) => value * (row[j] ?? 0)),
      one => one,
    )
    solved.push(((right[i] ?? 0) - solvedPart) / (row[i] ?? 1))
  }
  return solved
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, one, i) => sum + one * (b[i] ?? 0), 0)
const sumBy = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((sum, one) => sum + read(one), 0)
