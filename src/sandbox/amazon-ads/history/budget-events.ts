import { dayIn } from '#shared/time.ts'
import type { World } from '../../core/world.ts'
import { adProducts } from '../../market/market.ts'
import type { ChangeEvent } from './change-event.ts'

const HOUR_MS = 3_600_000

interface Spend {
  costMicros: number
  clicks: number
}

/** What each campaign spent on each day, by `campaign|day` and then by hour. */
const spendByDay = (world: World, profileId: number, from: number, to: number): Map<string, Map<number, Spend>> => {
  const profile = world.books.profiles.get(profileId)
  const days = new Map<string, Map<number, Spend>>()
  if (!profile) return days
  const [first, last] = [from, to].map(at => dayIn(new Date(at), profile.timezone)) as [string, string]
  const facts = adProducts.flatMap(adProduct => world.market().facts(profileId, first, last, new Date(to), adProduct))
  for (const { campaignId, day, at, costMicros, clicks } of facts) {
    if (costMicros === 0) continue
    const key = `${campaignId}|${day}`
    let hours = days.get(key)
    if (!hours) days.set(key, (hours = new Map()))
    const known = hours.get(at)
    hours.set(at, { costMicros: (known?.costMicros ?? 0) + costMicros, clicks: (known?.clicks ?? 0) + clicks })
  }
  return days
}

/** When campaigns ran out of their day's budget, and had money again on the next day that they spent any. */
export const budgetEvents = (world: World, profileId: number, from: number, to: number): ChangeEvent[] => {
  const { campaigns, brandCampaigns, displayCampaigns } = world.books
  const events: ChangeEvent[] = []
  const out = new Set<string>()
  for (const [key, hours] of spendByDay(world, profileId, from, to)) {
    const [campaignId = ''] = key.split('|')
    const campaign = campaigns.get(campaignId) ?? brandCampaigns.get(campaignId) ?? displayCampaigns.get(campaignId)
    if (!campaign || ('budgetType' in campaign && campaign.budgetType === 'LIFETIME')) continue
    const told = (timestamp: number, inBudget: boolean): void => {
      if (timestamp >= from && timestamp <= to)
        events.push({
          timestamp,
          profileId,
          entityType: 'CAMPAIGN',
          entityId: campaignId,
          changeType: 'IN_BUDGET',
          previousValue: String(!inBudget),
          newValue: String(inBudget),
          campaignId,
          adGroupId: null,
          metadata: { campaignId, campaignBudgetType: 'DAILY' },
        })
    }
    let [spent, clicks] = [0, 0]
    for (const [at, hour] of [...hours].sort(([a], [b]) => a - b)) {
      if (out.delete(campaignId)) told(at, true)
      spent += hour.costMicros
      clicks += hour.clicks
      // Out of budget: what is left would not buy one more click of the day's price.
      if (spent + (clicks > 0 ? spent / clicks : 0) < campaign.budgetMicros) continue
      told(at + HOUR_MS, false)
      out.add(campaignId)
      break
    }
  }
  return events
}
