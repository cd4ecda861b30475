import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Profile } from '../../../core/model.ts'
import type { World } from '../../../core/world.ts'
import { type CampaignWeek, campaignWeeks } from './campaign-week.ts'
import { recordOf, type StreamRecord } from './record.ts'

/** What a campaign would have had in the time it had no money: as in the time it had some, give or take a fifth. */
export const missedIn = (week: CampaignWeek, figure: 'impressions' | 'clicks' | 'salesMicros'): [number, number] => {
  const missed = (week[figure] * (1 - week.timeInBudget)) / Math.max(0.1, week.timeInBudget)
  return [missed * 0.8, missed * 1.2]
}

/** The day's budget with which the money would have lasted. */
export const suggestedBudget = (week: CampaignWeek, currency: string): number =>
  roundToUnit((week.campaign.budgetMicros / Math.max(0.1, week.timeInBudget)) * 1.1, currency)

/** A record for each campaign that ran out of budget in the last seven days. */
export const budgetRecommendationRecords = (world: World, profile: Profile, at: Date): StreamRecord[] =>
  campaignWeeks(world, profile, at)
    .filter(week => week.daysOut > 0 && week.timeInBudget < 1)
    .map(week => {
      const [sales, clicks, impressions] = [
        missedIn(week, 'salesMicros').map(micros => fromMicros(roundToUnit(micros, profile.currency))),
        missedIn(week, 'clicks').map(Math.round),
        missedIn(week, 'impressions').map(Math.round),
      ]
      return {
        ...recordOf('sp-budget-recommendations', profile),
        recommendation_time: at.toISOString(),
        campaign_id: week.campaign.campaignId,
        suggested_budget: fromMicros(suggestedBudget(week, profile.currency)),
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
