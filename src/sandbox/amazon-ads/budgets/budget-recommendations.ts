import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { Campaign } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { readTexts } from '../advice/advice-subject.ts'
import { compactDay } from '../entities/wire-styles.ts'
import { type CampaignWeek, campaignWeeks, missedBounds, suggestedBudget } from './campaign-week.ts'

const media = 'application/vnd.budgetrecommendation.v3+json'

/** What a week's money was missed for; days are written one way here, and another in the account's advice. */
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

function toWire({ budgetMicros }: Campaign, week: CampaignWeek | undefined, currency: string): object {
  return {
    suggestedBudget: week ? fromMicros(suggestedBudget(budgetMicros, week, currency)) : null,
    sevenDaysMissedOpportunities: week ? missedOpportunities(week, currency, compactDay) : null,
    budgetRuleRecommendation: null,
  }
}

/** `POST /sp/campaigns/budgetRecommendations`: budgets that would have lasted, by how long those there are did. */
export function registerBudgetRecommendations(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/sp/campaigns/budgetRecommendations', (request, reply) => {
    const { profile, now } = readCaller(request, world, region)
    requireMedia(request, { takes: [media], plain: 'always' })
    const ids = readTexts(readObject(request).campaignIds, 'campaignIds', 100)
    const weeks = campaignWeeks(world, profile, now)
    const success: object[] = []
    const errors: object[] = []
    for (const [index, campaignId] of ids.entries()) {
      const campaign = world.store.campaigns.get(campaignId)
      if (campaign?.profileId === profile.profileId)
        success.push({ index, campaignId, ...toWire(campaign, weeks.get(campaignId), profile.currency) })
      else errors.push({ index, campaignId, Error: { code: '404', details: 'The campaign was not found' } })
    }
    void reply.type(media)
    return JSON.stringify({ budgetRecommendationsSuccessResults: success, budgetRecommendationsErrorResults: errors })
  })
}
