import { createRandom, fraction, hashText } from '#shared/random.ts'

// The holdout: some targets keep their bids for four weeks, so that what the others earn can be compared with them.

/** With fewer orders in 28 days of the group, or of all accounts of an agency together, nothing can be said. */
const leastOrders = 300
export const holdoutDays = 28
const share = 0.15
/** Each stratum of spend has at least so many targets, of which six are held: fewer say nothing of how they spread. */
const stratumTargets = 40
const mostStrata = 5
const repeats = 1000

/** Whether a group, or pooled accounts, have enough orders in 28 days for a holdout. */
export const mayHoldOut = (ordersIn28Days: number): boolean => ordersIn28Days >= leastOrders

/** `2026-Q4`: each quarter draws other targets. */
export const quarterOf = (day: string): string => `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`

export interface Drawn {
  id: string
  /** 0 has the targets with the highest spend. */
  stratum: number
  isHeld: boolean
}

/**
 * Draws the targets that keep their bids in a quarter: 15 % of each stratum of spend, by a hash of id and quarter alone. Anyone
 * can draw them again from the same spends (of the 28 days before); keep the answer for the time of the test.
 */
export function drawHoldout(targets: readonly { id: string; costMicros: number }[], quarter: string): Drawn[] {
  const sorted = targets.toSorted((a, b) => b.costMicros - a.costMicros || (a.id < b.id ? -1 : 1))
  const strata = Math.max(1, Math.min(mostStrata, Math.floor(sorted.length / stratumTargets)))
  return Array.from({ length: strata }, (_, stratum) => {
    const [from, to] = [stratum, stratum + 1].map(edge => Math.round((edge * sorted.length) / strata)) as [
      number,
      number,
    ]
    const own = sorted.slice(from, to).map(({ id }) => ({ id, drawn: fraction(hashText(`${id} ${quarter}`, 0)) }))
    const held = new Set(
      own
        .toSorted((a, b) => a.drawn - b.drawn)
        .slice(0, Math.round(own.length * share))
        .map(one => one.id),
    )
    return own.map(({ id }) => ({ id, stratum, isHeld: held.has(id) }))
  }).flat()
}

/** A target of a test, by what came of it in the days of the test and in as many days before. */
export interface TestedTarget {
  /** The account too, where those of an agency are pooled; money is then of one currency. */
  stratum: string
  isHeld: boolean
  /** How often it could have been shown, or the clicks of the days before: what profit is taken per. Above 0. */
  opportunities: number
  /** What its settled orders earn, after the costs of goods and clicks. */
  profitMicros: number
  beforeMicros: number
}

/** Ends of an interval that holds the truth in 95 of 100 cases, and its middle. */
export interface Interval {
  low: number
  middle: number
  high: number
}

export interface HoldoutEstimate {
  /** That were changed, and that were held. */
  targets: number
  held: number
  /** What the changed targets earned more than they would have, in micros, over all days of the test. */
  profitMicros: Interval
  /** The same as a part of what they would have earned; null where that is not clearly above 0. */
  share: Interval | null
  verdict: 'BETTER' | 'WORSE' | 'CANNOT_TELL'
}

/**
 * Compares the profit per opportunity of changed and held targets, stratum by stratum, after taking off what profit before the
 * test already explains (Deng et al. 2013). The interval is a studentized bootstrap of targets within strata, symmetric: with
 * few and unequal targets plain ones are too narrow. The same seed gives the same interval. Null where no stratum has three
 * targets on either side.
 */
export function estimateHoldout(targets: readonly TestedTarget[], seed: number): HoldoutEstimate | null {
  const arms = [...Map.groupBy(targets, one => one.stratum).values()]
    .map(own => ({ changed: own.filter(one => !one.isHeld), held: own.filter(one => one.isHeld) }))
    .filter(({ changed, held }) => changed.length >= 3 && held.length >= 3)
  if (!arms.length) return null
  const part = explainedPart(arms.flatMap(({ changed, held }) => [changed, held]))
  const values = arms.map(({ changed, held }) => ({ changed: valuesOf(changed, part), held: valuesOf(held, part) }))
  const found = compare(values.map(({ changed, held }) => ({ changed: ratioOf(changed), held: ratioOf(held) })))
  const random = createRandom(seed)
  const distances = Array.from({ length: repeats }, () => {
    const again = compare(
      values.map(({ changed, held }) => ({ changed: ratioOf(changed, random), held: ratioOf(held, random) })),
    )
    return Math.abs(again.difference - found.difference) / Math.max(again.error, found.error * 1e-6)
  }).toSorted((a, b) => a - b)
  const reach = (distances[Math.ceil(0.95 * repeats) - 1] ?? 0) * found.error
  const interval = { low: found.difference - reach, middle: found.difference, high: found.difference + reach }
  // What they earned before is what the held ones are compared by, too.
  const otherwise =
    found.otherwise +
    part *
      sumBy(
        arms.flatMap(({ changed }) => changed),
        one => one.beforeMicros,
      )
  const isPositive = otherwise > 2 * found.otherwiseError
  return {
    targets: arms.reduce((sum, { changed }) => sum + changed.length, 0),
    held: arms.reduce((sum, { held }) => sum + held.length, 0),
    profitMicros: interval,
    share: isPositive
      ? {
          low: interval.low / otherwise,
          middle: interval.middle / otherwise,
          high: interval.high / otherwise,
        }
      : null,
    verdict: interval.low > 0 ? 'BETTER' : interval.high < 0 ? 'WORSE' : 'CANNOT_TELL',
  }
}

/** The values of an arm's targets, without what is explained by the time before, next to their opportunities. */
interface Values {
  sizes: Float64Array
  values: Float64Array
}
const valuesOf = (arm: readonly TestedTarget[], part: number): Values => ({
  sizes: Float64Array.from(arm, one => one.opportunities),
  values: Float64Array.from(arm, one => one.profitMicros - part * one.beforeMicros),
})

/** The difference that the change made to the changed targets, its standard error, and what they would have earned. */
function compare(strata: readonly { changed: Ratio; held: Ratio }[]) {
  let [difference, variance, otherwise, otherwiseVariance] = [0, 0, 0, 0]
  for (const { changed, held } of strata) {
    const { size } = changed
    difference += size * (changed.ratio - held.ratio)
    variance += size ** 2 * (changed.variance + held.variance)
    otherwise += size * held.ratio
    otherwiseVariance += size ** 2 * held.variance
  }
  return { difference, error: Math.sqrt(variance), otherwise, otherwiseError: Math.sqrt(otherwiseVariance) }
}

/** How much of a target's profit before shows in its profit after, within one arm: 0 to 1. */
function explainedPart(arms: readonly (readonly TestedTarget[])[]): number {
  let [together, alone] = [0, 0]
  for (const arm of arms) {
    const size = sumBy(arm, one => one.opportunities)
    const after = sumBy(arm, one => one.profitMicros) / size
    const before = sumBy(arm, one => one.beforeMicros) / size
    for (const { opportunities, profitMicros, beforeMicros } of arm) {
      const off = beforeMicros - before * opportunities
      together += ((profitMicros - after * opportunities) * off) / opportunities
      alone += off ** 2 / opportunities
    }
  }
  return alone > 0 ? Math.min(1, Math.max(0, together / alone)) : 0
}

interface Ratio {
  ratio: number
  variance: number
  size: number
}
/** The value per opportunity of an arm, the variance of that ratio, and the opportunities; of a sample drawn from it, if asked to draw. */
function ratioOf({ sizes, values }: Values, random?: () => number): Ratio {
  const count = sizes.length
  let [size, value, valueSquares, products, sizeSquares] = [0, 0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    const at = random ? Math.floor(random() * count) : i
    const [o, v] = [sizes[at] ?? 0, values[at] ?? 0]
    size += o
    value += v
    valueSquares += v * v
    products += o * v
    sizeSquares += o * o
  }
  const ratio = value / size
  const squares = Math.max(0, valueSquares - 2 * ratio * products + ratio ** 2 * sizeSquares)
  return { ratio, variance: (squares * count) / (count - 1) / size ** 2, size }
}

const sumBy = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((sum, one) => sum + read(one), 0)
