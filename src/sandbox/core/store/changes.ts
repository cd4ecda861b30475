import type { Store } from '../model/store.ts'
import { type CollectionName, collectionNames } from './collections.ts'
import { TrackedMap } from './tracked-map.ts'

/** An entry before a change (undefined: it did not exist) and after it (undefined: it was deleted). */
export interface StoreChange {
  collection: CollectionName
  before: unknown
  after: unknown
}
/** An entry as the database has it; null: it was deleted. */
export type StoredEntry = [CollectionName, string | number, unknown]

type AnyMap = TrackedMap<string | number, unknown>

function trackedMap(map: Map<string | number, unknown>): AnyMap {
  if (map instanceof TrackedMap) return map.startTracking()
  const copy: AnyMap = new TrackedMap()
  for (const [key, value] of map) copy.set(key, value)
  return copy.startTracking()
}

/** The store with changes tracked in every collection; the collections of `emptyStore` stay the same maps. */
export function track(store: Store): Store {
  const entries = collectionNames.map(name => [name, trackedMap(store[name] as Map<string | number, unknown>)])
  return { ...Object.fromEntries(entries), logins: store.logins } as Store
}

const trackedIn = (store: Store, name: CollectionName): AnyMap => store[name] as unknown as AnyMap

export function takeChanges(store: Store): (StoreChange & { key: string | number })[] {
  return collectionNames.flatMap(collection =>
    trackedIn(store, collection)
      .takeChanges()
      .map(([key, after, before]) => ({ collection, key, before, after })),
  )
}

/** The keys of changes that `takeChanges` has not returned yet. */
export function pendingKeys(store: Store): [CollectionName, string | number][] {
  return collectionNames.flatMap(name =>
    [...trackedIn(store, name).pendingKeys()].map((key): [CollectionName, string | number] => [name, key]),
  )
}

export function applyChange(store: Store, [collection, key, value]: StoredEntry): void {
  // Written by `takeChanges` of this program, so key and value fit the collection.
  const map = store[collection] as Map<string | number, unknown>
  if (value === null) map.delete(key)
  else map.set(key, value)
}

/** Reverts the changes that `takeChanges` has not returned yet. */
export function revertChanges(store: Store): void {
  for (const name of collectionNames) trackedIn(store, name).revert()
}

/** The profiles whose entries changed; null means an entry without a profile, such as a product. */
export const profilesOf = (changes: readonly StoreChange[]): Set<number | null> =>
  new Set(changes.map(({ before, after }) => ((after ?? before) as { profileId?: number }).profileId ?? null))
