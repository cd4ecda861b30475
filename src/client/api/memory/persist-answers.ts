import type { PersistedClient } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { persistedShape } from './persist-figures.ts'
import { answersKey } from '../storage-keys.ts'

const maxAgeMs = 30 * 86_400_000

// Not throttled: the page may be reloaded right after an answer arrived. A full storage only slows down the next start.
const storage = createSyncStoragePersister({
  storage: typeof localStorage === 'undefined' ? undefined : localStorage,
  key: answersKey,
  throttleTime: 0,
})

/**
 * Options of a query whose last answer the guards need at start: it is persisted in local storage and never dropped from
 * memory, because a dropped query would disappear from the storage as well.
 */
export const forGuards = { gcTime: Number.POSITIVE_INFINITY, meta: { persist: 'sync' } } as const

const isPersisted = (query: Query): boolean => query.meta?.persist === 'sync' && query.state.status === 'success'

/** Fills the client with the persisted answers, synchronously, before the first render. False when there are none. */
export function restoreAnswers(queryClient: QueryClient, now = Date.now()): boolean {
  try {
    // The type allows a promise, but this storage is synchronous.
    const saved = storage.restoreClient() as PersistedClient | undefined
    if (!saved || saved.buster !== persistedShape || now - saved.timestamp > maxAgeMs) return false
    hydrate(queryClient, saved.clientState)
    return true
  } catch {
    wipeAnswers()
    return false
  }
}

/**
 * Persists each answer as soon as it changes, and takes over the answers of other tabs, so that all tabs use the same
 * merchant. Returns a function that stops it.
 */
export function persistAnswers(queryClient: QueryClient): () => void {
  const save = (): void => {
    const { queries } = dehydrate(queryClient, {
      shouldDehydrateQuery: isPersisted,
      shouldDehydrateMutation: () => false,
    })
    void storage.persistClient({
      buster: persistedShape,
      timestamp: Date.now(),
      clientState: { queries, mutations: [] },
    })
  }
  const stop = queryClient.getQueryCache().subscribe(event => {
    const changed = event.type === 'removed' || (event.type === 'updated' && changesAnswer.has(event.action.type))
    if (changed && isPersisted(event.query)) save()
  })
  const onStorage = ({ key, newValue }: StorageEvent): void => {
    if (key === answersKey && newValue) restoreAnswers(queryClient)
  }
  addEventListener('storage', onStorage)
  return () => {
    stop()
    removeEventListener('storage', onStorage)
  }
}

const changesAnswer = new Set<string>(['success', 'setState', 'invalidate'])

export const wipeAnswers = (): void => void storage.removeClient()
