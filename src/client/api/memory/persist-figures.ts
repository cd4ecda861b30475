import {
  type AsyncStorage,
  experimental_createQueryPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core'
import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval'
import { dropEarlyFigures, takeEarlyFigure } from '../../early/early-figures.ts'
import { figuresDatabase, figuresPrefix, figuresStore } from '../storage-keys.ts'

/** Raise it when the shape of anything persisted changes: older records are then dropped. */
export const persistedShape = 'v3'
const maxAgeMs = 30 * 86_400_000

// Opened on first use: a private window may refuse, and then nothing is persisted.
let opened: UseStore | undefined
const store = (): UseStore => (opened ??= createStore(figuresDatabase, figuresStore))
const withoutStore = (): boolean => typeof indexedDB === 'undefined'

const storage: AsyncStorage<PersistedQuery> = {
  getItem: async key =>
    withoutStore()
      ? undefined
      : ((await takeEarlyFigure(key)) ?? get<PersistedQuery>(key, store()).catch(() => undefined)),
  setItem: (key, value) => {
    dropEarlyFigures()
    return withoutStore() ? undefined : set(key, value, store()).catch(() => undefined)
  },
  removeItem: key => (withoutStore() ? undefined : del(key, store()).catch(() => undefined)),
  entries: () => (withoutStore() ? [] : entries<string, PersistedQuery>(store()).catch(() => [])),
}

/** Persists each query with `meta.persist === 'idb'` as one record and restores it on its first use. */
export const figuresPersister = experimental_createQueryPersister<PersistedQuery>({
  storage,
  serialize: query => query,
  deserialize: query => query,
  prefix: figuresPrefix,
  buster: persistedShape,
  maxAge: maxAgeMs,
  // The page may have been left before the newest answer was written: the restored one is shown and refreshed behind it.
  refetchOnRestore: 'always',
  filters: { predicate: query => query.meta?.persist === 'idb' },
})

/** Deletes records that are too old or of an older shape: each day of figures has its own keys, which no later day uses. */
export const tidyFigures = (): Promise<void> => figuresPersister.persisterGc().catch(() => undefined)

export async function wipeFigures(): Promise<void> {
  dropEarlyFigures()
  if (!withoutStore()) await clear(store()).catch(() => undefined)
}
