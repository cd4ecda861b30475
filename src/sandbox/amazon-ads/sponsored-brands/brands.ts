import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Store, Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { readCaller } from '../ads-caller.ts'
import { gatewayFailure } from '../ads-failure.ts'

interface Brand {
  brandId: string
  brandEntityId: string
  brandRegistryName: string
}

const code = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase()

/** The brands a profile may advertise: those of the seller's products there. Their ids follow from their names. */
export function brandsOf(store: Store, { sellerId, marketplaceId }: Profile): Brand[] {
  const names = new Set<string>()
  for (const product of store.products.values())
    if (product.sellerId === sellerId && product.marketplaceId === marketplaceId) names.add(product.brand)
  return [...names].map(name => ({
    brandId: code(`brand|${name}`).slice(0, 14),
    brandEntityId: `ENTITY${code(`${sellerId}|${marketplaceId}|${name}`).slice(0, 14)}`,
    brandRegistryName: name,
  }))
}

/** `GET /brands`: where the `brandEntityId` of Sponsored Brands campaigns comes from. */
export function registerBrandRegistry(app: FastifyInstance, world: World, region: RegionKey): void {
  app.get('/brands', (request, reply) => {
    const { profile } = readCaller(request, world, region)
    const { brandTypeFilter } = request.query as { brandTypeFilter?: string }
    if (brandTypeFilter !== undefined && !['brandRegistry', 'bookAuthor'].includes(brandTypeFilter))
      throw gatewayFailure(400, 'INVALID_ARGUMENT', 'brandTypeFilter must be brandRegistry or bookAuthor')
    void reply.type('application/vnd.brand.v3+json')
    return JSON.stringify(brandTypeFilter === 'bookAuthor' ? [] : brandsOf(world.store, profile))
  })
}
