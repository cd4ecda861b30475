import { createHash } from 'node:crypto'
import { fromMicros } from '#shared/money.ts'
import type { Profile } from '../../../core/model.ts'
import type { World } from '../../../core/world.ts'
import { missedIn, suggestedBudget } from './budget-recommendations.ts'
import { type CampaignWeek, campaignWeeks } from './campaign-week.ts'
import { recordOf, type StreamRecord } from './record.ts'

const DATASET = 'sponsored-ads-campaign-diagnostics-recommendations'
const VALID_MS = 7 * 86_400_000

const budgetReason =
  "High-performing campaign with ROAS greater than 3 and last week's budget utilization greater than 80%."
const bidReason = 'Low-performing campaign with ROAS less than or equal to 3.'

const bounds = ([lower, upper]: [number, number]): object => ({
  lower_bound: Math.round(lower),
  upper_bound: Math.round(upper),
})

const recommendation = (
  profile: Profile,
  { campaign, ...week }: CampaignWeek,
  { type, description, change }: { type: string; description: string; change: object },
  at: Date,
): StreamRecord => {
  const id = createHash('sha256').update(`${type}${campaign.campaignId}${at.toISOString()}`).digest('hex').slice(0, 32)
  const whole = { campaign, ...week }
  return {
    ...recordOf(DATASET, profile),
    recommendation_id: id,
    group_id: campaign.campaignId,
    apply_endpoint: '/recommendations/apply',
    type,
    published_date: at.toISOString(),
    expiry_date: new Date(at.getTime() + VALID_MS).toISOString(),
    explanation: {
      description,
      missed_opportunities: {
        impressions: bounds(missedIn(whole, 'impressions')),
        clicks: bounds(missedIn(whole, 'clicks')),
        conversions: bounds(missedIn(whole, 'salesMicros').map(fromMicros) as [number, number]),
        time_period: 'LAST_7_DAYS',
      },
    },
    campaign_name: campaign.name,
    campaign_id: campaign.campaignId,
    ad_product: 'SP',
    current_campaign_settings: {
      campaign_targeting: campaign.targetingType,
      bidding_strategy: campaign.strategy,
      start_date: campaign.startDate,
      ...(campaign.endDate && { end_date: campaign.endDate }),
      budget: { amount: fromMicros(campaign.budgetMicros) },
    },
    recommended_campaign_settings: change,
  }
}

/** Ad groups of a campaign with the bid that its return would bear: sales a third of which the cost may be. */
const betterBids = (world: World, { campaign, costMicros, salesMicros }: CampaignWeek): object => ({
  ad_groups: [...world.books.adGroups.values()]
    .filter(group => group.campaignId === campaign.campaignId && group.state === 'ENABLED')
    .map(group => ({
      adgroup_id: group.adGroupId,
      adgroup_name: group.name,
      bid: Math.max(0.02, Math.round((group.defaultBidMicros * salesMicros) / (costMicros * 3) / 10_000) / 100),
    })),
})

/** Advice of the day: more budget where it pays and runs out, other bids where it does not pay. */
export const diagnosticsRecords = (world: World, profile: Profile, at: Date): StreamRecord[] =>
  campaignWeeks(world, profile, at).flatMap(week => {
    if (week.costMicros === 0) return []
    const roas = week.salesMicros / week.costMicros
    if (roas > 3 && week.costMicros > 0.8 * 7 * week.campaign.budgetMicros) {
      const budget = { amount: fromMicros(suggestedBudget(week, profile.currency)) }
      const advice = { type: 'CAMPAIGN_BUDGET', description: budgetReason, change: { budget } }
      return [recommendation(profile, week, advice, at)]
    }
    if (roas > 3) return []
    const advice = { type: 'KEYWORD_BID', description: bidReason, change: betterBids(world, week) }
    return [recommendation(profile, week, advice, at)]
  })
