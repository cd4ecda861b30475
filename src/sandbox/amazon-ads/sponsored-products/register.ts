import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import type { Entity } from '../entities/entity-kind.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { registerChanges, registerCreate } from '../entities/register-batches.ts'
import { adGroups, campaigns } from './campaigns.ts'
import { sponsoredProductsFamily as family } from './family.ts'
import { campaignNegativeKeywords, keywords, negativeKeywords } from './keywords.ts'
import { productAds } from './product-ads.ts'
import { campaignNegativeTargets, negativeTargets, targets } from './targets.ts'

/** Create, update, archive and list of the nine resources of Sponsored Products v3. */
export function registerSponsoredProducts(app: FastifyInstance, world: World, region: RegionKey): void {
  const register = <E extends Entity>(kind: BatchKind<E>): void => {
    const place = { app, world, region, family, kind }
    registerCreate(place)
    registerChanges(place)
  }
  register(campaigns)
  register(adGroups)
  register(productAds)
  register(keywords)
  register(negativeKeywords)
  register(campaignNegativeKeywords)
  register(targets)
  register(negativeTargets)
  register(campaignNegativeTargets)
}
