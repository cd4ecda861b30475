import { createHash } from 'node:crypto'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { collectionsOf } from '../../../core/model/ad-products.ts'
import type { Campaign, Profile } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import type { BudgetUsage } from '../../../market/simulation/budget-status.ts'
import { type CampaignWeek, campaignWeeks, missedBounds, suggestedBudget } from '../../budgets/campaign-week.ts'
import { recordOf, type StreamRecord } from './record.ts'

const STEPS = 20
const productCodes = { SPONSORED_PRODUCTS: 'SP', SPONSORED_BRANDS: 'SB', SPONSORED_DISPLAY: 'SD' }

/** A record for each campaign whose spend passed a twentieth of its day's budget from one hour to the other. */
function budgetUsageRecords(world: World, profile: Profile, from: Date, to: Date): StreamRecord[] {
  const records: StreamRecord[] = []
  for (const [adProduct, campaigns] of collectionsOf(world.store, 'campaigns'))
    for (const { campaignId, profileId, state, budgetType } of campaigns.values()) {
      if (profileId !== profile.profileId || state === 'ARCHIVED' || budgetType === 'LIFETIME') continue
      const usages = [from, to].map(at => world.market().budgetUsage(campaignId, at)) as [BudgetUsage, BudgetUsage]
      const [before, after] = usages.map(({ share }) => share) as [number, number]
      if (Math.floor(before * STEPS) === Math.floor(after * STEPS)) continue
      records.push({
        ...recordOf('budget-usage', profile),
        budget_scope_id: campaignId,
        budget_scope_type: 'CAMPAIGN',
        advertising_product_type: productCodes[adProduct],
        budget: fromMicros(usages[1].budgetMicros),
        budget_usage_percentage: Math.round(after * 10_000) / 100,
        usage_updated_timestamp: to.toISOString(),
      })
    }
  return records
}

interface Served {
  campaign: Campaign
  week: CampaignWeek
}

/** Enabled campaigns of Sponsored Products that showed in the last seven days. */
function servedCampaigns(world: World, profile: Profile, at: Date): Served[] {
  return [...campaignWeeks(world, profile, at)].flatMap(([campaignId, week]) => {
    const campaign = world.store.campaigns.get(campaignId)
    return campaign?.state === 'ENABLED' ? [{ campaign, week }] : []
  })
}

const betterBudget = ({ campaign, week }: Served, { currency }: Profile): number =>
  fromMicros(suggestedBudget(campaign.budgetMicros, week, currency))

/** A record for each campaign that ran out of budget in the last seven days. */
function budgetRecommendationRecords(world: World, profile: Profile, at: Date): StreamRecord[] {
  return servedCampaigns(world, profile, at)
    .filter(({ week }) => week.daysOut > 0)
    .map(served => {
      const { campaign, week } = served
      const { sales, clicks, impressions } = missedBounds(week, profile.currency)
      return {
        ...recordOf('sp-budget-recommendations', profile),
        recommendation_time: at.toISOString(),
        campaign_id: campaign.campaignId,
        suggested_budget: betterBudget(served, profile),
        reason_for_suggestion: 'CAMPAIGN_OUT_OF_BUDGET',
        estimated_missed_sales_lower: sales[0],
        estimated_missed_sales_upper: sales[1],
        estimated_missed_clicks_lower: clicks[0],
        estimated_missed_clicks_upper: clicks[1],
        estimated_missed_impressions_lower: impressions[0],
        estimated_missed_impressions_upper: impressions[1],
        start_date: week.startDate,
        end_date: week.endDate,
        percent_time_in_budget: Math.round(week.timeInBudget * 10_000) / 10_000,
      }
    })
}

/** Ad groups of a campaign with the bid that its return justifies: the cost may be a third of the sales. */
function betterBids(world: World, profile: Profile, { campaign, week }: Served): object[] {
  const share = week.salesMicros / (week.costMicros * 3)
  const least = marketplaceByAmazonId(profile.marketplaceId)?.minBidMicros ?? 0
  return [...world.store.adGroups.values()]
    .filter(group => group.campaignId === campaign.campaignId && group.state === 'ENABLED')
    .map(group => ({
      adgroup_id: group.adGroupId,
      adgroup_name: group.name,
      bid: fromMicros(Math.max(least, roundToUnit(group.defaultBidMicros * share, profile.currency))),
    }))
}

const DATASET = 'sponsored-ads-campaign-diagnostics-recommendations'
const VALID_MS = 7 * 86_400_000
const bounds = ([lower_bound, upper_bound]: [number, number]): object => ({ lower_bound, upper_bound })

/** Advice of the day: more budget where it pays and runs out, other bids where it does not pay. */
function diagnosticsRecords(world: World, profile: Profile, at: Date): StreamRecord[] {
  return servedCampaigns(world, profile, at).flatMap(served => {
    const { campaign, week } = served
    const roas = week.salesMicros / week.costMicros
    const isUsedUp = week.costMicros > 0.8 * 7 * campaign.budgetMicros
    if (week.costMicros === 0 || (roas > 3 && !isUsedUp)) return []
    const [type, description, change] =
      roas > 3
        ? [
            'CAMPAIGN_BUDGET',
            'Each unit spent brought more than three, and the budget was nearly used up all week.',
            { budget: { amount: betterBudget(served, profile) } },
          ]
        : [
            'KEYWORD_BID',
            'Each unit spent brought no more than three.',
            { ad_groups: betterBids(world, profile, served) },
          ]
    const id = createHash('sha256').update(`${type}${campaign.campaignId}${at.toISOString()}`)
    const missed = missedBounds(week, profile.currency)
    return [
      {
        ...recordOf(DATASET, profile),
        recommendation_id: id.digest('hex').slice(0, 32),
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
      },
    ]
  })
}

type HourRecords = (world: World, profile: Profile, from: Date, to: Date) => StreamRecord[]

/** For recommendations: they are about whole days, so they come once a day. */
const onceADay =
  (recordsAt: (world: World, profile: Profile, at: Date) => StreamRecord[]): HourRecords =>
  (world, profile, from, to) =>
    dayIn(from, profile.timezone) === dayIn(to, profile.timezone) ? [] : recordsAt(world, profile, to)

export const campaignDatasets: Readonly<Record<string, HourRecords>> = {
  'budget-usage': budgetUsageRecords,
  'sp-budget-recommendations': onceADay(budgetRecommendationRecords),
  [DATASET]: onceADay(diagnosticsRecords),
}
