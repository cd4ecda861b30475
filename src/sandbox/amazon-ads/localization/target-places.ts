import { type MarketplaceFacts, marketplaceByAmazonId, marketplaceByKey } from '#shared/marketplaces.ts'
import { adviceFailure, readObjects } from '../advice/advice-subject.ts'
import type { Item } from '../entities/read-fields.ts'

interface Place {
  marketplaceId?: unknown
  countryCode?: unknown
}

/** The marketplace that is named by its id or, where that is absent, by its country. Throws 400 when there is none. */
export function placeOf({ marketplaceId, countryCode }: Place): MarketplaceFacts {
  const found =
    typeof marketplaceId === 'string'
      ? marketplaceByAmazonId(marketplaceId)
      : typeof countryCode === 'string'
        ? marketplaceByKey(countryCode)
        : undefined
  if (!found) throw adviceFailure(400, 'A marketplace id or country code that exists is required')
  return found
}

/** A request's list of objects, at most so many. Throws 400 otherwise. */
export function requestsOf(body: Item, name: string, most: number): Item[] {
  const list = body[name]
  if (!Array.isArray(list) || list.length === 0 || list.length > most)
    throw adviceFailure(400, `${name} must have 1 to ${most} items`)
  return readObjects(list, name, most)
}

/** Marketplaces named by a list of ids or, where that is absent, of countries. */
export function placesOf(ids: unknown, countries: unknown): MarketplaceFacts[] {
  if (Array.isArray(ids)) return ids.map((marketplaceId: unknown) => placeOf({ marketplaceId }))
  if (Array.isArray(countries)) return countries.map((countryCode: unknown) => placeOf({ countryCode }))
  throw adviceFailure(400, 'Target marketplaces are required')
}

/** Entries of an answer's map by marketplace id; what could not be carried over is left out. */
export function byPlace<T>(
  places: readonly MarketplaceFacts[],
  carry: (place: MarketplaceFacts) => T | null,
): Record<string, T> {
  return Object.fromEntries(
    places.flatMap(place => {
      const carried = carry(place)
      return carried === null ? [] : [[place.amazonId, carried]]
    }),
  )
}
