import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Portfolio } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type Place, registerCreate, registerList, registerUpdate } from '../entities/register-kind.ts'
import { portfolioFamily, portfolios } from './portfolio-kind.ts'

/** `POST`, `PUT` and list of portfolios; nobody can delete one. */
export const registerPortfolios = (app: FastifyInstance, world: World, region: RegionKey): void => {
  const place: Place<Portfolio> = { app, world, region, family: portfolioFamily, kind: portfolios }
  registerCreate(place)
  registerUpdate(place)
  registerList(place)
}
