import type { PersistedClient } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { dehydrate, hydrate, type Query, type QueryClient } from '@tanstack/react-query'
import { persistedShape } from './persist-figures.ts'
import { answersKey } from '../storage-keys.ts'

const keptMs = 30 * 86_400_000

// Without a wait: the page may be reloaded right after an answer came. A full storage costs the memory of the next start, not
// this visit.
const storage = createSyncStoragePersister({
  storage: typeof localStorage === 'undefined' ? undefined : localStorage,
  key: answersKey,
  throttleTime: 0,
})

/**
 * Options of a query whose last answer the guards need at start: kept in local storage and never dropped from memory,
 * for a dropped query would vanish from the storage as well.
 */
export const forGuards = { gcTime: Number.POSITIVE_INFINITY, meta: { persist: 'sync' } } as const

const isKept = (query: Query): boolean => query.meta?.persist === 'sync' && query.state.status === 'success'

/** Fills the client with the last known answers, synchronously, before the first render. False when there are none. */
export function restoreAnswers(queryClient: QueryClient, now = Date.now()): boolean {
  try {
    // The interface leaves room for a promise; this storage answers at once.
    const saved = storage.restoreClient() as PersistedClient | undefined
    if (!saved || saved.buster !== persistedShape || now - saved.timestamp > keptMs) return false
    hydrate(queryClient, saved.clientState)
    return true
  } catch {
    wipeAnswers()
    return false
  }
}

/**
 * Goes on saving the answers, each as soon as it changes; and takes
 * over what another tab learnt, so that both go by the same merchant. Answers the way to stop.
 */
export function keepAnswers(queryClient: QueryClient): () => void {
  const save = (): void => {
    const { queries } = dehydrate(queryClient, { shouldDehydrateQuery: isKept, shouldDehydrateMutation: () => false })
    void storage.persistClient({
      buster: persistedShape,
      timestamp: Date.now(),
      clientState: { queries, mutations: [] },
    })
  }
  const stop = queryClient.getQueryCache().subscribe(event => {
    const changed = event.type === 'removed' || (event.type === 'updated' && changesAnswer.has(event.action.type))
    if (changed && isKept(event.query)) save()
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

/** Forgets the last known answers. */
export const wipeAnswers = (): void => void storage.removeClient()
