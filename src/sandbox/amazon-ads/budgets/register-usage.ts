import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { readTexts } from '../advice/advice-subject.ts'
import { capUsage } from '../portfolios/portfolio-spend.ts'

/** One kind of thing with a budget; null when the caller has none of this id, or none with a budget. */
interface Usage {
  path: string
  mediaType: string
  idName: 'campaignId' | 'portfolioId'
  find: (caller: AdsCaller, id: string) => { budgetMicros: number; share: number } | null
}

const MOST_IDS = 100

function campaigns(
  product: 'sp' | 'sb' | 'sd',
  collection: 'campaigns' | 'brandCampaigns' | 'displayCampaigns',
): Usage {
  return {
    path: `/${product}/campaigns/budget/usage`,
    mediaType: `application/vnd.${product}campaignbudgetusage.v1+json`,
    idName: 'campaignId',
    find({ world, profile, now }, id) {
      const campaign = world.store[collection].get(id)
      if (campaign?.profileId !== profile.profileId) return null
      return { budgetMicros: campaign.budgetMicros, share: world.market().budgetUsage(id, now).share }
    },
  }
}

const kinds: readonly Usage[] = [
  campaigns('sp', 'campaigns'),
  campaigns('sb', 'brandCampaigns'),
  campaigns('sd', 'displayCampaigns'),
  {
    path: '/portfolios/budget/usage',
    mediaType: 'application/vnd.portfoliobudgetusage.v1+json',
    idName: 'portfolioId',
    find(caller, id) {
      const portfolio = caller.world.store.portfolios.get(id)
      if (portfolio?.profileId !== caller.profile.profileId || portfolio.amountMicros === null) return null
      return { budgetMicros: portfolio.amountMicros, share: capUsage(caller, portfolio) }
    },
  },
]

/** How much of the budget in force is spent, as of the last whole hour: of campaigns of each ad product, and portfolios. */
export function registerUsage(app: FastifyInstance, world: World, region: RegionKey): void {
  for (const { path, mediaType, idName, find } of kinds)
    app.post(path, (request, reply) => {
      const caller = readCaller(request, world, region)
      requireMedia(request, { takes: [mediaType], plain: 'always' })
      const list = `${idName}s`
      const ids = readTexts(readObject(request)[list], list, MOST_IDS)
      const success: object[] = []
      const error: object[] = []
      const hour = new Date(Math.floor(caller.now.getTime() / 3_600_000) * 3_600_000).toISOString()
      for (const [index, id] of ids.entries()) {
        const usage = find(caller, id)
        if (usage)
          success.push({
            [idName]: id,
            index,
            budget: fromMicros(usage.budgetMicros),
            budgetUsagePercent: Math.round(usage.share * 10_000) / 100,
            usageUpdatedTimestamp: hour,
          })
        else error.push({ [idName]: id, index, code: 'NOT_FOUND', details: `The ${idName} was not found` })
      }
      return reply.code(207).send({ success, error })
    })
}
