import type { Store } from '../model/store.ts'
import { type ParentField, TrackedMap } from './tracked-map.ts'

export type CollectionName = Exclude<keyof Store, 'logins'>

export const collectionNames: readonly CollectionName[] = [
  'sellers',
  'profiles',
  'products',
  'campaigns',
  'adGroups',
  'productAds',
  'keywords',
  'targets',
  'negativeKeywords',
  'negativeTargets',
  'portfolios',
  'budgetRules',
  'bidRules',
  'roasRules',
  'marketEvents',
  'brandCampaigns',
  'brandAdGroups',
  'brandAds',
  'brandKeywords',
  'brandNegativeKeywords',
  'brandTargets',
  'brandNegativeTargets',
  'displayCampaigns',
  'displayAdGroups',
  'displayAds',
  'displayTargets',
  'displayNegativeTargets',
]

export function emptyStore(): Store {
  const collections = Object.fromEntries(collectionNames.map(name => [name, new TrackedMap()]))
  return { ...collections, logins: [] } as unknown as Store
}

/**
 * The entries of a collection that belong to a parent, in order of creation. In the world's own store this looks only at
 * them; in any other map it looks at every entry.
 */
export function entriesBy<K, V>(collection: ReadonlyMap<K, V>, field: ParentField, value: unknown): ReadonlyMap<K, V> {
  return collection instanceof TrackedMap
    ? (collection as TrackedMap<K, V>).entriesBy(field, value)
    : new Map([...collection].filter(([, entry]) => (entry as Record<ParentField, unknown>)[field] === value))
}

/** A view for reading: in every collection that has the parent field, only the entries of this parent. */
export function narrowStore(store: Store, field: ParentField, value: unknown): Store {
  const view = { logins: store.logins }
  const get = (name: CollectionName) => () => entriesBy<string | number, unknown>(store[name], field, value)
  for (const name of collectionNames) Object.defineProperty(view, name, { get: get(name) })
  return view as Store
}
