import {
  type AsyncStorage,
  experimental_createQueryPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core'
import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval'

/** Raise it when the shape of anything persisted changes: older records are then dropped. */
export const persistedShape = 'v1'
const keptMs = 30 * 86_400_000

// Opened on first use: a private window may refuse, and then the app goes on without a memory.
let opened: UseStore | undefined
const store = (): UseStore => (opened ??= createStore('tideline-figures', 'queries'))
const withoutStore = typeof indexedDB === 'undefined'

const storage: AsyncStorage<PersistedQuery> = {
  getItem: key => (withoutStore ? undefined : get<PersistedQuery>(key, store()).catch(() => undefined)),
  setItem: (key, value) => (withoutStore ? undefined : set(key, value, store()).catch(() => undefined)),
  removeItem: key => (withoutStore ? undefined : del(key, store()).catch(() => undefined)),
  entries: () => (withoutStore ? [] : entries<string, PersistedQuery>(store()).catch(() => [])),
}

/** Keeps each query with `meta.persist === 'idb'` as one record, restored when it is first asked for. */
export const figuresPersister = experimental_createQueryPersister<PersistedQuery>({
  storage,
  serialize: query => query,
  deserialize: query => query,
  buster: persistedShape,
  maxAge: keptMs,
  // The page may have been left before the newest answer was written: what is restored is shown, and asked anew behind it.
  refetchOnRestore: 'always',
  filters: { predicate: query => query.meta?.persist === 'idb' },
})

/** Forgets every kept screen of figures. */
export const wipeFigures = async (): Promise<void> => {
  if (!withoutStore) await clear(store()).catch(() => undefined)
}
