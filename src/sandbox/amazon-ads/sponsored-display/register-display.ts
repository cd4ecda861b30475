import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { registerArrays } from '../entities/register-arrays.ts'
import { displayAdGroups, displayCampaigns } from './display-campaigns.ts'
import { displayAds, displayNegativeTargets, displayTargets } from './display-targeting.ts'

/** The five resources of Sponsored Display. */
export function registerDisplay(app: FastifyInstance, world: World, region: RegionKey): void {
  registerArrays({ app, world, region, kind: displayCampaigns })
  registerArrays({ app, world, region, kind: displayAdGroups })
  registerArrays({ app, world, region, kind: displayAds })
  registerArrays({ app, world, region, kind: displayTargets })
  registerArrays({ app, world, region, kind: displayNegativeTargets })
}
