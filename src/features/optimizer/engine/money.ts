import { lastDays } from './days.ts'
import type { Estimates } from './estimate.ts'
import type { CampaignFacts, Facts } from './facts.ts'
import { bidOn, forecastDays } from './forecast.ts'
import type { Memory, Settings } from './settings.ts'
import { wantedBid } from './wanted-bid.ts'

// What campaigns would spend, and how far a budget that is short lowers all bids.

/**
 * The marketplace moves what is left of a day's budget to busier days: only who spends the budgets of several days together
 * could have spent more. By that share of them from which on something was missed, and at which it was missed surely, a
 * campaign wants so much more than it spends; and the longer it goes on, the more, since a budget that ended at noon does not
 * say how many clicks came after it.
 */
const short = { from: 0.92, surely: 1, wantsIfShort: 1.38, moreEachTime: 1.15, wantsMost: 3 }
const spendDays = 7
/** What the spend of a target follows its bid by: more clicks, and each a little dearer. */
const spendPower = 2
/**
 * Days differ: whose budget is wanted whole runs dry on every other one, and has paid for fewer, dearer clicks. Reach wants the
 * money used all the same.
 */
const usedShare = { PROFIT: 0.85, REACH: 1, LAUNCH: 1 }
const leastFactor = 0.1
/** The factor moves by bounded steps, and not for little. */
const money = { mostDown: 0.85, mostUp: 1.12, deadBand: 0.04 }

/** What a campaign would spend on a day that its budget does not end, and whether its budget ended days lately. */
export function wantedOf(
  { days, id }: CampaignFacts,
  today: string,
  { strategy, wants: before }: Pick<Settings, 'strategy'> & { wants?: Memory['wants'] | undefined },
) {
  const last = lastDays(days, today, spendDays)
  if (!last.length) return { wantedMicros: 0, wants: 1, isShort: false }
  const sum = last.reduce((all, one) => all + one.costMicros, 0)
  const budgets = last.reduce((all, one) => all + one.budgetMicros, 0)
  const clicks = last.reduce((all, one) => all + one.clicks, 0)
  // What is left of a day and does not pay for a click cannot be spent: half of one on average. Some is left in any case. Reach
  // bids for that too.
  const halfClicks = clicks > 0 && strategy !== 'REACH' ? (last.length * sum) / clicks / 2 : 0
  const unusable = Math.max(0, halfClicks - (1 - short.from) * budgets)
  const used = sum / Math.max(1, sum, budgets - unusable)
  const missed = Math.min(1, Math.max(0, (used - short.from) / (short.surely - short.from)))
  const most = Math.max(short.wantsIfShort, Math.min(short.wantsMost, short.moreEachTime * (before?.[id] ?? 1)))
  const wants = 1 + (most - 1) * missed
  return { wantedMicros: (wants * sum) / last.length, wants, isShort: missed > 0 }
}

/** By campaign: how many times what it spends it would spend with more money; to be remembered until the next time. */
export const wantsOf = (
  { campaigns }: Pick<Facts, 'campaigns'>,
  { strategy }: Settings,
  { wants }: Memory,
  today: string,
): Record<string, number> =>
  Object.fromEntries(campaigns.map(one => [one.id, wantedOf(one, today, { strategy, wants }).wants]))

export const pressureOf = (
  { campaigns }: Pick<Facts, 'campaigns'>,
  { budgetMicros, strategy }: Settings,
  today: string,
): number =>
  budgetMicros > 0
    ? campaigns.reduce((sum, one) => sum + wantedOf(one, today, { strategy }).wantedMicros, 0) / budgetMicros
    : 0

/** What a campaign may cost a day, and the part of the wanted bids with which it does. */
export interface Funding {
  moneyFactor: number
  /** Null on days on which it is not worked out. */
  spendMicros: number | null
}

/**
 * Cheaper clicks all day instead of dear ones until noon: the part of the wanted bids whose spend the budget pays for, and by
 * campaign where another one holds. What a target spends follows its bid; where bids still have steps to go, their end counts
 * and not today's spend.
 */
export function fund(
  { targets, campaigns }: Facts,
  { budgetMicros, strategy }: Settings,
  estimates: Estimates,
  multiplier: number,
  memory: Memory,
  today: string,
): { moneyFactor: number; fundings: Map<string, Funding> } {
  const byCampaign = Map.groupBy(targets, one => one.campaignId)
  const all = campaigns.map(campaign => {
    const { id, topRaise, limits } = campaign
    const { wants } = wantedOf(campaign, today, { strategy, wants: memory.wants })
    const courses = (byCampaign.get(id) ?? []).flatMap(target => {
      const bids = memory.targets?.[target.id]?.bids
      // What the days would have cost at the bid of today.
      const cost =
        lastDays(target.days, today, forecastDays).reduce(
          (sum, one) => sum + one.costMicros * (target.bidMicros / bidOn(target, bids, one.day)) ** spendPower,
          0,
        ) / forecastDays
      if (cost === 0 || !target.isEnabled) return []
      const { worthMicros, priorClicks, own, profitMicros } = estimates.ofTarget(target)
      const aim = { multiplier, moneyFactor: 1, topRaise, effectiveClicks: own.clicks }
      const bid = wantedBid({ ...aim, worthMicros, priorClicks }) / target.bidMicros
      const cap = (strategy === 'PROFIT' ? (profitMicros ?? Infinity) : Infinity) / target.bidMicros
      return [{ bid, cap, cost: cost * wants }]
    })
    const spendAt = (factor: number): number =>
      courses.reduce((sum, { bid, cap, cost }) => sum + cost * Math.min(bid * factor, cap) ** spendPower, 0)
    return { id, leastMicros: limits.minDailyBudgetMicros, spendAt }
  })
  // What a campaign has at least and does not spend, others cannot spend either: it spends that itself.
  const goal = highestWithin(budgetMicros * usedShare[strategy], factor =>
    all.reduce((sum, one) => sum + Math.max(one.leastMicros, one.spendAt(factor)), 0),
  )
  const fundings = all.map(({ id, leastMicros, spendAt }) => {
    // One that is not shown, as where its money does not pay for a click, says nothing of what it would spend.
    const followsAll = spendAt(goal) >= leastMicros || spendAt(1) === 0
    const own = followsAll ? goal : highestWithin(leastMicros, spendAt)
    return [
      id,
      { moneyFactor: stepTo(own, memory.moneyFactors?.[id], memory, multiplier), spendMicros: spendAt(own) },
    ] as const
  })
  return { moneyFactor: stepTo(goal, memory.moneyFactor, memory, multiplier), fundings: new Map(fundings) }
}

/** The highest factor up to 1 with which no more is spent. */
function highestWithin(budgetMicros: number, spendAt: (factor: number) => number): number {
  if (spendAt(1) <= budgetMicros) return 1
  let [low, high] = [leastFactor, 1]
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2
    if (spendAt(middle) > budgetMicros) high = middle
    else low = middle
  }
  return low
}

/** A bounded step from what is bid now, whichever of the two factors moves it. The first time bids are far from it anyway. */
function stepTo(goal: number, factor: number | undefined, memory: Memory, multiplier: number): number {
  if (factor === undefined || memory.multiplier === undefined) return goal
  const before = factor < 1 ? factor * (memory.multiplier / multiplier) : 1
  const step = Math.min(money.mostUp, Math.max(money.mostDown, goal / before))
  return Math.min(1, Math.abs(step - 1) < money.deadBand ? before : before * step)
}
