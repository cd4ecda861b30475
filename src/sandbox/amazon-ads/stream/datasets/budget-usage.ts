import { fromMicros } from '#shared/money.ts'
import { collectionsOf } from '../../../core/model/ad-products.ts'
import type { Profile } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import { campaignWeeks, missedBounds, suggestedBudget } from '../../budgets/campaign-week.ts'
import { recordOf, type StreamRecord } from './record.ts'

/** A record for each campaign that ran out of budget in the last seven days. */
export function budgetRecommendationRecords(world: World, profile: Profile, at: Date): StreamRecord[] {
  return [...campaignWeeks(world, profile, at)].flatMap(([campaignId, week]) => {
    const campaign = world.store.campaigns.get(campaignId)
    if (campaign?.state !== 'ENABLED' || week.daysOut === 0) return []
    const { sales, clicks, impressions } = missedBounds(week, profile.currency)
    return [
      {
        ...recordOf('sp-budget-recommendations', profile),
        recommendation_time: at.toISOString(),
        campaign_id: campaignId,
        suggested_budget: fromMicros(suggestedBudget(campaign.budgetMicros, week, profile.currency)),
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
      },
    ]
  })
}

/** Budget usage is reported at each twentieth. */
const STEPS = 20
const productCodes = { SPONSORED_PRODUCTS: 'SP', SPONSORED_BRANDS: 'SB', SPONSORED_DISPLAY: 'SD' }

/** A record for each campaign whose spend passed a twentieth of its day's budget from one hour to the other. */
export function budgetUsageRecords(world: World, profile: Profile, from: Date, to: Date): StreamRecord[] {
  const records: StreamRecord[] = []
  for (const [adProduct, campaigns] of collectionsOf(world.store, 'campaigns'))
    for (const { campaignId, profileId, state, budgetType, budgetMicros } of campaigns.values()) {
      if (profileId !== profile.profileId || state === 'ARCHIVED' || budgetType === 'LIFETIME') continue
      const [before, after] = [from, to].map(at => world.market().budgetUsage(campaignId, at).share) as [number, number]
      if (Math.floor(before * STEPS) === Math.floor(after * STEPS)) continue
      records.push({
        ...recordOf('budget-usage', profile),
        budget_scope_id: campaignId,
        budget_scope_type: 'CAMPAIGN',
        advertising_product_type: productCodes[adProduct],
        budget: fromMicros(budgetMicros),
        budget_usage_percentage: Math.round(after * 10_000) / 100,
        usage_updated_timestamp: to.toISOString(),
      })
    }
  return records
}
