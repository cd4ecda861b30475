import { type AdProduct, adProducts } from '../../market/market.ts'
import type { OfCampaign } from './entity.ts'
import type { Store } from './store.ts'

/** The store's collections by the role of their entities, in the order of `adProducts`. */
const collections = {
  campaigns: ['campaigns', 'brandCampaigns', 'displayCampaigns'],
  adGroups: ['adGroups', 'brandAdGroups', 'displayAdGroups'],
  ads: ['productAds', 'brandAds', 'displayAds'],
  keywords: ['keywords', 'brandKeywords'],
  targets: ['targets', 'brandTargets', 'displayTargets'],
  negativeKeywords: ['negativeKeywords', 'brandNegativeKeywords'],
  negativeTargets: ['negativeTargets', 'brandNegativeTargets', 'displayNegativeTargets'],
} as const

export type Role = keyof typeof collections
export const roles = Object.keys(collections) as Role[]

type EntryOf<M> = M extends ReadonlyMap<string, infer E> ? E : never
type Stored<R extends Role> = EntryOf<Store[(typeof collections)[R][number]]>
type AnyOf<E> = {
  [K in E extends unknown ? keyof E : never]?: E extends unknown ? (K extends keyof E ? E[K] : never) : never
}
/** An entity of a role and any ad product: fields that some ad product lacks may be absent. */
export type EntityOf<R extends Role> = Stored<R> & AnyOf<Stored<R>>
/** An entity of any role and ad product. */
export type AnyEntity = OfCampaign & AnyOf<Stored<Role>>

const places = new Map<string, { adProduct: AdProduct; role: Role }>(
  roles.flatMap(role => collections[role].map((name, i) => [name, { role, adProduct: adProducts[i] as AdProduct }])),
)
/** Ad product and role of a collection's entities; undefined where it holds something else. */
export const placeOf = (collection: string): { adProduct: AdProduct; role: Role } | undefined => places.get(collection)

/** The collection of an ad product's entities in a role; undefined where it has none. */
export const collectionOf = (adProduct: AdProduct, role: Role): (typeof collections)[Role][number] | undefined =>
  collections[role][adProducts.indexOf(adProduct)]

/** The collections of a role, each with its ad product. */
export function collectionsOf<R extends Role>(store: Store, role: R): [AdProduct, ReadonlyMap<string, EntityOf<R>>][] {
  return collections[role].map((name, i) => [
    adProducts[i] as AdProduct,
    store[name] as unknown as ReadonlyMap<string, EntityOf<R>>,
  ])
}

/** A profile's entities of an ad product in a role, in order of creation. */
export function entitiesOf<R extends Role>(
  store: Store,
  adProduct: AdProduct,
  role: R,
  profileId: number,
): EntityOf<R>[] {
  const [, collection] = collectionsOf(store, role).find(([product]) => product === adProduct) ?? []
  const entities: EntityOf<R>[] = []
  for (const entity of collection?.values() ?? []) if (entity.profileId === profileId) entities.push(entity)
  return entities
}

/** The entity of any ad product with this role and id, and its ad product; null when there is none. */
export function findEntity<R extends Role>(
  store: Store,
  role: R,
  id: string,
): { adProduct: AdProduct; entity: EntityOf<R> } | null {
  for (const [adProduct, collection] of collectionsOf(store, role)) {
    const entity = collection.get(id)
    if (entity) return { adProduct, entity }
  }
  return null
}
