import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject, requireMedia } from '../ads-caller.ts'

const media = 'application/vnd.spPortfolio.v3+json'

/** `POST /portfolios/list`: the portfolios that the profile's campaigns are in; they have a name and no cap. */
export const registerPortfolios = (app: FastifyInstance, world: World, region: RegionKey): void => {
  app.post('/portfolios/list', request => {
    const { profile } = readCaller(request, world, region)
    requireMedia(request, [media], [media])
    const { portfolioIdFilter } = readObject(request) as { portfolioIdFilter?: { include?: string[] } }
    const ids = new Set<string>()
    for (const campaign of world.books.campaigns.values())
      if (campaign.profileId === profile.profileId && campaign.portfolioId) ids.add(campaign.portfolioId)
    const portfolios = [...ids]
      .filter(id => !portfolioIdFilter?.include || portfolioIdFilter.include.includes(id))
      .map(portfolioId => ({
        portfolioId,
        name: `Portfolio ${portfolioId}`,
        state: 'ENABLED',
        inBudget: true,
        budget: { policy: 'NO_CAP', currencyCode: profile.currency },
      }))
    return { portfolios, totalResults: portfolios.length }
  })
}
