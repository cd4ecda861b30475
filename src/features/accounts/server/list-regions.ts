import { marketplaces, regions } from '#shared/marketplaces.ts'
import type { Region } from '../contract.ts'
import { marketplaceAnswer } from './present.ts'

/** Every advertising region with its marketplaces. */
export function listRegions(): Promise<Region[]> {
  return Promise.resolve(
    regions.map(({ id, key, name }) => ({
      id,
      name,
      marketPlaces: marketplaces.filter(m => m.region === key).map(m => marketplaceAnswer(m.id)),
    })),
  )
}
