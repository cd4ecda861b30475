import { fromMicros, roundToUnit } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { Fact } from '../../market/market.ts'
import { ranOutIn } from './ran-out.ts'

/** What a Sponsored Products campaign did in the seven whole days before a moment, and how long it had money. */
export interface CampaignWeek {
  /** First and last day. */
  startDate: string
  endDate: string
  costMicros: number
  salesMicros: number
  /** Days on which the money ran out. */
  daysOut: number
  /** Share of the week in which there was money, 0 to 1. */
  timeInBudget: number
  /** What the rest of those days would have brought at the same pace. */
  missed: { impressions: number; clicks: number; orders: number; salesMicros: number }
}

const DAYS = 7
const HOURS = 24

type Day = Pick<CampaignWeek, 'costMicros' | 'salesMicros'> & Pick<Fact, 'impressions' | 'clicks'> & { orders: number }

function sumUp(facts: readonly Fact[]): Day {
  const day: Day = { costMicros: 0, impressions: 0, clicks: 0, orders: 0, salesMicros: 0 }
  for (const fact of facts) {
    day.costMicros += fact.costMicros
    day.impressions += fact.impressions
    day.clicks += fact.clicks
    day.orders += fact.orders.d7
    day.salesMicros += fact.salesMicros.d7
  }
  return day
}

/** The share of a day that its money lasted. */
function shareOf(day: readonly Fact[], budgetMicros: number): number {
  const last = ranOutIn(day, budgetMicros)
  return last ? (last.hour + 1) / HOURS : 1
}

function weekOf(facts: readonly Fact[], budgetMicros: number, ends: [startDate: string, endDate: string]) {
  const [startDate, endDate] = ends
  const week: CampaignWeek = {
    startDate,
    endDate,
    costMicros: 0,
    salesMicros: 0,
    daysOut: 0,
    timeInBudget: 1,
    missed: { impressions: 0, clicks: 0, orders: 0, salesMicros: 0 },
  }
  for (const day of Map.groupBy(facts, fact => fact.day).values()) {
    const sum = sumUp(day)
    const share = shareOf(day, budgetMicros)
    week.costMicros += sum.costMicros
    week.salesMicros += sum.salesMicros
    if (share < 1) week.daysOut++
    week.timeInBudget -= (1 - share) / DAYS
    for (const figure of ['impressions', 'clicks', 'orders', 'salesMicros'] as const)
      week.missed[figure] += sum[figure] * (1 / share - 1)
  }
  return week
}

/** The weeks of a profile's campaigns, by campaign; none of those that never showed in it. */
export function campaignWeeks(world: World, profile: Profile, at: Date): Map<string, CampaignWeek> {
  const endDate = addDays(dayIn(at, profile.timezone), -1)
  const startDate = addDays(endDate, 1 - DAYS)
  const facts = world.market().facts(profile.profileId, startDate, endDate, at)
  const weeks = new Map<string, CampaignWeek>()
  for (const [campaignId, own] of Map.groupBy(facts, fact => fact.campaignId)) {
    const campaign = world.store.campaigns.get(campaignId)
    if (campaign) weeks.set(campaignId, weekOf(own, campaign.budgetMicros, [startDate, endDate]))
  }
  return weeks
}

/** A day's budget, in micros, with which the money would have lasted all week. */
export const suggestedBudget = (budgetMicros: number, week: CampaignWeek, currency: string): number =>
  roundToUnit(budgetMicros / week.timeInBudget, currency)

/** What was missed, give or take a fifth: lowest and highest of each figure, sales in the currency's units. */
export function missedBounds({ missed }: CampaignWeek, currency: string) {
  const bounds = (value: number, round: (value: number) => number): [lower: number, upper: number] => [
    round(value * 0.8),
    round(value * 1.2),
  ]
  return {
    impressions: bounds(missed.impressions, Math.round),
    clicks: bounds(missed.clicks, Math.round),
    orders: bounds(missed.orders, Math.round),
    sales: bounds(missed.salesMicros, micros => fromMicros(roundToUnit(micros, currency))),
  }
}
