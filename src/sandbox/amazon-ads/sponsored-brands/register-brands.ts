import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import type { Entity } from '../entities/entity-kind.ts'
import { registerArrays } from '../entities/register-arrays.ts'
import { type BatchPlace, registerChanges, registerCreate } from '../entities/register-batches.ts'
import { adPaths, brandAds } from './brand-ads.ts'
import { brandAdGroups, brandCampaigns } from './brand-campaigns.ts'
import { sponsoredBrandsFamily as family } from './family.ts'
import { registerBrandRegistry } from './brands.ts'
import { registerBrandCategories } from './targeting/brand-categories.ts'
import {
  brandKeywords,
  brandNegativeKeywords,
  brandNegativeTargets,
  brandTargets,
} from './targeting/brand-targeting.ts'
import { registerEnvelopes } from './targeting/register-envelopes.ts'

/** Sponsored Brands: campaigns, ad groups and ads of version 4, keywords and targets still of version 3. */
export function registerBrands(app: FastifyInstance, world: World, region: RegionKey): void {
  const place = <E extends Entity>(kind: BatchKind<E>): BatchPlace<E> => ({
    app,
    world,
    region,
    family,
    kind,
  })
  registerBrandRegistry(app, world, region)
  registerBrandCategories(app, world, region)
  registerCreate(place(brandCampaigns))
  registerChanges(place(brandCampaigns))
  registerCreate(place(brandAdGroups))
  registerChanges(place(brandAdGroups))
  for (const [path, format] of adPaths) registerCreate(place(brandAds(format)), path)
  registerChanges(place(brandAds('PRODUCT_COLLECTION')))

  registerArrays({ app, world, region, kind: brandKeywords })
  registerArrays({ app, world, region, kind: brandNegativeKeywords })
  registerEnvelopes(
    { app, world, region, kind: brandTargets },
    {
      key: 'targets',
      createType: 'application/vnd.sbcreatetargetsresponse.v3+json',
      updateType: 'application/vnd.updatetargetsresponse.v3+json',
    },
  )
  registerEnvelopes(
    { app, world, region, kind: brandNegativeTargets },
    {
      key: 'negativeTargets',
      // A request's name for a reply's type: so it is in the specification.
      createType: 'application/vnd.sbcreatenegativetargetsrequest.v3+json',
      updateType: 'application/vnd.updatenegativetargetsresponse.v3+json',
    },
  )
}
