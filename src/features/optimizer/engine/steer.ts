import { addDays, daysBetween } from '#shared/time.ts'
import { type Estimates, sumByDay } from './estimate.ts'
import type { CampaignFacts, Facts, Memory, Settings, TargetFacts } from './model.ts'

// One multiplier for the whole group: what is bid for a unit of expected sales. Against prices like second prices it is the
// best way to bid under one target (Aggarwal et al., arXiv 2408.07685): the same ACOS for every keyword is not.

/** Days between two changes of the multiplier, the budgets or one bid. */
export const restDays = 3
const gain = 0.5
/** Expected orders with which half of a difference counts. */
const doubtOrders = 6
const mostDown = 0.12
const mostUp = 0.1
const deadBand = 0.03
/** The multiplier stays within these multiples of the target. */
const multiples = { least: 0.4, most: 3.5 }

export interface Aim {
  multiplier: number
  moneyFactor: number
  /** Expected cost over expected sales of the last week's clicks; null without clicks or sales. */
  forecastAcos: number | null
  /** Wanted spend of a day over the budget, by what campaigns spent when they had money. */
  pressure: number
  isSteered: boolean
}

/** Whether something may change again. */
export const isRested = (changedOn: string | undefined, today: string, days = restDays): boolean =>
  changedOn === undefined || daysBetween(changedOn, today) >= days

/** The days whose spend is complete: the last one ended yesterday. */
export function lastDays<T extends { day: string }>(days: readonly T[], today: string, count: number): T[] {
  const from = addDays(today, -count)
  return days.filter(({ day }) => day >= from && day < today)
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
  const isLaunch = strategy === 'LAUNCH'
  const week = weekOf(facts.targets, estimates, today)
  const forecastAcos = week.salesMicros > 0 ? week.costMicros / week.salesMicros : null
  const pressure = pressureOf(facts.campaigns, settings.budgetMicros, today)
  const start = targetAcos * startFactor(facts.targets, today)
  const { multiplier = start, moneyFactor = 1 } = memory
  const isFirst = memory.multiplier === undefined
  const fixed = { forecastAcos, pressure, isSteered: false }
  if (!isFirst && !isRested(memory.steeredOn, today)) return { ...fixed, multiplier, moneyFactor }
  // A launch is steered by its money alone.
  const money = isLaunch ? 1 : nextMoneyFactor(moneyFactor, pressure)
  if (isFirst) return { ...fixed, multiplier: clamped(start, targetAcos), moneyFactor: money, isSteered: true }
  const distance = isLaunch ? pressure : (forecastAcos ?? targetAcos) / targetAcos
  const off = distance > 0 ? Math.log(distance) : 0
  // While the bids or the budget stand in its way, a raise would only wind up.
  const waits = off < 0 && (isAtLimit || money < 1)
  if (Math.abs(off) < deadBand || waits) return { ...fixed, multiplier, moneyFactor: money, isSteered: true }
  const certainty = isLaunch ? 1 : week.orders / (week.orders + doubtOrders)
  const step = Math.min(mostUp, Math.max(-mostDown, -gain * certainty * off))
  return {
    ...fixed,
    multiplier: clamped(multiplier * Math.exp(step), targetAcos),
    moneyFactor: money,
    isSteered: true,
  }
}

const clamped = (multiplier: number, target: number): number =>
  Math.min(multiples.most * target, Math.max(multiples.least * target, multiplier))

/** What the last week's clicks cost, and what they are worth by the estimates: no waiting for orders that come late. */
function weekOf(targets: readonly TargetFacts[], estimates: Estimates, today: string) {
  const sum = { costMicros: 0, salesMicros: 0, orders: 0 }
  for (const target of targets) {
    const days = lastDays(target.days, today, 7)
    const clicks = days.reduce((all, one) => all + one.clicks, 0)
    if (clicks === 0) continue
    const { worthMicros, rate } = estimates.ofTarget(target)
    sum.costMicros += days.reduce((all, one) => all + one.costMicros, 0)
    sum.salesMicros += clicks * worthMicros
    sum.orders += clicks * rate
  }
  return sum
}

/** Bids over what clicks cost, by clicks: so that the first day moves little of what is right already. */
function startFactor(targets: readonly TargetFacts[], today: string): number {
  const sum = { bid: 0, cost: 0 }
  for (const { days, bidMicros } of targets)
    for (const { clicks, costMicros } of lastDays(days, today, 30)) {
      sum.bid += bidMicros * clicks
      sum.cost += costMicros
    }
  return sum.cost === 0 ? 1.35 : Math.min(2, Math.max(1.1, sum.bid / sum.cost))
}

/**
 * A day that used so much of its budget could have cost more. Campaigns want a little more than they spend, because days
 * differ, and the more the more of their days their budget ended.
 */
const short = { share: 0.93, wants: 1.08, wantsIfShort: 1.38 }
/** Days of spend that tell what is wanted: the marketplace moves money between days, so single days tell little. */
const spendDays = 4
/** How a short budget lowers bids, and when it counts as short. Spend follows bids about twice as fast. */
const shortMoney = { power: 0.5, most: 1.08, least: 0.88, high: 1.04, low: 0.96 }

/** What a campaign would spend on a day that its budget does not end, and whether its budget ended days lately. */
export function wantedOf({ days }: CampaignFacts, today: string): { wantedMicros: number; isShort: boolean } {
  const last = lastDays(days, today, spendDays)
  if (!last.length) return { wantedMicros: 0, isShort: false }
  const spend = last.reduce((sum, one) => sum + one.costMicros, 0) / last.length
  const ended = last.filter(({ costMicros, budgetMicros }) => costMicros > short.share * budgetMicros).length
  const wants = short.wants + (short.wantsIfShort - short.wants) * (ended / last.length)
  return { wantedMicros: wants * spend, isShort: ended > 0 }
}

const pressureOf = (campaigns: readonly CampaignFacts[], budgetMicros: number, today: string): number =>
  budgetMicros > 0 ? campaigns.reduce((sum, one) => sum + wantedOf(one, today).wantedMicros, 0) / budgetMicros : 0

/** Cheaper clicks all day instead of dear ones until noon. */
function nextMoneyFactor(factor: number, pressure: number): number {
  if (pressure <= shortMoney.high && pressure >= shortMoney.low) return factor
  const step = pressure > 0 ? pressure ** -shortMoney.power : shortMoney.most
  return Math.min(1, factor * Math.min(shortMoney.most, Math.max(shortMoney.least, step)))
}

/** At most so much is bid above a target's worth in order to learn about it. */
const mostCuriosity = 0.1
/** The part of the raise for the top of search that the base bid makes up for. */
const topShare = 0.35

/** What the group's aim lets a click be bid at, before any cap. */
export function wantedBid(of: {
  multiplier: number
  moneyFactor: number
  worthMicros: number
  priorClicks: number
  effectiveClicks: number
  topRaise: number
}): number {
  const curiosity = (mostCuriosity * of.priorClicks) / (of.priorClicks + of.effectiveClicks)
  return (of.multiplier * of.moneyFactor * of.worthMicros * (1 + curiosity)) / (1 + topShare * of.topRaise)
}

/** The spend of the whole group, by day. */
export const groupDays = (campaigns: readonly CampaignFacts[]) => sumByDay(campaigns.map(one => one.days))
