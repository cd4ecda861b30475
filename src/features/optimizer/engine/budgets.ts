import { ceilToUnit, floorToUnit, smallestUnitMicros } from '#shared/money.ts'
import type { CampaignFacts, Decision, Facts, Settings } from './model.ts'
import { type Aim, lastDays, wantedOf } from './steer.ts'

const steps = { down: 0.3, up: 0.4 }
const leastChange = 0.08

/**
 * Splits the same total by what the campaigns want, in bounded steps. Never more than the seller's total, than the marketplace
 * takes, or less than is spent today. Empty where nothing is worth a change.
 */
export function decideBudgets(
  { campaigns, currency }: Facts,
  { budgetMicros }: Settings,
  aim: Aim,
  today: string,
): Decision[] {
  const demand = campaigns.map(one => wantedOf(one, today))
  const sum = demand.reduce((all, one) => all + one, 0)
  if (sum === 0) return []
  const share = Math.min(1, budgetMicros / sum)
  const spare = Math.max(0, budgetMicros - sum * share) / campaigns.length
  const goals = campaigns.map((campaign, i) => stepTo((demand[i] ?? 0) * share + spare, campaign, currency))
  const after = withinTotal(goals, campaigns, budgetMicros, currency)
  return campaigns.flatMap((campaign, i): Decision[] => {
    const value = after[i] ?? campaign.budgetMicros
    const isOver = total(campaigns.map(one => one.budgetMicros)) > budgetMicros
    if (value === campaign.budgetMicros) return []
    // Below this nothing moves, unless the seller's total asks for it.
    if (!isOver && after.every((one, k) => Math.abs(one / (campaigns[k]?.budgetMicros ?? one) - 1) < leastChange))
      return []
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
        evidence: { costMicros: Math.round(demand[i] ?? 0), moneyFactor: aim.moneyFactor },
        forecast: null,
      },
    ]
  })
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

function leastOf({ limits, spentTodayMicros }: CampaignFacts, currency: string): number {
  return Math.max(limits.minDailyBudgetMicros, ceilToUnit(spentTodayMicros, currency))
}

function stepTo(goal: number, campaign: CampaignFacts, currency: string): number {
  const { budgetMicros, limits } = campaign
  const low = Math.max(leastOf(campaign, currency), budgetMicros * (1 - steps.down))
  const high = Math.min(limits.maxDailyBudgetMicros, budgetMicros * (1 + steps.up))
  return Math.max(leastOf(campaign, currency), floorToUnit(Math.min(high, Math.max(low, goal)), currency))
}

/** Takes what is above the total from the campaigns by what they have above their least, exactly to the unit. */
function withinTotal(
  goals: readonly number[],
  campaigns: readonly CampaignFacts[],
  budgetMicros: number,
  currency: string,
): number[] {
  const excess = total(goals) - budgetMicros
  if (excess <= 0) return [...goals]
  const least = campaigns.map(one => leastOf(one, currency))
  const room = goals.map((one, i) => one - (least[i] ?? one))
  const share = Math.min(1, excess / Math.max(total(room), smallestUnitMicros(currency)))
  return goals.map((one, i) => Math.max(least[i] ?? one, floorToUnit(one - (room[i] ?? 0) * share, currency)))
}

/** Raises of the top of search: what clicks there convert better, in steps, every so many days. */
const places = { priorOrders: 12, most: 0.4, step: 0.15, leastChange: 0.05, windowDays: 60 }
export const placeRestDays = 15

export function decidePlaces({ campaigns }: Facts, today: string): Decision[] {
  return campaigns.flatMap((campaign): Decision[] => {
    if (!campaign.places) return []
    const [top, other] = [campaign.places.top, campaign.places.other].map(days => {
      const last = lastDays(days, today, places.windowDays)
      return {
        clicks: total(last.map(one => one.clicks)),
        orders: total(last.map(one => one.orders)),
      }
    }) as [Sum, Sum]
    const rate = (top.orders + other.orders) / Math.max(1, top.clicks + other.clicks)
    if (rate === 0) return []
    const shrunk = ({ clicks, orders }: Sum): number =>
      (orders + places.priorOrders) / (clicks + places.priorOrders / rate)
    const goal = Math.min(places.most, Math.max(0, shrunk(top) / shrunk(other) - 1))
    const { topRaise } = campaign
    const step = Math.min(places.step, Math.max(-places.step, goal - topRaise))
    const after = Math.round((topRaise + step) * 100) / 100
    if (Math.abs(after - topRaise) < places.leastChange) return []
    return [
      {
        kind: 'placement',
        groupId: `placement ${campaign.id} ${today}`,
        entity: 'campaign',
        entityId: campaign.id,
        before: topRaise,
        after,
        cause: 'TOP_CONVERTS',
        asks: false,
        evidence: { clicks: top.clicks, orders: top.orders, rate: shrunk(top), parentRate: shrunk(other) },
        forecast: null,
      },
    ]
  })
}

interface Sum {
  clicks: number
  orders: number
}
