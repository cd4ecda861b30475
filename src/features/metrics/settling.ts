import type { AdType } from '#shared/campaign-rules.ts'
import { addSums, type FigureSums, fill } from '#shared/metrics.ts'

/** What an account's day was reported as at some time: one version of it. Ages are hours after the end of the day. */
export interface Version {
  adType: AdType
  date: string
  /** When this version was first and last reported. */
  fromAge: number
  toAge: number
  sums: FigureSums
}

const metrics = { cost: 'costMicros', sales: 'salesMicros', orders: 'orders' } as const
type Metric = keyof typeof metrics
const metricNames = Object.keys(metrics) as Metric[]

/** How the figures of one age end: `shown × factor`, give or take a spread that grows with the root of the figure. */
interface Curve {
  factor: number
  /** The band's ends as distances from the middle, for a figure of one `unit`. */
  low: number
  high: number
  /** What one order is worth; for spend, what one click cost. A figure below it has the spread of one unit. */
  unit: number
  /** The sum of the figures that it was learnt from: the more, the surer the factor. */
  learnt: number
}
type AgeCurves = Record<Metric, Curve>

/** What restatements taught: by ad type, and for ACOS of all of them together; an entry for each of `ages`. */
export interface Settling {
  adTypes: Partial<Record<AdType, { settledAge: number; curves: (AgeCurves | null)[] }>>
  /** Ends of the logarithm of ACOS as distances from the middle, for a day of one order; learnt from so many orders. */
  acos: ({ low: number; high: number; learnt: number } | null)[]
}

const DAY = 24
/** The ages that are learnt: as often as a day is pulled. */
const ages = [0, 8, 16, 24, 32, 40, 48, 56, 64, 72, ...Array.from({ length: 14 }, (_, i) => (i + 4) * DAY)]
const nearest = (age: number): number =>
  ages.reduce((best, one, i) => (Math.abs(one - age) < Math.abs((ages[best] ?? 0) - age) ? i : best), 0)
/** A version counts for an age if it was reported within these hours of it. */
const tolerance = (age: number): number => (age < 72 ? 6 : 15)

/**
 * After how many hours a day is taken as final: three days after the last click can lead to an order. About one order in
 * fifty is corrected later, up to 28 days after it.
 */
const settledAgeOf = (windowDays: number): number => (windowDays + 3) * DAY
const CORRECTED_DAYS = 26
/** Fewer days than these teach nothing. */
const LEAST_DAYS = 7
/** What is assumed before anything is learnt weighs as much as these orders and days. */
const PRIOR_ORDERS = 60
const PRIOR_DAYS = 6
/** The share of the final orders that reports show 0, 1, 2 … days after the end of a day. */
const PRIOR_SHOWN = [0.32, 0.83, 0.88, 0.91, 0.94, 0.96, 0.985]
const priorShown = (metric: Metric, age: number): number =>
  metric === 'cost' ? 1 : (PRIOR_SHOWN[Math.floor(age / DAY)] ?? 1)
/** The share of orders that is cancelled or found late long after, and of clicks that is found invalid. */
const PRIOR_CORRECTED = 0.03
const priorCorrected = (metric: Metric, age: number): number => (metric === 'cost' && age >= 72 ? 0 : PRIOR_CORRECTED)
/** Middles of twelfths of a normal distribution. */
const normalPoints = [-1.73, -1.15, -0.81, -0.55, -0.32, -0.1, 0.1, 0.32, 0.55, 0.81, 1.15, 1.73]

interface Pair {
  shown: FigureSums
  end: FigureSums
}
type Cohorts = Map<string, Version[]>

/**
 * Learns how days settle from all versions of an account's days. Null where fewer than a week of days was seen at an age
 * and again when it had settled.
 */
export function learnSettling(versions: readonly Version[], windowOf: (adType: AdType) => number): Settling {
  const settling: Settling = { adTypes: {}, acos: [] }
  const byType = Map.groupBy(versions, version => version.adType)
  const settled = new Map<AdType, Cohorts>()
  for (const [adType, own] of byType) {
    const settledAge = settledAgeOf(windowOf(adType))
    const days = Map.groupBy(
      own.toSorted((a, b) => a.fromAge - b.fromAge),
      version => version.date,
    )
    const cohorts = settledOf(days, settledAge)
    settled.set(adType, cohorts)
    const curves = ages.map(age => curvesAt(age, pairsAt(age, cohorts)))
    settling.adTypes[adType] = { settledAge, curves }
  }
  settling.acos = ages.map((_, index) => acosAt(index, settling, settled))
  return settling
}

/**
 * The days that were seen before they had settled, and have settled: those after all corrections alone, once there are two
 * weeks of them. Those from before an account was connected were only seen when they had, and teach nothing.
 */
function settledOf(days: Cohorts, settledAge: number): Cohorts {
  const seen = [...days].filter(([, all]) => (all[0]?.fromAge ?? settledAge) < settledAge)
  const olderThan = (age: number): Cohorts => new Map(seen.filter(([, all]) => (all.at(-1)?.toAge ?? 0) >= age))
  const corrected = olderThan(settledAge + CORRECTED_DAYS * DAY)
  return corrected.size >= 2 * LEAST_DAYS ? corrected : olderThan(settledAge)
}

/** What each settled day was shown as at an age, and what it became; days that nobody saw at that age are missing. */
function pairsAt(age: number, cohorts: Cohorts): Map<string, Pair> {
  const slack = tolerance(age)
  const pairs = new Map<string, Pair>()
  for (const [date, all] of cohorts) {
    const shown = all.findLast(one => one.fromAge <= age + slack && one.toAge >= age - slack)
    const end = all.at(-1)
    if (shown && end) pairs.set(date, { shown: shown.sums, end: end.sums })
  }
  return pairs
}

function curvesAt(age: number, pairs: ReadonlyMap<string, Pair>): AgeCurves | null {
  if (pairs.size < LEAST_DAYS) return null
  const all = [...pairs.values()]
  const [shown, end] = [addSums(all.map(pair => pair.shown)), addSums(all.map(pair => pair.end))]
  return fill(metricNames, metric => {
    const field = metrics[metric]
    const unit = end[field] / Math.max(1, metric === 'cost' ? end.clicks : end.orders) || 1
    const prior = PRIOR_ORDERS * unit
    const factor = (end[field] + prior) / (shown[field] + prior * priorShown(metric, age))
    const misses = all.map(pair => (pair.end[field] - factor * pair.shown[field]) / root(pair.shown[field], unit))
    const priorSpread = Math.sqrt(((1 / priorShown(metric, age) - 1) * factor + priorCorrected(metric, age)) * unit)
    const learnt = shown[field] + prior * priorShown(metric, age)
    return { factor, unit, learnt, ...endsOf(misses, priorSpread) }
  })
}

const sumBy = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((sum, one) => sum + read(one), 0)

const root = (value: number, unit: number): number => Math.sqrt(Math.max(value, unit))

/** ACOS depends on cost and sales of the same days, whose errors go together: it is learnt from their ratio. */
function acosAt(index: number, settling: Settling, settled: ReadonlyMap<AdType, Cohorts>): Settling['acos'][number] {
  const age = ages[index] ?? 0
  const dates = new Map<string, { shares: Share[]; end: FigureSums[] }>()
  for (const [adType, cohorts] of settled)
    for (const [date, { shown, end }] of pairsAt(age, cohorts)) {
      const curves = settling.adTypes[adType]?.curves[index]
      const day = dates.get(date) ?? { shares: [], end: [] }
      if (curves) dates.set(date, { shares: [...day.shares, { adType, curves, sums: shown }], end: [...day.end, end] })
    }
  let learnt = PRIOR_ORDERS
  const misses = [...dates.values()].flatMap(({ shares, end }) => {
    const total = addSums(end)
    const shown = addSums(shares.map(share => share.sums))
    const expected = middleOf('cost', shares) / middleOf('sales', shares)
    if (total.salesMicros <= 0 || shown.salesMicros <= 0 || total.costMicros <= 0 || !(expected > 0)) return []
    learnt += shown.orders
    return [Math.log(total.costMicros / total.salesMicros / expected) * root(shown.orders, 1)]
  })
  if (misses.length < LEAST_DAYS) return null
  const missing = 1 - priorShown('sales', age)
  return { learnt, ...endsOf(misses, Math.sqrt(missing + PRIOR_CORRECTED)) }
}

/** The ends between which nine of ten misses lie; some of a normal distribution are added to the few that were seen. */
function endsOf(misses: readonly number[], priorSpread: number): { low: number; high: number } {
  const weight = PRIOR_DAYS / normalPoints.length
  const points = [
    ...misses.map(value => ({ value, weight: 1 })),
    ...normalPoints.map(point => ({ value: point * priorSpread, weight })),
  ].toSorted((a, b) => a.value - b.value)
  const total = points.reduce((sum, point) => sum + point.weight, 0)
  const at = (share: number): number => {
    let reached = 0
    let before: { at: number; value: number } | null = null
    for (const { value, weight: own } of points) {
      const here = (reached + own / 2) / total
      if (here >= share) {
        if (!before) return value
        return before.value + ((value - before.value) * (share - before.at)) / (here - before.at)
      }
      before = { at: here, value }
      reached += own
    }
    return before?.value ?? 0
  }
  // The middle is always within.
  return { low: Math.min(0, at(0.05)), high: Math.max(0, at(0.95)) }
}

interface Share {
  adType: AdType
  curves: AgeCurves
  sums: FigureSums
}

const middleOf = (metric: Metric, shares: readonly Share[]): number =>
  sumBy(shares, ({ curves, sums }) => curves[metric].factor * sums[metrics[metric]])

/** A figure's range, in micros where it is money; ACOS as a fraction. */
export interface Range {
  low: number
  high: number
}
export type DayRange = Record<Metric, Range> & { acos: Range | null }

/** A figure of an ad type on a day, as it was shown, and how old it was: hours after the end of the day. */
interface Part {
  adType: AdType
  sums: FigureSums
}
export interface ShownDay {
  age: number
  sums: FigureSums
  parts: readonly Part[]
}

/**
 * Where a day will end, of which the parts by ad type were shown at an age (hours after its end). Null when all of it has
 * settled, when the day is not over, or when too little is known to say.
 */
export function rangeOf(settling: Settling, age: number, parts: readonly Part[]): DayRange | null {
  return rangeOfDays(settling, [{ age, sums: addSums(parts.map(part => part.sums)), parts }])
}

/**
 * Where the sum of days will end. Days that have settled, and one that is not over, count as they are shown. Null when no
 * other is among them, or when too little is known of one to say.
 */
export function rangeOfDays(settling: Settling, days: readonly ShownDay[]): DayRange | null {
  const moving = days.filter(day => isMoving(settling, day))
  const ofDays = moving.map(day => sharesOf(settling, day))
  if (!moving.length || ofDays.some((shares, i) => shares.length < (moving[i]?.parts.length ?? 0))) return null
  const final = addSums(days.filter(day => !moving.includes(day)).map(day => day.sums))
  return {
    ...fill(metricNames, metric => metricRange(metric, ofDays.flat(), final[metrics[metric]])),
    acos: acosRange(settling, moving, ofDays, final),
  }
}

const isMoving = (settling: Settling, { age, parts }: ShownDay): boolean =>
  age >= 0 && !parts.every(({ adType }) => age >= (settling.adTypes[adType]?.settledAge ?? Infinity))

const sharesOf = (settling: Settling, { age, parts }: ShownDay): Share[] =>
  parts.flatMap(({ adType, sums }) => {
    const curves = settling.adTypes[adType]?.curves[nearest(age)]
    return curves ? [{ adType, curves, sums }] : []
  })

/**
 * The errors of ad types and of days are independent of each other, so their squares add up. How far a factor is off, being
 * learnt from few days, is the same for all days of an ad type: that adds up as it is, and counts in a sum of many days.
 */
function metricRange(metric: Metric, shares: readonly Share[], final: number): Range {
  const field = metrics[metric]
  const middle = final + middleOf(metric, shares)
  const distance = (end: 'low' | 'high'): number =>
    Math.hypot(
      ...shares.map(({ curves, sums }) => curves[metric][end] * root(sums[field], curves[metric].unit)),
      ...[...Map.groupBy(shares, share => share.adType).values()].map(own =>
        sumBy(own, ({ curves, sums }) => (curves[metric][end] * sums[field]) / root(curves[metric].learnt, 1)),
      ),
    )
  // Whole orders and micros that lie between the ends: rounding outwards would cover more of the cases than was called.
  const low = Math.max(0, Math.ceil(middle - distance('low')))
  const high = Math.floor(middle + distance('high'))
  return low <= high ? { low, high } : { low: Math.round(middle), high: Math.round(middle) }
}

/** A day's error moves ACOS of all days by the day's share of their sales: that of one order at least. */
function acosRange(
  settling: Settling,
  days: readonly ShownDay[],
  ofDays: readonly Share[][],
  final: FigureSums,
): Range | null {
  const shares = ofDays.flat()
  const sales = final.salesMicros + middleOf('sales', shares)
  const middle = (final.costMicros + middleOf('cost', shares)) / sales
  const shown = addSums([final, ...days.map(day => day.sums)])
  const spreads = days.map(({ age }) => settling.acos[nearest(age)])
  if (shown.salesMicros <= 0 || !Number.isFinite(middle) || spreads.some(spread => !spread)) return null
  const parts = days.map(({ sums }, i) => {
    const own = ofDays[i] ?? []
    const order = Math.max(...own.map(({ curves }) => curves.sales.unit))
    return {
      orders: sums.orders,
      spread: spreads[i],
      share: Math.min(1, Math.max(middleOf('sales', own), order) / sales),
    }
  })
  const distance = (end: 'low' | 'high'): number =>
    Math.hypot(
      ...parts.map(({ orders, spread, share }) => (share * (spread?.[end] ?? 0)) / root(orders, 1)),
      sumBy(parts, ({ spread, share }) => (spread ? (share * spread[end]) / root(spread.learnt, 1) : 0)),
    )
  return { low: middle * Math.exp(-distance('low')), high: middle * Math.exp(distance('high')) }
}
