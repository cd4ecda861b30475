import { fromMicros } from '#shared/money.ts'
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
