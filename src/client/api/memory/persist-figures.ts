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
// Each day, filter and merchant has records of its own: some 40 kB each. Whatever they hold, the oldest go first.
const maxRecords = 300
const maxBytes = 16 * 1024 * 1024
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

const persister = experimental_createQueryPersister<PersistedQuery>({
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

/** Persists each query with `meta.persist === 'idb'` as one record and restores it on its first use. */
export const figuresPersister: typeof persister = {
  ...persister,
  persisterFn: (queryFn, context, query) => persister.persisterFn(queryFn, context, withQuietFetch(query)),
}

// What refreshes a restored answer is awaited by nobody: its failure is on the query, and no error of the page.
function withQuietFetch<Q extends { fetch: () => Promise<unknown> }>(query: Q): Q {
  return new Proxy(query, {
    get(own, name) {
      if (name === 'fetch') return () => own.fetch().catch(() => undefined)
      const value: unknown = Reflect.get(own, name, own)
      return typeof value === 'function' ? value.bind(own) : value
    },
  })
}

/** Of a long list the first pages alone: all of them would be requested again at the next start. */
function firstPages(query: PersistedQuery): PersistedQuery {
  const { pages, pageParams } = (query.state.data ?? {}) as Partial<InfiniteData<unknown>>
  if (!Array.isArray(pages) || !Array.isArray(pageParams) || pages.length <= maxPages) return query
  const data = { pages: pages.slice(0, maxPages), pageParams: pageParams.slice(0, maxPages) }
  return { ...query, state: { ...query.state, data } }
}

/** When the persisted answer of a query came; 0 when there is none. */
export async function persistedAtMs(queryHash: string): Promise<number> {
  if (withoutStore()) return 0
  const record = await get<PersistedQuery>(`${figuresPrefix}-${queryHash}`, store()).catch(() => undefined)
  return record?.buster === persistedShape ? record.state.dataUpdatedAt : 0
}

/**
 * Deletes records that are too old or of an older shape, and of the others the oldest, until there are few enough and they
 * take little enough room.
 */
export async function tidyFigures(): Promise<void> {
  if (withoutStore()) return
  const records = await entries<string, PersistedQuery>(store()).catch(() => [])
  const isGood = ({ buster, state }: PersistedQuery): boolean =>
    buster === persistedShape && Date.now() - state.dataUpdatedAt <= maxAgeMs
  const newest = records
    .filter(([, query]) => isGood(query))
    .toSorted(([, a], [, b]) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
    .slice(0, maxRecords)
  const retained = new Set<string>()
  let bytes = 0
  for (const [key, query] of newest) {
    bytes += JSON.stringify(query).length
    if (bytes > maxBytes) break
    retained.add(key)
    // A phone takes a while for all of them, and somebody may be scrolling.
    if (retained.size % perTask === 0) await new Promise(resolve => setTimeout(resolve))
  }
  const superfluous = records.map(([key]) => key).filter(key => !retained.has(key))
  if (superfluous.length > 0) await delMany(superfluous, store()).catch(() => undefined)
}
const perTask = 10

export async function wipeFigures(): Promise<void> {
  dropEarlyFigures()
  if (!withoutStore()) await clear(store()).catch(() => undefined)
}
