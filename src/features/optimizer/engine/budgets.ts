import { ceilToUnit, floorToUnit, smallestUnitMicros } from '#shared/money.ts'
import type { Basis, Decision } from './decisions.ts'
import type { CampaignFacts, Facts } from './facts.ts'
import type { Settings } from './settings.ts'
import { mayChange } from './stays.ts'
import { lastDays } from './days.ts'
import { wantedOf } from './money.ts'
import type { Aim } from './steer.ts'

const steps = { down: 0.3, up: 0.4 }
/** No campaign gets more than so many times its part of the money. */
const mostFunded = 4
/** Smaller changes of a budget change nothing. */
const leastChange = 0.1
/** Of the money, what may be in no campaign before small raises count too. */
const mostIdle = 0.05

/**
 * Splits the same total by what the campaigns want, in bounded steps. Never more than the seller's total, than the marketplace
 * takes, or less than is spent today. Empty where nothing is worth a change.
 */
export function decideBudgets(
  { campaigns: all, targets, currency }: Facts,
  { budgetMicros: totalMicros, strategy }: Settings,
  aim: Aim,
  today: string,
): Decision[] {
  const fills = strategy !== 'PROFIT'
  const campaigns = all.filter(one => mayChange(one, 'budget'))
  // Budgets that rules of the marketplace move stay, and take their part of the total.
  const budgetMicros = totalMicros - total(all.filter(one => !mayChange(one, 'budget')).map(one => one.budgetMicros))
  const wanting = campaigns.map(one => wantedOf(one, today, { strategy }))
  // A campaign whose budget does not pay for a click is not shown, and would never spend again: each wants one click a day. Where
  // the money does not pay for that many, it goes to those that spend.
  const mostOfClicks = campaigns.map(({ id }) => clickOf(targets, id, currency))
  const clicks = total(mostOfClicks) <= budgetMicros ? mostOfClicks : mostOfClicks.map(() => 0)
  // Where bids have steps to go, what they end at is wanted.
  const demand = campaigns.map((one, i) =>
    Math.max(clicks[i] ?? 0, aim.fundings.get(one.id)?.spendMicros ?? wanting[i]?.wantedMicros ?? 0),
  )
  const sum = total(demand)
  const isOver = total(campaigns.map(one => one.budgetMicros)) > budgetMicros
  // While nobody lacks money, another split would change nothing.
  if (!campaigns.length || (!isOver && !wanting.some(one => one.isShort))) return []
  const current = campaigns.map(one => one.budgetMicros)
  const uncutWith = (fundedShare: number) =>
    campaigns.map((campaign, i) => ({
      currency,
      wantedMicros: demand[i] ?? 0,
      fundedShare,
      cutShare: 0,
      raiseShare: 1,
      leastMicros: Math.max(leastOf(campaign, currency), Math.min(campaign.budgetMicros, clicks[i] ?? 0)),
      mostMicros: campaign.limits.maxDailyBudgetMicros,
    }))
  const budgetsOf = (bases: readonly NonNullable<Basis['budget']>[]): number[] =>
    bases.map((basis, i) => budgetFrom(current[i] ?? 0, basis))
  // What is left goes to those that spend, in proportion: they may want more tomorrow. What one may not take yet goes to the
  // others, but not under Profit: while bids are still too high, more money buys more of the dear clicks.
  const even = sum > 0 ? Math.max(0, budgetMicros / sum) : 0
  const uncut = uncutWith(fills ? highestShare(budgetMicros, even, share => total(budgetsOf(uncutWith(share)))) : even)
  const goals = budgetsOf(uncut)
  // What is above the total is cut from the campaigns by what they have above their least.
  const room = total(goals) - total(uncut.map(one => one.leastMicros))
  const excess = Math.max(0, total(goals) - budgetMicros)
  const cutShare = Math.min(1, excess / Math.max(room, smallestUnitMicros(currency)))
  const cut = uncut.map(basis => ({ ...basis, cutShare }))
  // Raises are paid from money that is free already: should a cut not arrive, the total holds all the same.
  const raises = total(budgetsOf(cut).map((one, i) => Math.max(0, one - (current[i] ?? one))))
  const free = Math.max(0, budgetMicros - total(current))
  const bases = cut.map(basis => ({ ...basis, raiseShare: raises > free ? free / raises : 1 }))
  const planned = budgetsOf(bases)
  // Small raises count where they use money that no campaign has.
  const isIdle = fills && free > mostIdle * budgetMicros
  const isSmall = (one: number, i: number): boolean =>
    Math.abs(one / (current[i] ?? one) - 1) < leastChange && !(isIdle && one > (current[i] ?? one))
  const after = planned.map((one, i) => (!isOver && isSmall(one, i) ? (current[i] ?? one) : one))
  return campaigns.flatMap((campaign, i): Decision[] => {
    const value = after[i] ?? campaign.budgetMicros
    if (value === campaign.budgetMicros) return []
    return [
      {
        kind: 'budget',
        groupId: `budgets ${today}`,
        entity: 'campaign',
        entityId: campaign.id,
        before: campaign.budgetMicros,
        after: value,
        cause: 'BUDGET_SPLIT',
        asks: false,
        evidence: {
          costMicros: Math.round(demand[i] ?? 0),
          moneyFactor: aim.moneyFactor,
          ...(bases[i] && { basis: { budget: bases[i] } }),
        },
        forecast: null,
      },
    ]
  })
}

/** The part of what is wanted with which the budgets add up to the money; at least `even`. */
function highestShare(budgetMicros: number, even: number, sumWith: (share: number) => number): number {
  let [low, high] = [even, mostFunded * even]
  for (let i = 0; i < 20; i++) {
    const middle = (low + high) / 2
    if (sumWith(middle) > budgetMicros) high = middle
    else low = middle
  }
  return low
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

/** What a click of a campaign costs at most at its mean bid; 0 where nothing of it serves. */
function clickOf(targets: Facts['targets'], campaignId: string, currency: string): number {
  const bids = targets.filter(one => one.campaignId === campaignId && one.isEnabled).map(one => one.bidMicros)
  return bids.length ? ceilToUnit(total(bids) / bids.length, currency) : 0
}

function leastOf({ limits, spentTodayMicros }: CampaignFacts, currency: string): number {
  return Math.max(limits.minDailyBudgetMicros, ceilToUnit(spentTodayMicros, currency))
}

/** The budget that follows from its basis alone: what is wanted as far as it is funded, a bounded step, cut to the total. */
export function budgetFrom(budgetMicros: number, basis: NonNullable<Basis['budget']>): number {
  const { currency, wantedMicros, fundedShare, cutShare, raiseShare, leastMicros, mostMicros } = basis
  const low = Math.max(leastMicros, budgetMicros * (1 - steps.down))
  const high = Math.min(mostMicros, budgetMicros * (1 + steps.up))
  const funded = Math.min(high, Math.max(low, wantedMicros * fundedShare))
  const goal = Math.max(leastMicros, floorToUnit(funded, currency))
  const within = Math.max(leastMicros, floorToUnit(goal - (goal - leastMicros) * cutShare, currency))
  const after = cutShare === 0 ? goal : within
  return after > budgetMicros ? floorToUnit(budgetMicros + (after - budgetMicros) * raiseShare, currency) : after
}

/** Raises of the top of search: what clicks there convert better, in steps, every so many days. */
const places = { priorOrders: 12, most: 0.4, step: 0.15, leastChange: 0.05, windowDays: 60 }
export const placeRestDays = 15

export function decidePlaces({ campaigns }: Facts, today: string): Decision[] {
  return campaigns.flatMap((campaign): Decision[] => {
    if (!campaign.places || !mayChange(campaign, 'placements')) return []
    const [top, other] = [campaign.places.top, campaign.places.other].map(days => {
      const last = lastDays(days, today, places.windowDays)
      return { clicks: total(last.map(one => one.clicks)), orders: total(last.map(one => one.orders)) }
    }) as [Sum, Sum]
    const { topRaise } = campaign
    const basis = {
      topClicks: top.clicks,
      topOrders: top.orders,
      otherClicks: other.clicks,
      otherOrders: other.orders,
    }
    const found = raiseFrom(topRaise, basis)
    if (!found || Math.abs(found.after - topRaise) < places.leastChange) return []
    return [
      {
        kind: 'placement',
        groupId: `placement ${campaign.id} ${today}`,
        entity: 'campaign',
        entityId: campaign.id,
        before: topRaise,
        after: found.after,
        cause: 'TOP_CONVERTS',
        asks: false,
        evidence: {
          clicks: top.clicks,
          orders: top.orders,
          rate: found.rate,
          parentRate: found.otherRate,
          basis: { placement: basis },
        },
        forecast: null,
      },
    ]
  })
}

/** The raise that follows from the clicks and orders of both places; null without any order. */
export function raiseFrom(topRaise: number, basis: NonNullable<Basis['placement']>) {
  const { topClicks, topOrders, otherClicks, otherOrders } = basis
  const all = (topOrders + otherOrders) / Math.max(1, topClicks + otherClicks)
  if (all === 0) return null
  const shrunk = (orders: number, clicks: number): number =>
    (orders + places.priorOrders) / (clicks + places.priorOrders / all)
  const [rate, otherRate] = [shrunk(topOrders, topClicks), shrunk(otherOrders, otherClicks)]
  const goal = Math.min(places.most, Math.max(0, rate / otherRate - 1))
  const step = Math.min(places.step, Math.max(-places.step, goal - topRaise))
  return { after: Math.round((topRaise + step) * 100) / 100, rate, otherRate }
}

interface Sum {
  clicks: number
  orders: number
}
