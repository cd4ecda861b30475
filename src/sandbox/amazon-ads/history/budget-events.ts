import { dayIn } from '#shared/time.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { adProducts, type Fact } from '../../market/market.ts'
import { ranOutIn } from '../budgets/ran-out.ts'
import type { ChangeEvent } from './change-event.ts'

const HOUR_MS = 3_600_000

/** A profile's facts by campaign and day, in order of days, as of now. */
function daysOf(world: World, profile: Profile, from: number, to: number): Fact[][] {
  const [first, last] = [from, to].map(at => dayIn(new Date(at), profile.timezone)) as [string, string]
  const now = world.clock.now()
  const facts = adProducts.flatMap(product => world.market().facts(profile.profileId, first, last, now, product))
  const days = [...Map.groupBy(facts, fact => `${fact.day}|${fact.campaignId}`)]
  return days.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, own]) => own)
}

function budgetEvent(profileId: number, campaignId: string, timestamp: number, inBudget: boolean): ChangeEvent {
  return {
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
  }
}

/** When campaigns ran out of their day's budget, and had money again on the next day that they showed. */
export function budgetEvents(world: World, profileId: number, from: number, to: number): ChangeEvent[] {
  const { profiles, campaigns, brandCampaigns, displayCampaigns } = world.store
  const profile = profiles.get(profileId)
  if (!profile) return []
  const now = world.clock.now()
  const today = dayIn(now, profile.timezone)
  const events: ChangeEvent[] = []
  const out = new Set<string>()
  for (const facts of daysOf(world, profile, from, to)) {
    const { campaignId = '', day } = facts[0] ?? {}
    const campaign = campaigns.get(campaignId) ?? brandCampaigns.get(campaignId) ?? displayCampaigns.get(campaignId)
    if (!campaign || ('budgetType' in campaign && campaign.budgetType === 'LIFETIME')) continue
    if (out.delete(campaignId))
      events.push(budgetEvent(profileId, campaignId, Math.min(...facts.map(fact => fact.at)), true))
    const last = ranOutIn(facts, campaign.budgetMicros)
    // While a day is not over, only the market can decide whether more will show.
    if (!last || (day === today && !world.market().isOutOfBudget(campaignId, now))) continue
    events.push(budgetEvent(profileId, campaignId, last.at + HOUR_MS, false))
    out.add(campaignId)
  }
  return events.filter(({ timestamp }) => timestamp >= from && timestamp <= to)
}
