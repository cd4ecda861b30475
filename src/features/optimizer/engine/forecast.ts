import type { Micros } from '#shared/money.ts'
import { addDays, daysBetween } from '#shared/time.ts'
import { gamma, normal } from './distributions.ts'
import type { ClickWorth } from './estimate.ts'
import type { DayBound, DayForecast } from './decisions.ts'
import type { TargetFacts } from './facts.ts'
import type { TargetMemory } from './settings.ts'

// What a changed bid is expected to bring, and between which bounds: what a receipt is later held against.

/** A forecast is of the mean of so many days after the change. */
export const forecastDays = 14
/** What clicks, and the price of a click, follow a bid by, in the middle of the curves that were seen. */
const elasticity = 0.7

/** Clicks and their cost when the bid is so many times what it was. */
export const withBid = ({ clicks, costMicros }: { clicks: number; costMicros: number }, times: number) => ({
  clicks: clicks * times ** elasticity,
  costMicros: costMicros * times ** (2 * elasticity),
})

/** What a target's bid was at the end of a day. */
export const bidOn = ({ bidMicros }: TargetFacts, bids: TargetMemory['bids'], day: string): Micros =>
  bids?.find(([until]) => day < until)?.[1] ?? bidMicros
/** How far a market's own curve may be from that, as a standard deviation. */
const elasticityDoubt = { clicks: 0.5, clickPrice: 0.3 }
/** What rivals, shoppers and other changes of the group move within two weeks, as standard deviations of the logarithm. */
const marketDoubt = { clicks: 0.28, clickPrice: 0.05 }
/** The prices of single clicks of a target spread by this part of their mean. */
const clickSpread = 0.25
/** Targets with clicks are those that happened to get some: so many of them are luck. */
const luckyClicks = 1.5
/** Of 100 cases 80 lie between; both of two independent figures do where each does in the root of that. */
const tail = { one: 0.1, ofTwo: (1 - Math.sqrt(0.8)) / 2 }

/** What a mean day of the next ones brings at another bid; null where no click of the last ones says how many there are. */
export function forecastBid(
  target: TargetFacts,
  worth: ClickWorth,
  afterMicros: Micros,
  bids: TargetMemory['bids'],
  today: string,
): DayForecast | null {
  const from = addDays(today, -forecastDays)
  const days = target.days.filter(({ day }) => day >= from && day < today)
  const clicks = days.reduce((sum, one) => sum + one.clicks, 0)
  if (clicks === 0) return null
  // Each day's clicks are of the bid that it had.
  let [expected, cost, distance] = [0, 0, 0]
  for (const one of days) {
    const change = Math.log(afterMicros / bidOn(target, bids, one.day))
    expected += one.clicks * Math.exp(elasticity * change)
    cost += one.costMicros * Math.exp(2 * elasticity * change)
    distance += (one.clicks / clicks) * Math.abs(change)
  }
  // A target that is a few days old has not been seen for two weeks; one without clicks for days has.
  const first = target.days.reduce((earliest, one) => (one.day < earliest ? one.day : earliest), today)
  const usual = clicks / (clicks + luckyClicks)
  const daily = (expected * usual) / Math.min(forecastDays, daysBetween(first, today))
  const price = cost / expected
  const ofClicks = Math.hypot(Math.sqrt(1 / (clicks + 0.5)), elasticityDoubt.clicks * distance, marketDoubt.clicks)
  const sales = daily * worth.worthMicros
  const forecast = {
    clicks: daily,
    costMicros: Math.round(daily * price),
    orders: daily * worth.rate,
    acos: sales > 0 ? (daily * price) / sales : null,
    doubt: {
      clicks: ofClicks,
      clickPrice: Math.hypot(
        clickSpread / Math.sqrt(clicks),
        elasticityDoubt.clickPrice * distance,
        marketDoubt.clickPrice,
      ),
      orders: Math.hypot(ofClicks, 1 / Math.sqrt(worth.shape)),
    },
  }
  return { ...forecast, ...boundsOf(forecast, forecastDays) }
}

type Expected = Pick<DayForecast, 'clicks' | 'costMicros' | 'orders' | 'doubt'>

/** What a forecast says of days on which the bid was these multiples of the one that it was made for. */
export function withBids({ clicks, costMicros, orders, doubt }: Expected, multiples: readonly number[]): Expected {
  const mean = (of: (change: number) => number): number =>
    multiples.reduce((sum, one) => sum + of(Math.log(one)), 0) / multiples.length
  const more = mean(change => Math.exp(elasticity * change))
  const distance = mean(Math.abs)
  return {
    clicks: clicks * more,
    costMicros: Math.round(costMicros * mean(change => Math.exp(2 * elasticity * change))),
    orders: orders * more,
    doubt: {
      clicks: Math.hypot(doubt.clicks, elasticityDoubt.clicks * distance),
      clickPrice: Math.hypot(doubt.clickPrice, elasticityDoubt.clickPrice * distance),
      orders: Math.hypot(doubt.orders, elasticityDoubt.clicks * distance),
    },
  }
}

/**
 * Between which means of so many days a forecast holds in 80 of 100 cases: clicks and the price of a click both, orders for
 * themselves. Counts are Poisson about a mean that is gamma distributed by its doubt (negative binomial).
 */
export function boundsOf(
  { clicks, costMicros, orders, doubt }: Expected,
  days: number,
): { low: DayBound; high: DayBound } {
  const price = costMicros / clicks
  const spread = Math.hypot(doubt.clickPrice, clickSpread / Math.sqrt(Math.max(1, clicks * days)))
  const bound = (side: 'low' | 'high'): DayBound => {
    const at = (share: number): number => (side === 'low' ? share : 1 - share)
    return {
      clicks: countAt(at(tail.ofTwo), clicks * days, doubt.clicks) / days,
      clickMicros: Math.round(price * Math.exp(normal.inv(at(tail.ofTwo), 0, 1) * spread)),
      orders: countAt(at(tail.one), orders * days, doubt.orders) / days,
    }
  }
  return { low: bound('low'), high: bound('high') }
}

/** The least count that a share of the cases does not exceed, of a Poisson mean with this doubt. */
export function countAt(share: number, mean: number, doubt: number): number {
  if (mean <= 0) return 0
  const shape = 1 / Math.expm1(doubt ** 2)
  // With many counts chance is small beside the doubt, and the sum of single chances takes long.
  if (mean > 3000) return Math.round(gamma.inv(share, shape, mean / shape))
  const stay = shape / (shape + mean)
  let chance = stay ** shape
  let sum = chance
  let count = 0
  while (sum < share && count < 100_000) {
    count++
    chance *= ((shape + count - 1) / count) * (1 - stay)
    sum += chance
  }
  return count
}

/** The logarithm of the chance of a count whose mean is gamma distributed with a shape (negative binomial). */
export function countChance(count: number, mean: number, shape: number): number {
  const stay = shape / (shape + mean)
  let sum = shape * Math.log(stay)
  for (let i = 1; i <= count; i++) sum += Math.log(((shape + i - 1) / i) * (1 - stay))
  return sum
}
