import type { Store } from '../model/store.ts'
import { type CollectionName, collectionNames } from './collections.ts'
import { type ParentField, TrackedMap } from './tracked-map.ts'

/**
 * The entries of a shelf that hang on a parent, in the order in which they came. On the world's own books this looks at
 * them alone; on any other map at all of them.
 */
export const entriesBy = <K, V>(shelf: ReadonlyMap<K, V>, field: ParentField, value: unknown): ReadonlyMap<K, V> =>
  shelf instanceof TrackedMap
    ? (shelf as TrackedMap<K, V>).part(field, value)
    : new Map([...shelf].filter(([, entry]) => (entry as Record<ParentField, unknown>)[field] === value))

/** Books that show only what hangs on a parent, on every shelf that has such a field; for reading. */
export const narrowStore = (store: Store, field: ParentField, value: unknown): Store => {
  const view = { logins: store.logins }
  const get = (shelf: CollectionName) => () => entriesBy<string | number, unknown>(store[shelf], field, value)
  for (const shelf of collectionNames) Object.defineProperty(view, shelf, { get: get(shelf) })
  return view as Store
}
