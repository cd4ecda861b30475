import { studentt } from '../engine/distributions.ts'
import type { Interval } from './holdout.ts'
import type { Receipt } from './receipts.ts'

// Whether the engine's forecasts of a group may be believed: how many of its bands held, and whether its forecast ACOS was what
// came in the end.

/** The band of a receipt is meant to hold in 80 of 100 cases; within these it is called calibrated. */
const calibrated = { low: 0.75, high: 0.85 }
const mostBias = 0.1
/** Orders of a month whose ACOS is to be judged: the bias of fewer is chance. */
const leastOrders = 30
/** Weeks from which a slope is drawn. */
const leastWeeks = 6
const normalAt975 = 1.96

/** A week of a group: what its clicks were forecast to sell at its end, and what they have sold once it had settled. */
export interface ForecastWeek {
  /** Its last day. */
  day: string
  costMicros: number
  /** Cost over the forecast ACOS of that day. */
  forecastSalesMicros: number
  settledSalesMicros: number
  settledOrders: number
}

export interface Calibration {
  /** `2026-11`. */
  month: string
  /** Receipts with a verdict, and those of them whose bands held. */
  bands: number
  held: number
  /** The share that held, with an interval of 95 of 100 cases; null without any. */
  share: Interval | null
  /** Null while the interval is wider than the question: it holds 75 to 85 % and more on both sides. */
  isCalibrated: boolean | null
  /** By how much the forecast ACOS was too high (above 0) or too low, as a part of the settled one; null without sales. */
  bias: Interval | null
  /** Of the logarithm of settled ACOS on that of the forecast, over the weeks until then: 1 where it follows, 0 where not. */
  slope: Interval | null
  /** Of the weeks of the month. */
  orders: number
}

/** The calibration of one month. Receipts count in the month in which their days end, weeks in that of their last day. */
export function calibrate(month: string, receipts: readonly Receipt[], weeks: readonly ForecastWeek[]): Calibration {
  const judged = receipts.filter(one => one.verdict !== 'TOO_EARLY' && one.to.startsWith(month))
  const held = judged.filter(one => one.verdict === 'AS_EXPECTED').length
  const share = judged.length ? shareOf(held, judged.length) : null
  const own = weeks.filter(({ day }) => day.startsWith(month))
  const sum = {
    forecast: sumBy(own, one => one.forecastSalesMicros),
    settled: sumBy(own, one => one.settledSalesMicros),
    orders: sumBy(own, one => one.settledOrders),
  }
  return {
    month,
    bands: judged.length,
    held,
    share,
    isCalibrated:
      share && (share.high < calibrated.low || share.low > calibrated.high ? false : isNarrow(share) ? true : null),
    bias: biasOf(sum),
    slope: slopeOf(weeks.filter(({ day }) => day.slice(0, 7) <= month)),
    orders: sum.orders,
  }
}

const isNarrow = ({ low, high }: Interval): boolean => high - low < 0.3

/** A share with its interval (Wilson 1927), which holds for few cases too. */
function shareOf(held: number, count: number): Interval {
  const square = normalAt975 ** 2
  const share = held / count
  const middle = (share + square / (2 * count)) / (1 + square / count)
  const reach =
    (normalAt975 * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2))) / (1 + square / count)
  return { low: Math.max(0, middle - reach), middle: share, high: Math.min(1, middle + reach) }
}

/** The cost is the same in both, so ACOS is off by what sales are off. Orders differ in value, by about half. */
function biasOf({ forecast, settled, orders }: { forecast: number; settled: number; orders: number }): Interval | null {
  if (forecast <= 0 || settled <= 0) return null
  const middle = settled / forecast
  const reach = normalAt975 * Math.sqrt(1.25 / Math.max(1, orders))
  return { low: middle * Math.exp(-reach) - 1, middle: middle - 1, high: middle * Math.exp(reach) - 1 }
}

/** Weighed by orders: weeks with few say little. */
function slopeOf(weeks: readonly ForecastWeek[]): Interval | null {
  const points = weeks
    .filter(one => one.costMicros > 0 && one.forecastSalesMicros > 0 && one.settledSalesMicros > 0)
    .map(one => ({
      x: Math.log(one.costMicros / one.forecastSalesMicros),
      y: Math.log(one.costMicros / one.settledSalesMicros),
      weight: one.settledOrders,
    }))
  if (points.length < leastWeeks) return null
  const total = sumBy(points, one => one.weight)
  const [x, y] = [sumBy(points, one => one.weight * one.x) / total, sumBy(points, one => one.weight * one.y) / total]
  const squares = sumBy(points, one => one.weight * (one.x - x) ** 2)
  if (!(squares > 0)) return null
  const slope = sumBy(points, one => one.weight * (one.x - x) * (one.y - y)) / squares
  const misses = sumBy(points, one => one.weight * (one.y - y - slope * (one.x - x)) ** 2) / (points.length - 2)
  const reach = studentt.inv(0.975, points.length - 2) * Math.sqrt(misses / squares)
  return { low: slope - reach, middle: slope, high: slope + reach }
}

/**
 * Whether what the engine assumes is to be fitted again: the forecast ACOS was off by more than 10 % in the same direction in
 * this month and the one before, each with orders enough to tell. Then `learnShown` and `refit` are called, and the row of
 * `refitRow` is written.
 */
export function mustRefit(before: Calibration | null, now: Calibration): boolean {
  const isOff = (one: Calibration | null): one is Calibration & { bias: Interval } =>
    one !== null && one.bias !== null && one.orders >= leastOrders && Math.abs(one.bias.middle) > mostBias
  return isOff(before) && isOff(now) && Math.sign(before.bias.middle) === Math.sign(now.bias.middle)
}

const sumBy = <T>(list: readonly T[], read: (one: T) => number): number => list.reduce((sum, one) => sum + read(one), 0)
