import { gamma } from './distributions.ts'
import { daysBetween } from '#shared/time.ts'
import { appealOf } from './appeal.ts'
import { findBreak, likeTheFamily } from './conversion-breaks.ts'
import { shownAt, sumByDay } from './days.ts'
import type { DayFigures, Facts, FamilyFacts, TargetFacts } from './facts.ts'

// What a click is worth. Each level (account, product family, ad group, target) is believed as far as it has clicks, and
// otherwise the level above it: gamma-Poisson shrinkage, after Yuan et al. 2018 (arXiv 1809.02213).

const usualHalfLifeDays = 45
const oldestDays = 75
/** What the family and the ad group take over from the level above, in orders. */
const levelOrders = 4
/** What a target is usually believed before it has clicks of its own, in orders. */
const usualShape = 2
/** What the usual rate of the category counts for, in orders, next to the account's own. */
const accountOrders = 1

/** What a unit sells at where neither its price nor any order is known: this many times the least bid, 20.00 of 0.02. */
const priceOfLeastBid = 1000

/** A sum of days: clicks as far as their orders are reported, and orders and sales, older ones counting less. */
export interface Weighed {
  clicks: number
  orders: number
  salesMicros: number
}
const nothing: Weighed = { clicks: 0, orders: 0, salesMicros: 0 }

/** What is known of the worth of a click. The rate is orders per click: gamma distributed, with this shape and these clicks. */
export interface ClickWorth {
  rate: number
  shape: number
  clicks: number
  parentRate: number
  /** Clicks that weigh as much as what was known before. */
  priorClicks: number
  own: Weighed
  orderMicros: number
  /** Expected sales of a click. */
  worthMicros: number
  /** Expected profit of a click before its price; null while costs are unknown. */
  profitMicros: number | null
}

export interface Estimates {
  ofTarget(target: TargetFacts): ClickWorth
  /** The worth of a click on a search or product page, as its source's other clicks and its own let expect. */
  ofDays(days: readonly DayFigures[], source: TargetFacts): ClickWorth
  family(id: string): FamilyFacts
  /** What conversions were multiplied by, and since when, where a family's have changed. */
  breaks: ReadonlyMap<string, { day: string; factor: number }>
  /** By the reports of a campaign's ad type; without one by those of the profile's usual one. */
  weigh(days: readonly DayFigures[], familyId?: string, campaignId?: string): Weighed
  /** The share of final orders that reports of a campaign show of a day so many days ago. */
  shownOf(campaignId: string, age: number): number
}

export function estimate(facts: Facts, today: string): Estimates {
  const families = new Map(facts.families.map(family => [family.id, family]))
  const family = (id: string): FamilyFacts => {
    const found = families.get(id)
    if (!found) throw new RangeError(`There is no product family ${id}.`)
    return found
  }
  const { halfLifeDays, priorOrders } = facts.fit ?? { halfLifeDays: usualHalfLifeDays, priorOrders: null }
  const curves = new Map(facts.campaigns.map(({ id, adType }) => [id, facts.shownBy?.[adType] ?? facts.shown]))
  const curveOf = (campaignId: string | undefined): readonly number[] =>
    (campaignId === undefined ? undefined : curves.get(campaignId)) ?? facts.shown
  // Days of another ad type, as if the usual one had reported them.
  const reportedLike = ({ campaignId, days }: TargetFacts): readonly DayFigures[] => {
    const curve = curveOf(campaignId)
    if (curve === facts.shown) return days
    return days.map(one => {
      const age = daysBetween(one.day, today)
      const usual = shownAt(facts.shown, age)
      return usual === 0 ? one : { ...one, clicks: (one.clicks * shownAt(curve, age)) / usual }
    })
  }
  const byFamily = Map.groupBy(facts.targets, target => target.familyId)
  const breaks = new Map(
    [...byFamily].flatMap(([id, targets]) => {
      const found = findBreak(sumByDay(likeTheFamily(targets.map(reportedLike))), facts.shown, today)
      return found ? [[id, found] as const] : []
    }),
  )
  // The same days come with each target.
  const weights = new Map<readonly number[], Map<string, { weight: number; shown: number }>>()
  const weightOf = (day: string, curve: readonly number[]): { weight: number; shown: number } => {
    const ofCurve = weights.get(curve) ?? new Map<string, { weight: number; shown: number }>()
    weights.set(curve, ofCurve)
    const cached = ofCurve.get(day)
    if (cached) return cached
    const age = daysBetween(day, today)
    const found = { weight: age > oldestDays ? 0 : 0.5 ** (age / halfLifeDays), shown: shownAt(curve, age) }
    ofCurve.set(day, found)
    return found
  }
  const weigh = (days: readonly DayFigures[], familyId?: string, campaignId?: string): Weighed => {
    const curve = curveOf(campaignId)
    const broke = familyId === undefined ? undefined : breaks.get(familyId)
    const sum = { ...nothing }
    for (const { day, clicks, orders, salesMicros } of days) {
      const { weight, shown } = weightOf(day, curve)
      if (weight === 0 || shown === 0) continue
      // Orders from before a break count as so many as the same clicks would bring now.
      const factor = weight * (broke && day < broke.day ? broke.factor : 1)
      sum.clicks += weight * clicks * shown
      sum.orders += factor * orders
      sum.salesMicros += factor * salesMicros
    }
    return sum
  }

  const account = weigh(facts.account)
  const below = (sum: Weighed, parent: number, weight = levelOrders): number =>
    (sum.orders + weight) / (sum.clicks + weight / parent)
  const own = new Map(facts.targets.map(target => [target.id, weigh(target.days, target.familyId, target.campaignId)]))
  const sumOf = (targets: readonly TargetFacts[]): Weighed =>
    targets.map(one => own.get(one.id) ?? nothing).reduce(add, nothing)
  const familySums = new Map([...byFamily].map(([id, targets]) => [id, sumOf(targets)]))
  // The mean of a level is that of its targets, not of its clicks: most of those are of the few that sell best. With more and more
  // clicks a target counts no more than what it would be believed without any (Bühlmann and Straub 1970).
  const usualClicks = usualShape / below(account, facts.categoryRate, accountOrders)
  const weighed = new Map([...own].map(([id, sum]) => [id, times(sum, usualClicks / (usualClicks + sum.clicks))]))
  const appeal = appealOf(facts.targets, weighed)
  // Clicks count as so many mean ones as their appeal lets them be worth.
  const credible = new Map(
    [...weighed].map(([id, sum]) => [id, { ...sum, clicks: sum.clicks * (appeal.get(id) ?? 1) }]),
  )
  const credibleOf = (targets: readonly TargetFacts[]): Weighed =>
    targets.map(one => credible.get(one.id) ?? nothing).reduce(add, nothing)
  const familyMeans = new Map([...byFamily].map(([id, targets]) => [id, credibleOf(targets)]))
  const groupMeans = new Map(
    [...Map.groupBy(facts.targets, groupKey)].map(([key, targets]) => [key, credibleOf(targets)] as const),
  )
  const searches = searchSums(facts, weigh)
  // Bought by whichever target, a search is the same search.
  const seen = (target: TargetFacts): Weighed => {
    const alone = own.get(target.id) ?? nothing
    if (target.matchType !== 'EXACT') return alone
    const everywhere = searches.get(`${target.familyId} ${target.text}`)
    return everywhere && everywhere.clicks > alone.clicks ? everywhere : alone
  }
  // Each level is what the others of it bring: whose own figures count again at each would be believed too soon.
  const rateAbove = (target: TargetFacts): number => {
    const family = familyMeans.get(target.familyId) ?? nothing
    const group = groupMeans.get(groupKey(target)) ?? nothing
    const others = without(account, familySums.get(target.familyId) ?? nothing)
    const ofAccount = below(others, facts.categoryRate, accountOrders)
    const ofFamily = below(without(family, group), ofAccount)
    return (appeal.get(target.id) ?? 1) * below(without(group, credible.get(target.id) ?? nothing), ofFamily)
  }
  const shape =
    priorOrders ??
    priorShape(facts.targets.map(target => ({ sum: own.get(target.id) ?? nothing, rate: rateAbove(target) })))
  const usualOrderMicros =
    account.orders > 0
      ? account.salesMicros / account.orders
      : priceOfLeastBid * Math.min(...facts.campaigns.map(one => one.limits.minBidMicros))
  const orderMicros = new Map(
    facts.families.map(({ id, priceMicros }) => {
      const { orders, salesMicros } = familySums.get(id) ?? nothing
      return [id, (salesMicros + levelOrders * (priceMicros ?? usualOrderMicros)) / (orders + levelOrders)]
    }),
  )
  const worthOf = (sum: Weighed, familyId: string, parentRate: number): ClickWorth => {
    const priorClicks = shape / parentRate
    const clicks = sum.clicks + priorClicks
    const rate = (sum.orders + shape) / clicks
    const order = orderMicros.get(familyId) ?? usualOrderMicros
    const { margin } = family(familyId)
    const worthMicros = rate * order
    const profitMicros = margin === null ? null : worthMicros * margin
    return {
      rate,
      shape: sum.orders + shape,
      clicks,
      parentRate,
      priorClicks,
      own: sum,
      orderMicros: order,
      worthMicros,
      profitMicros,
    }
  }
  const worths = new Map<string, ClickWorth>()
  const ofTarget = (target: TargetFacts): ClickWorth => {
    const worth = worths.get(target.id) ?? worthOf(seen(target), target.familyId, rateAbove(target))
    worths.set(target.id, worth)
    return worth
  }
  return {
    ofTarget,
    ofDays: (days, source) => {
      const sum = weigh(days, source.familyId, source.campaignId)
      const others = without(own.get(source.id) ?? nothing, sum)
      return worthOf(sum, source.familyId, below(others, rateAbove(source)))
    },
    family,
    breaks,
    weigh,
    shownOf: (campaignId, age) => shownAt(curveOf(campaignId), age),
  }
}

const times = (sum: Weighed, factor: number): Weighed => ({
  clicks: sum.clicks * factor,
  orders: sum.orders * factor,
  salesMicros: sum.salesMicros * factor,
})

const groupKey = ({ familyId, adGroupId }: TargetFacts): string => `${familyId} ${adGroupId}`

const add = (a: Weighed, b: Weighed): Weighed => ({
  clicks: a.clicks + b.clicks,
  orders: a.orders + b.orders,
  salesMicros: a.salesMicros + b.salesMicros,
})

const without = (all: Weighed, part: Weighed): Weighed => ({
  clicks: Math.max(0, all.clicks - part.clicks),
  orders: Math.max(0, all.orders - part.orders),
  salesMicros: Math.max(0, all.salesMicros - part.salesMicros),
})

function searchSums(facts: Facts, weigh: Estimates['weigh']): Map<string, Weighed> {
  const sums = new Map<string, Weighed>()
  for (const { familyId, campaignId, text, days } of facts.terms) {
    const key = `${familyId} ${text}`
    sums.set(key, add(sums.get(key) ?? nothing, weigh(days, familyId, campaignId)))
  }
  return sums
}

/** What a target takes over from the level above, in orders: how alike the targets are, by the method of moments. */
function priorShape(targets: readonly { sum: Weighed; rate: number }[]): number {
  let expectedSquared = 0
  let excess = 0
  for (const { sum, rate } of targets) {
    if (sum.clicks < 5) continue
    const expected = sum.clicks * rate
    expectedSquared += expected ** 2
    excess += (sum.orders - expected) ** 2 - expected
  }
  return Math.min(6, Math.max(1, (expectedSquared + 20) / (Math.max(0, excess) + 10)))
}

/** Where the rate of a target lies in 80 of 100 cases. */
export const bandOf = ({ shape, clicks }: ClickWorth): [number, number] => [
  gamma.inv(0.1, shape, 1 / clicks),
  gamma.inv(0.9, shape, 1 / clicks),
]

/** How many times its estimate a rate is at most, in 90 of 100 cases. */
export const highRate = (shape: number): number => gamma.inv(0.9, shape, 1 / shape)

/** How likely it is that fewer orders than `rate` come of a click. */
export const chanceBelow = (rate: number, { shape, clicks }: Pick<ClickWorth, 'shape' | 'clicks'>): number =>
  rate <= 0 ? 0 : gamma.cdf(rate, shape, 1 / clicks)
