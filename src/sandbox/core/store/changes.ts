import type { Store } from '../model/store.ts'
import { type CollectionName, collectionNames } from './collections.ts'
import { TrackedMap } from './tracked-map.ts'

/** An entry of the books as it was (undefined: it was not there) and as it is (undefined: it is gone). */
export interface StoreChange {
  shelf: CollectionName
  before: unknown
  after: unknown
}
/** An entry as the journal has it; null: it is gone. */
export type StoredEntry = [CollectionName, string | number, unknown]

const trackedMap = (map: Map<string | number, unknown>): TrackedMap<string | number, unknown> => {
  if (map instanceof TrackedMap) return map.startTracking()
  const copy = new TrackedMap<string | number, unknown>()
  for (const [key, value] of map) copy.set(key, value)
  return copy.startTracking()
}

/** The books with every shelf on a map that knows what was changed on it; shelves of `emptyStore` stay the same maps. */
export const track = (store: Store): Store => {
  const entries = collectionNames.map(shelf => [shelf, trackedMap(store[shelf] as Map<string | number, unknown>)])
  return { ...Object.fromEntries(entries), logins: store.logins } as Store
}

const tracked = (store: Store, shelf: CollectionName): TrackedMap<string | number, unknown> =>
  store[shelf] as unknown as TrackedMap<string | number, unknown>

interface Touched extends StoreChange {
  key: string | number
}

/** What changed since the last call, shelf by shelf. */
export const takeChanges = (store: Store): Touched[] =>
  collectionNames.flatMap(shelf =>
    tracked(store, shelf)
      .takeChanges()
      .map(([key, after, before]) => ({ shelf, key, before, after })),
  )

/** Sets an entry as a journal tells it; null: it is gone. */
export const applyChange = (store: Store, [shelf, key, value]: StoredEntry): void => {
  // Written by `takeChanges` of this program, so key and value fit the shelf.
  const map = store[shelf] as Map<string | number, unknown>
  if (value === null) map.delete(key)
  else map.set(key, value)
}

/** Puts back what was there before the changes that nobody has taken yet. */
export const takeBack = (store: Store): void => {
  for (const shelf of collectionNames) tracked(store, shelf).takeBack()
}

/** The profiles whose entries changed; null stands for what may concern anybody, such as a product. */
export const profilesOf = (changes: readonly StoreChange[]): Set<number | null> =>
  new Set(changes.map(({ before, after }) => ((after ?? before) as { profileId?: number }).profileId ?? null))
