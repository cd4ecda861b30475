import { addDays, dayIn } from '#shared/time.ts'
import type { Campaign, Profile } from '../../../core/model.ts'
import type { World } from '../../../core/world.ts'

/** What a Sponsored Products campaign did in the seven whole days before a moment, and how long it had money. */
export interface CampaignWeek {
  campaign: Campaign
  /** First and last day. */
  startDate: string
  endDate: string
  impressions: number
  clicks: number
  costMicros: number
  salesMicros: number
  /** Days on which the money ran out. */
  daysOut: number
  /** Share of the week in which there was money, 0 to 1. */
  timeInBudget: number
}

interface Day {
  costMicros: number
  clicks: number
  lastHour: number
}

/** The weeks of a profile's campaigns that serve, in the order of the books. */
export const campaignWeeks = (world: World, profile: Profile, at: Date): CampaignWeek[] => {
  const endDate = addDays(dayIn(at, profile.timezone), -1)
  const startDate = addDays(endDate, -6)
  const weeks = new Map<string, CampaignWeek & { days: Map<string, Day> }>()
  for (const campaign of world.books.campaigns.values())
    if (campaign.profileId === profile.profileId && campaign.state === 'ENABLED') {
      const none = { impressions: 0, clicks: 0, costMicros: 0, salesMicros: 0, daysOut: 0, timeInBudget: 1 }
      weeks.set(campaign.campaignId, { campaign, startDate, endDate, ...none, days: new Map() })
    }
  for (const fact of world.market().facts(profile.profileId, startDate, endDate, at)) {
    const week = weeks.get(fact.campaignId)
    if (!week) continue
    week.impressions += fact.impressions
    week.clicks += fact.clicks
    week.costMicros += fact.costMicros
    week.salesMicros += fact.salesMicros.d14
    const day = week.days.get(fact.day) ?? { costMicros: 0, clicks: 0, lastHour: 0 }
    week.days.set(fact.day, {
      costMicros: day.costMicros + fact.costMicros,
      clicks: day.clicks + fact.clicks,
      lastHour: Math.max(day.lastHour, fact.hour),
    })
  }
  return [...weeks.values()].map(({ days, ...week }) => {
    // The money ran out where what was left would not buy one more click of the day's price.
    const out = [...days.values()].filter(
      ({ costMicros, clicks }) => clicks > 0 && costMicros + costMicros / clicks > week.campaign.budgetMicros,
    )
    const hoursWithout = out.reduce((sum, { lastHour }) => sum + (23 - lastHour), 0)
    return { ...week, daysOut: out.length, timeInBudget: 1 - hoursWithout / (7 * 24) }
  })
}
