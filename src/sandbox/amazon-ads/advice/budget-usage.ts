import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject, requireMedia } from '../ads-caller.ts'
import { readTexts } from './advice-subject.ts'

const media = 'application/vnd.spcampaignbudgetusage.v1+json'

/** `POST /sp/campaigns/budget/usage`: how much of today's budget is spent, as of the last whole hour. */
export const registerBudgetUsage = (app: FastifyInstance, world: World, region: RegionKey): void => {
  app.post('/sp/campaigns/budget/usage', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, [media, 'application/json'])
    const ids = readTexts(readObject(request).campaignIds, 'campaignIds', 100)
    const success: object[] = []
    const error: object[] = []
    const hour = new Date(Math.floor(caller.now.getTime() / 3_600_000) * 3_600_000).toISOString()
    for (const [index, campaignId] of ids.entries()) {
      const campaign = world.books.campaigns.get(campaignId)
      if (campaign?.profileId !== caller.profile.profileId) {
        error.push({ campaignId, index, code: 'NOT_FOUND', details: 'The campaign was not found' })
        continue
      }
      const { share } = world.market().budgetUsage(campaignId, caller.now)
      success.push({
        campaignId,
        index,
        budget: fromMicros(campaign.budgetMicros),
        budgetUsagePercent: Math.round(share * 10_000) / 100,
        usageUpdatedTimestamp: hour,
      })
    }
    return reply.code(207).send({ success, error })
  })
}
