import { isRested, lastDays, sumByDay } from './days.ts'
import type { Estimates } from './estimate.ts'
import type { CampaignFacts, Facts, TargetFacts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'

// One multiplier for the whole group: what is bid for a unit of expected sales. Against prices like second prices it is the
// best way to bid under one target (Aggarwal et al., arXiv 2408.07685): the same ACOS for every keyword is not.

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
  const factor = isLaunch
    ? 1
    : nextMoneyFactor(facts, settings, estimates, isFirst ? clamped(start, targetAcos) : multiplier, memory, today)
  if (isFirst) return { ...fixed, multiplier: clamped(start, targetAcos), moneyFactor: factor, isSteered: true }
  const distance = isLaunch ? pressure : (forecastAcos ?? targetAcos) / targetAcos
  const off = distance > 0 ? Math.log(distance) : 0
  // While the bids or the budget stand in its way, a raise would only wind up.
  const waits = off < 0 && (isAtLimit || factor < 1)
  if (Math.abs(off) < deadBand || waits) return { ...fixed, multiplier, moneyFactor: factor, isSteered: true }
  const certainty = isLaunch ? 1 : week.orders / (week.orders + doubtOrders)
  const step = Math.min(mostUp, Math.max(-mostDown, -gain * certainty * off))
  return {
    ...fixed,
    multiplier: clamped(multiplier * Math.exp(step), targetAcos),
    moneyFactor: factor,
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
/** What the spend of a target follows its bid by: more clicks, and each a little dearer. */
const spendPower = 1.6
const leastFactor = 0.1
/** The factor moves by bounded steps, and not for little. */
const money = { mostDown: 0.85, mostUp: 1.12, deadBand: 0.04 }

/** What a campaign would spend on a day that its budget does not end, and whether its budget ended days lately. */
export function wantedOf({ days }: CampaignFacts, today: string) {
  const last = lastDays(days, today, spendDays)
  if (!last.length) return { wantedMicros: 0, wants: short.wants, isShort: false }
  const spend = last.reduce((sum, one) => sum + one.costMicros, 0) / last.length
  const ended = last.filter(({ costMicros, budgetMicros }) => costMicros > short.share * budgetMicros).length
  const wants = short.wants + (short.wantsIfShort - short.wants) * (ended / last.length)
  return { wantedMicros: wants * spend, wants, isShort: ended > 0 }
}

const pressureOf = (campaigns: readonly CampaignFacts[], budgetMicros: number, today: string): number =>
  budgetMicros > 0 ? campaigns.reduce((sum, one) => sum + wantedOf(one, today).wantedMicros, 0) / budgetMicros : 0

/**
 * Cheaper clicks all day instead of dear ones until noon: the part of the wanted bids whose spend the budget pays for. What a
 * target spends follows its bid; where bids still have steps to go, their end counts and not today's spend.
 */
function nextMoneyFactor(
  { targets, campaigns }: Facts,
  { budgetMicros, strategy }: Settings,
  estimates: Estimates,
  multiplier: number,
  { moneyFactor }: Memory,
  today: string,
): number {
  const byId = new Map(campaigns.map(one => [one.id, { campaign: one, ...wantedOf(one, today) }]))
  const spends = targets.flatMap(target => {
    const own = byId.get(target.campaignId)
    const days = lastDays(target.days, today, spendDays)
    const cost = days.reduce((sum, one) => sum + one.costMicros, 0) / spendDays
    if (!own || cost === 0 || !target.isEnabled) return []
    const worth = estimates.ofTarget(target)
    const { topRaise } = own.campaign
    const aim = { multiplier, moneyFactor: 1, topRaise, effectiveClicks: worth.own.clicks }
    const bid = wantedBid({ ...aim, worthMicros: worth.worthMicros, priorClicks: worth.priorClicks })
    const cap = strategy === 'PROFIT' ? (worth.profitMicros ?? Infinity) : Infinity
    return [
      { campaign: own.campaign, bid: bid / target.bidMicros, cap: cap / target.bidMicros, cost: cost * own.wants },
    ]
  })
  // What a campaign has at least and does not spend, others cannot spend either.
  const ofCampaigns = [...Map.groupBy(spends, one => one.campaign)]
  const idle = campaigns
    .filter(one => !ofCampaigns.some(([own]) => own === one))
    .reduce((sum, one) => sum + one.limits.minDailyBudgetMicros, 0)
  const spendAt = (factor: number): number =>
    ofCampaigns.reduce((sum, [{ limits }, own]) => {
      const spend = own.reduce((all, { bid, cap, cost }) => all + cost * Math.min(bid * factor, cap) ** spendPower, 0)
      return sum + Math.max(limits.minDailyBudgetMicros, spend)
    }, idle)
  let [low, high] = [leastFactor, 1]
  if (spendAt(1) <= budgetMicros) low = 1
  else
    for (let i = 0; i < 20; i++) {
      const middle = (low + high) / 2
      if (spendAt(middle) > budgetMicros) high = middle
      else low = middle
    }
  // The first time bids are far from it anyway.
  if (moneyFactor === undefined) return low
  const step = Math.min(money.mostUp, Math.max(money.mostDown, low / moneyFactor))
  return Math.abs(step - 1) < money.deadBand ? moneyFactor : Math.min(1, moneyFactor * step)
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
