import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../core/world.ts'
import { registerCategoryTree } from './advice/category-tree.ts'
import { registerAccountRecommendations } from './budgets/account-recommendations.ts'
import { registerBudgetRecommendations } from './budgets/budget-recommendations.ts'
import { registerFeatureFlags } from './budgets/feature-flags.ts'
import { registerInitialBudget } from './budgets/initial-budget.ts'
import { registerUsage } from './budgets/register-usage.ts'
import type { BatchKind } from './entities/batch-kind.ts'
import type { Entity } from './entities/entity-kind.ts'
import { type ArrayKind, registerArrays } from './entities/register-arrays.ts'
import { registerChanges, registerCreate } from './entities/register-batches.ts'
import { registerLocalization } from './localization/register-localization.ts'
import { registerPortfolios } from './portfolios/register-portfolios.ts'
import { registerBrands } from './sponsored-brands/register-brands.ts'
import { displayAdGroups, displayCampaigns } from './sponsored-display/display-campaigns.ts'
import { displayAds, displayNegativeTargets, displayTargets } from './sponsored-display/display-targeting.ts'
import { adGroups, campaigns } from './sponsored-products/campaigns.ts'
import { sponsoredProductsFamily as family } from './sponsored-products/family.ts'
import { campaignNegativeKeywords, keywords, negativeKeywords } from './sponsored-products/keywords.ts'
import { productAds } from './sponsored-products/product-ads.ts'
import { campaignNegativeTargets, negativeTargets, targets } from './sponsored-products/targets.ts'

/** The entities of the three ad products, their portfolios and budgets, and categories. */
export function registerProducts(app: FastifyInstance, world: World, region: RegionKey): void {
  const batches = <E extends Entity>(kind: BatchKind<E>): void => {
    const place = { app, world, region, family, kind }
    registerCreate(place)
    registerChanges(place)
  }
  const arrays = <E extends Entity>(kind: ArrayKind<E>): void => registerArrays({ app, world, region, kind })
  batches(campaigns)
  batches(adGroups)
  batches(productAds)
  batches(keywords)
  batches(negativeKeywords)
  batches(campaignNegativeKeywords)
  batches(targets)
  batches(negativeTargets)
  batches(campaignNegativeTargets)
  registerBrands(app, world, region)
  arrays(displayCampaigns)
  arrays(displayAdGroups)
  arrays(displayAds)
  arrays(displayTargets)
  arrays(displayNegativeTargets)
  registerPortfolios(app, world, region)
  registerUsage(app, world, region)
  registerFeatureFlags(app, world, region)
  registerBudgetRecommendations(app, world, region)
  registerInitialBudget(app, world, region)
  registerAccountRecommendations(app, world, region)
  registerCategoryTree(app, world, region)
  registerLocalization(app, world, region)
}
