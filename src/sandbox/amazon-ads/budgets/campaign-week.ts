import { fromMicros, roundToUnit } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { Fact } from '../../market/market.ts'

const DAYS = 7
const HOURS = 24

/** What a Sponsored Products campaign did in the seven whole days before a moment, and how long it had money. */
export interface CampaignWeek {
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

/**
 * The last hour in which a campaign showed on a day whose money ran out, by all of that day's facts; null where the
 * money lasted. It ran out where what was left would not buy one more click of the day's price and nothing showed any
 * more: a day may cost more than its budget where the month has left some over.
 */
export function ranOutIn(facts: readonly Fact[], budgetMicros: number): Fact | null {
  let [cost, clicks] = [0, 0]
  let last: Fact | null = null
  for (const fact of facts) {
    cost += fact.costMicros
    clicks += fact.clicks
    if (fact.impressions > 0 && (!last || fact.at > last.at)) last = fact
  }
  const left = budgetMicros - cost
  return last && last.hour < HOURS - 1 && cost > 0 && left < (clicks > 0 ? cost / clicks : 1) ? last : null
}

function weekOf(facts: readonly Fact[], budgetMicros: number, startDate: string, endDate: string): CampaignWeek {
  const missed = { impressions: 0, clicks: 0, orders: 0, salesMicros: 0 }
  const week = { startDate, endDate, costMicros: 0, salesMicros: 0, daysOut: 0, timeInBudget: 1, missed }
  for (const day of Map.groupBy(facts, fact => fact.day).values()) {
    const sum = (valueOf: (fact: Fact) => number): number => day.reduce((total, fact) => total + valueOf(fact), 0)
    const last = ranOutIn(day, budgetMicros)
    const share = last ? (last.hour + 1) / HOURS : 1
    const salesMicros = sum(fact => fact.salesMicros.d7)
    week.costMicros += sum(fact => fact.costMicros)
    week.salesMicros += salesMicros
    if (share < 1) week.daysOut++
    week.timeInBudget -= (1 - share) / DAYS
    missed.impressions += sum(fact => fact.impressions) * (1 / share - 1)
    missed.clicks += sum(fact => fact.clicks) * (1 / share - 1)
    missed.orders += sum(fact => fact.orders.d7) * (1 / share - 1)
    missed.salesMicros += salesMicros * (1 / share - 1)
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
    if (campaign) weeks.set(campaignId, weekOf(own, campaign.budgetMicros, startDate, endDate))
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

/** What a week's money was missed for; days are written one way for a campaign, and another in the account's advice. */
export function missedOpportunities(week: CampaignWeek, currency: string, written: (day: string) => string): object {
  const { impressions, clicks, sales } = missedBounds(week, currency)
  return {
    startDate: written(week.startDate),
    endDate: written(week.endDate),
    percentTimeInBudget: Math.round(week.timeInBudget * 1000) / 1000,
    estimatedMissedImpressionsLower: impressions[0],
    estimatedMissedImpressionsUpper: impressions[1],
    estimatedMissedClicksLower: clicks[0],
    estimatedMissedClicksUpper: clicks[1],
    estimatedMissedSalesLower: sales[0],
    estimatedMissedSalesUpper: sales[1],
  }
}
