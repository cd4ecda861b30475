import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../core/world.ts'
import { registerFeatureFlags } from './budgets/feature-flags.ts'
import { registerUsage } from './budgets/register-usage.ts'
import { registerEntities } from './entities/register-entities.ts'
import { registerPortfolios } from './portfolios/register-portfolios.ts'
import { registerBrands } from './sponsored-brands/register-brands.ts'
import { registerDisplay } from './sponsored-display/register-display.ts'

/** What can be advertised with: the entities of the three ad products, and what they are gathered and paid in. */
export const registerProducts = (app: FastifyInstance, world: World, region: RegionKey): void => {
  registerEntities(app, world, region)
  registerBrands(app, world, region)
  registerDisplay(app, world, region)
  registerPortfolios(app, world, region)
  registerUsage(app, world, region)
  registerFeatureFlags(app, world, region)
}
