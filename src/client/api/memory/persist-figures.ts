import {
  type AsyncStorage,
  experimental_createQueryPersister,
  type PersistedQuery,
} from '@tanstack/query-persist-client-core'
import type { InfiniteData } from '@tanstack/react-query'
import { clear, createStore, del, delMany, entries, get, set, type UseStore } from 'idb-keyval'
import { dropEarlyFigures, takeEarlyFigure } from '../../early/early-figures.ts'
import { figuresDatabase, figuresPrefix, figuresStore } from '../storage-keys.ts'

/** Raise it when the shape of anything persisted changes: older records are then dropped. */
export const persistedShape = 'v3'
const maxAgeMs = 30 * 86_400_000
// Each day, filter and merchant has records of its own: some 40 kB each, so that the device holds 12 MB at most.
const maxRecords = 300
const maxPages = 4

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
  serialize: firstPages,
  deserialize: query => query,
  prefix: figuresPrefix,
  buster: persistedShape,
  maxAge: maxAgeMs,
  // The page may have been left before the newest answer was written: the restored one is shown and refreshed behind it.
  refetchOnRestore: 'always',
  filters: { predicate: query => query.meta?.persist === 'idb' },
})

/** Of a long list the first pages alone: all of them would be requested again at the next start. */
function firstPages(query: PersistedQuery): PersistedQuery {
  const { pages, pageParams } = (query.state.data ?? {}) as Partial<InfiniteData<unknown>>
  if (!Array.isArray(pages) || !Array.isArray(pageParams) || pages.length <= maxPages) return query
  const data = { pages: pages.slice(0, maxPages), pageParams: pageParams.slice(0, maxPages) }
  return { ...query, state: { ...query.state, data } }
}

/** Deletes records that are too old or of an older shape, and of the others all but the newest. */
export async function tidyFigures(): Promise<void> {
  if (withoutStore()) return
  const records = await entries<string, PersistedQuery>(store()).catch(() => [])
  const isGood = ({ buster, state }: PersistedQuery): boolean =>
    buster === persistedShape && Date.now() - state.dataUpdatedAt <= maxAgeMs
  const newest = records
    .filter(([, query]) => isGood(query))
    .toSorted(([, a], [, b]) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
  const retained = new Set(newest.slice(0, maxRecords).map(([key]) => key))
  const superfluous = records.map(([key]) => key).filter(key => !retained.has(key))
  if (superfluous.length > 0) await delMany(superfluous, store()).catch(() => undefined)
}

export async function wipeFigures(): Promise<void> {
  dropEarlyFigures()
  if (!withoutStore()) await clear(store()).catch(() => undefined)
}
