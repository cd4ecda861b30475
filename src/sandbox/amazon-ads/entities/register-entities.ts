import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { adGroups } from '../kinds/ad-groups.ts'
import { campaigns } from '../kinds/campaigns.ts'
import { keywords } from '../kinds/keywords.ts'
import { campaignNegativeKeywords, negativeKeywords } from '../kinds/negative-keywords.ts'
import { campaignNegativeTargets, negativeTargets } from '../kinds/negative-targets.ts'
import { productAds } from '../kinds/product-ads.ts'
import { targets } from '../kinds/targets.ts'
import type { Entity, EntityFamily, EntityKind } from './entity-kind.ts'
import { registerChanges, registerCreate } from './register-kind.ts'
import { datedIso, versionThree } from './version-three.ts'

/** Reasons have names of their own among the details; two of them are not the status' name with an ending. */
const detailName = (reason: string): string =>
  ({ AD_INELIGIBLE: 'CP_INELIGIBLE', AD_OUT_OF_STOCK: 'OUT_OF_STOCK_DETAIL' })[reason] ?? `${reason}_DETAIL`

/** Sponsored Products v3. */
const sponsoredProducts: EntityFamily = {
  mostItems: 1000,
  // A larger page is clamped in silence, as seen by live callers.
  largestPage: 500,
  ...versionThree,
  extendedData: (entity, { status, details }) => ({
    ...datedIso(entity),
    servingStatus: status,
    servingStatusDetails: details.map(reason => ({ name: detailName(reason) })),
  }),
  parentsOf: (store, { campaignId, adGroupId }) => [
    campaignId ? store.campaigns.get(campaignId) : undefined,
    adGroupId ? store.adGroups.get(adGroupId) : undefined,
  ],
}

/** Create, update, archive and list of the nine resources of Sponsored Products v3. */
export const registerEntities = (app: FastifyInstance, world: World, region: RegionKey): void => {
  const register = <E extends Entity>(kind: EntityKind<E>): void => {
    const place = { app, world, region, family: sponsoredProducts, kind }
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
