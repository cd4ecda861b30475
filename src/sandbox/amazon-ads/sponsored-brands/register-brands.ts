import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import type { Entity, EntityKind } from '../entities/entity-kind.ts'
import { type Place, registerChanges, registerCreate } from '../entities/register-kind.ts'
import { adPaths, brandAds } from './brand-ads.ts'
import { brandAdGroups } from './brand-ad-groups.ts'
import { brandCampaigns } from './brand-campaigns.ts'
import { sponsoredBrands } from './brand-parents.ts'
import { registerBrandRegistry } from './brands.ts'

/** Sponsored Brands: campaigns, ad groups and ads of version 4. */
export const registerBrands = (app: FastifyInstance, world: World, region: RegionKey): void => {
  const place = <E extends Entity>(kind: EntityKind<E>): Place<E> => ({
    app,
    world,
    region,
    family: sponsoredBrands,
    kind,
  })
  registerBrandRegistry(app, world, region)
  registerCreate(place(brandCampaigns))
  registerChanges(place(brandCampaigns))
  registerCreate(place(brandAdGroups))
  registerChanges(place(brandAdGroups))
  for (const [path, format] of adPaths) registerCreate(place(brandAds(format)), path)
  registerChanges(place(brandAds('PRODUCT_COLLECTION')))
}
