import { createHash } from 'node:crypto'
import type { Profile, Store } from '../../core/model/store.ts'
import { ownProducts } from '../ads-caller.ts'
import { badRequest } from '../ads-failure.ts'
import type { Call } from '../calls.ts'

const code = (text: string): string => createHash('sha256').update(text).digest('hex').toUpperCase().slice(0, 14)

/** The brands a profile may advertise: those of the seller's products there. Their ids follow from their names. */
export function brandsOf(store: Store, profile: Profile) {
  const names = new Set(ownProducts(store, profile).map(product => product.brand))
  return [...names].map(name => ({
    brandId: code(`brand|${name}`),
    brandEntityId: `ENTITY${code(`${profile.sellerId}|${profile.marketplaceId}|${name}`)}`,
    brandRegistryName: name,
  }))
}

/** Where the `brandEntityId` of Sponsored Brands campaigns comes from. */
export const brandCalls: readonly Call[] = [
  {
    method: 'GET',
    path: '/brands',
    type: 'application/vnd.brand.v3+json',
    answer({ world, profile }, _body, { query: { brandTypeFilter } }) {
      if (brandTypeFilter !== undefined && !['brandRegistry', 'bookAuthor'].includes(brandTypeFilter))
        throw badRequest('brandTypeFilter must be brandRegistry or bookAuthor')
      return brandTypeFilter === 'bookAuthor' ? [] : brandsOf(world.store, profile)
    },
  },
]
