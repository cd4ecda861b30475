import { createHash } from 'node:crypto'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Campaign, Profile } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import { type CampaignWeek, campaignWeeks, missedBounds, suggestedBudget } from '../../budgets/campaign-week.ts'
import { recordOf, type StreamRecord } from './record.ts'

const DATASET = 'sponsored-ads-campaign-diagnostics-recommendations'
const VALID_MS = 7 * 86_400_000

const budgetReason = 'Each unit spent brought more than three, and the budget was nearly used up all week.'
const bidReason = 'Each unit spent brought no more than three.'

const bounds = ([lower_bound, upper_bound]: [number, number]): object => ({ lower_bound, upper_bound })

interface Served {
  campaign: Campaign
  week: CampaignWeek
}

function recommendation(
  profile: Profile,
  { campaign, week }: Served,
  { type, description, change }: { type: string; description: string; change: object },
  at: Date,
): StreamRecord {
  const id = createHash('sha256').update(`${type}${campaign.campaignId}${at.toISOString()}`).digest('hex').slice(0, 32)
  const missed = missedBounds(week, profile.currency)
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
        impressions: bounds(missed.impressions),
        clicks: bounds(missed.clicks),
        conversions: bounds(missed.orders),
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

/** Ad groups of a campaign with the bid that its return justifies: the cost may be a third of the sales. */
function betterBids(world: World, profile: Profile, { campaign, week }: Served): object {
  const share = week.salesMicros / (week.costMicros * 3)
  const least = marketplaceByAmazonId(profile.marketplaceId)?.minBidMicros ?? 0
  return {
    ad_groups: [...world.store.adGroups.values()]
      .filter(group => group.campaignId === campaign.campaignId && group.state === 'ENABLED')
      .map(group => ({
        adgroup_id: group.adGroupId,
        adgroup_name: group.name,
        bid: fromMicros(Math.max(least, roundToUnit(group.defaultBidMicros * share, profile.currency))),
      })),
  }
}

/** Advice of the day: more budget where it pays and runs out, other bids where it does not pay. */
export function diagnosticsRecords(world: World, profile: Profile, at: Date): StreamRecord[] {
  return [...campaignWeeks(world, profile, at)].flatMap(([campaignId, week]) => {
    const campaign = world.store.campaigns.get(campaignId)
    if (campaign?.state !== 'ENABLED' || week.costMicros === 0) return []
    const served = { campaign, week }
    const roas = week.salesMicros / week.costMicros
    if (roas > 3 && week.costMicros > 0.8 * 7 * campaign.budgetMicros) {
      const budget = { amount: fromMicros(suggestedBudget(campaign.budgetMicros, week, profile.currency)) }
      const advice = { type: 'CAMPAIGN_BUDGET', description: budgetReason, change: { budget } }
      return [recommendation(profile, served, advice, at)]
    }
    if (roas > 3) return []
    const advice = { type: 'KEYWORD_BID', description: bidReason, change: betterBids(world, profile, served) }
    return [recommendation(profile, served, advice, at)]
  })
}
