import { isRested, lastDays } from './days.ts'
import type { Estimates } from './estimate.ts'
import type { Facts } from './facts.ts'
import { bidOn, forecastDays, withBid } from './forecast.ts'
import { fund, type Funding, pressureOf } from './money.ts'
import type { Memory, Settings } from './settings.ts'
import { whyStays } from './stays.ts'
import { wantedBid } from './wanted-bid.ts'

// One multiplier for the whole group: what is bid for a unit of expected sales. Against prices like second prices it is the
// best way to bid under one target (Aggarwal et al., arXiv 2408.07685): the same ACOS for every keyword is not. What it must be
// follows from what clicks cost at the bids that it asks for; not from what they cost on the way there, or it would overshoot.

/** The logarithm of the multiplier moves by at most so much a time, and not for little. */
const most = { down: 0.3, up: 0.2 }
const deadBand = 0.04
/** A launch follows what it spends half of the way, by smaller steps. */
const launchStep = { gain: 0.5, down: 0.12, up: 0.1 }
/** The multiplier stays within these multiples of the target. */
const multiples = { least: 0.4, most: 3.5 }
/** What bids are over what clicks cost, until clicks say it. */
const usualOverPrice = 1.35
/** A ceiling is aimed at from a little below: what sells is known roughly. */
const aimedShare = 0.96
/**
 * A small step up, to see whether it earns: what sales, and the price of a click, follow bids by that are near the most profit. There
 * fewer auctions are won than in the middle of the curves, and each step wins more.
 */
const nextStep = { times: 1.01, powers: { sales: 0.9, clickPrice: 0.7 } }
/** Clicks with which half of what they say counts. */
const doubtClicks = 10

export interface Aim {
  multiplier: number
  moneyFactor: number
  /** By campaign, where it has been worked out: the money factor, and what it may cost a day. */
  fundings: ReadonlyMap<string, Funding>
  /** Expected cost over expected sales of the last week's clicks; null without clicks or sales. */
  forecastAcos: number | null
  /** Wanted spend of a day over the budget, by what campaigns spent when they had money. */
  pressure: number
  isSteered: boolean
}

export function steer(
  facts: Facts,
  settings: Settings,
  memory: Memory,
  estimates: Estimates,
  today: string,
  { isAtLimit }: { isAtLimit: boolean },
): Aim {
  const { targetAcos, strategy } = settings
  const week = weekOf(facts, estimates, today)
  const forecastAcos = week.salesMicros > 0 ? week.costMicros / week.salesMicros : null
  const pressure = pressureOf(facts, settings, today)
  const remembered = Object.entries(memory.moneyFactors ?? {})
  const fixed = {
    forecastAcos,
    pressure,
    fundings: new Map<string, Funding>(remembered.map(([id, moneyFactor]) => [id, { moneyFactor, spendMicros: null }])),
  }
  const { multiplier: before, moneyFactor = 1 } = memory
  if (before !== undefined && !isRested(memory.steeredOn, today))
    return { ...fixed, multiplier: before, moneyFactor, isSteered: false }
  if (strategy === 'LAUNCH') {
    // A launch is steered by its money alone.
    const off = before !== undefined && pressure > 0 ? Math.log(pressure) : 0
    const waits = Math.abs(off) < deadBand || (off < 0 && isAtLimit)
    const step = waits ? 0 : within(-launchStep.gain * off, -launchStep.down, launchStep.up)
    const multiplier = clamped((before ?? usualOverPrice * targetAcos) * Math.exp(step), targetAcos)
    return { ...fixed, multiplier, moneyFactor: 1, fundings: new Map(), isSteered: true }
  }
  const goal = multiplierFor(facts, settings, memory, estimates, today)
  const off = Math.log(goal / (before ?? goal))
  const step = Math.abs(off) < deadBand ? 0 : within(off, -most.down, most.up)
  const multiplier = (before ?? goal) * Math.exp(step)
  return { ...fixed, multiplier, ...fund(facts, settings, estimates, multiplier, memory, today), isSteered: true }
}

const within = (value: number, least: number, greatest: number): number => Math.min(greatest, Math.max(least, value))

const clamped = (multiplier: number, target: number): number =>
  within(multiplier, multiples.least * target, multiples.most * target)

/**
 * The multiplier whose bids let the clicks of the last days cost the target, as far as there are clicks to tell. Profit stops
 * before that where dearer clicks cost more than they earn: a higher bid makes all clicks dearer, not only the new ones.
 */
function multiplierFor(
  { targets, campaigns, holdout, families }: Facts,
  { targetAcos, strategy, untouched, highestBidMicros }: Settings,
  memory: Memory,
  estimates: Estimates,
  today: string,
): number {
  const byId = new Map(campaigns.map(one => [one.id, one]))
  const sets = { untouched: new Set(untouched), holdout: new Set(holdout) }
  const courses = targets.flatMap(target => {
    const campaign = byId.get(target.campaignId)
    const own = memory.targets?.[target.id]
    const days = lastDays(target.days, today, forecastDays)
    if (!campaign || !target.isEnabled || !days.some(one => one.clicks > 0)) return []
    const worth = estimates.ofTarget(target)
    // As if all days had been at one bid.
    const atOne = { clicks: 0, costMicros: 0 }
    for (const one of days) {
      const at = withBid(one, 1 / bidOn(target, own?.bids, one.day))
      atOne.clicks += at.clicks
      atOne.costMicros += at.costMicros
    }
    const highest = Math.min(
      highestBidMicros ?? Infinity,
      strategy === 'PROFIT' ? (worth.profitMicros ?? Infinity) : Infinity,
    )
    const stays = whyStays(target, campaign, own?.pinnedUntil, sets, today) !== null
    return [
      {
        atOne,
        seen: days.reduce((sum, one) => sum + one.clicks, 0),
        worthMicros: worth.worthMicros,
        // Without costs only the target holds.
        earnedMicros: strategy === 'PROFIT' ? worth.profitMicros : null,
        bidAt: (multiplier: number): number => {
          if (stays) return target.bidMicros
          const { priorClicks } = worth
          const of = { multiplier, moneyFactor: 1, worthMicros: worth.worthMicros, priorClicks }
          const bid = wantedBid({ ...of, effectiveClicks: worth.own.clicks, topRaise: campaign.topRaise })
          return Math.max(campaign.limits.minBidMicros, Math.min(highest, bid))
        },
      },
    ]
  })
  const at = (multiplier: number) => {
    const sum = { cost: 0, sales: 0, gain: 0 }
    for (const { atOne, bidAt, worthMicros, earnedMicros } of courses) {
      const bid = bidAt(multiplier)
      const { clicks, costMicros } = withBid(atOne, bid)
      sum.cost += costMicros
      sum.sales += clicks * worthMicros
      if (earnedMicros === null) continue
      const step = bidAt(multiplier * nextStep.times) / bid
      const { sales, clickPrice } = nextStep.powers
      sum.gain += clicks * earnedMicros * (step ** sales - 1) - costMicros * (step ** (sales + clickPrice) - 1)
    }
    return sum
  }
  const isTooHigh = (multiplier: number): boolean => {
    const { cost, sales, gain } = at(multiplier)
    return cost > aimedShare * targetAcos * sales || gain < 0
  }
  const usual = usualOverPrice * targetAcos
  if (!courses.length) return usual
  // Beyond what a click earns nothing is bid anyway.
  const margins = strategy === 'PROFIT' ? families.map(one => one.margin ?? Infinity) : [Infinity]
  let low = multiples.least * targetAcos
  let high = Math.max(low, Math.min(multiples.most * targetAcos, usualOverPrice * Math.max(...margins)))
  for (let i = 0; i < 20; i++) {
    const middle = Math.sqrt(low * high)
    if (isTooHigh(middle)) high = middle
    else low = middle
  }
  const clicks = courses.reduce((sum, one) => sum + one.seen, 0)
  return usual * (low / usual) ** (clicks / (clicks + doubtClicks))
}

/** What the last week's clicks cost, and what they are worth by the estimates: no waiting for orders that come late. */
function weekOf({ targets }: Facts, estimates: Estimates, today: string) {
  const sum = { costMicros: 0, salesMicros: 0 }
  for (const target of targets) {
    const days = lastDays(target.days, today, 7)
    const clicks = days.reduce((all, one) => all + one.clicks, 0)
    if (clicks === 0) continue
    sum.costMicros += days.reduce((all, one) => all + one.costMicros, 0)
    sum.salesMicros += clicks * estimates.ofTarget(target).worthMicros
  }
  return sum
}
