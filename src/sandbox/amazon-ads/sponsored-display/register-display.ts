import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { registerArrays } from '../arrays/register-arrays.ts'
import { displayAdGroups } from './display-ad-groups.ts'
import { displayAds } from './display-ads.ts'
import { displayCampaigns } from './display-campaigns.ts'
import { displayNegativeTargets, displayTargets } from './display-targets.ts'

/** The five resources of Sponsored Display. */
export const registerDisplay = (app: FastifyInstance, world: World, region: RegionKey): void => {
  registerArrays({ app, world, region, kind: displayCampaigns })
  registerArrays({ app, world, region, kind: displayAdGroups })
  registerArrays({ app, world, region, kind: displayAds })
  registerArrays({ app, world, region, kind: displayTargets })
  registerArrays({ app, world, region, kind: displayNegativeTargets })
}
