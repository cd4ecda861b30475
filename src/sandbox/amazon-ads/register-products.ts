import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../core/world.ts'
import { registerCategoryTree } from './advice/category-tree.ts'
import { registerAccountRecommendations } from './budgets/account-recommendations.ts'
import { registerBudgetRecommendations } from './budgets/budget-recommendations.ts'
import { registerFeatureFlags } from './budgets/feature-flags.ts'
import { registerInitialBudget } from './budgets/initial-budget.ts'
import { registerUsage } from './budgets/register-usage.ts'
import { registerSponsoredProducts } from './sponsored-products/register.ts'
import { registerLocalization } from './localization/register-localization.ts'
import { registerPortfolios } from './portfolios/register-portfolios.ts'
import { registerBrands } from './sponsored-brands/register-brands.ts'
import { registerDisplay } from './sponsored-display/register-display.ts'

const registrations: readonly ((app: FastifyInstance, world: World, region: RegionKey) => void)[] = [
  registerSponsoredProducts,
  registerBrands,
  registerDisplay,
  registerPortfolios,
  registerUsage,
  registerFeatureFlags,
  registerBudgetRecommendations,
  registerInitialBudget,
  registerAccountRecommendations,
  registerCategoryTree,
  registerLocalization,
]

/** What can be advertised with: the entities of the three ad products, their portfolios and budgets, and categories. */
export const registerProducts = (app: FastifyInstance, world: World, region: RegionKey): void =>
  registrations.forEach(register => register(app, world, region))
