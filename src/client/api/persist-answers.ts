import { type PersistedClient, persistQueryClientSubscribe } from '@tanstack/query-persist-client-core'
import { createSyncStoragePersister } from '@tanstack/query-sync-storage-persister'
import { hydrate, type QueryClient } from '@tanstack/react-query'
import { persistedShape } from './persist-figures.ts'

const keptMs = 30 * 86_400_000
const storageKey = 'tideline.answers'
const persister = () => createSyncStoragePersister({ storage: localStorage, key: storageKey, throttleTime: 200 })

/**
 * Options of a query whose last answer the guards need at start: kept in local storage and never dropped from memory,
 * for a dropped query would vanish from the storage as well.
 */
export const forGuards = { gcTime: Number.POSITIVE_INFINITY, meta: { persist: 'sync' } } as const

/** Fills the client with the last known answers, synchronously, before the first render. False when there are none. */
export const restoreAnswers = (queryClient: QueryClient, now = Date.now()): boolean => {
  try {
    // The storage is synchronous, so the value is there at once; the library's type does not say so.
    const saved = persister().restoreClient() as PersistedClient | undefined
    if (!saved || saved.buster !== persistedShape || now - saved.timestamp > keptMs) return false
    hydrate(queryClient, saved.clientState)
    return true
  } catch {
    wipeAnswers()
    return false
  }
}

/** Goes on saving the answers as they change; answers the way to stop. */
export const keepAnswers = (queryClient: QueryClient): (() => void) =>
  persistQueryClientSubscribe({
    queryClient,
    persister: persister(),
    buster: persistedShape,
    dehydrateOptions: {
      shouldDehydrateQuery: query => query.meta?.persist === 'sync' && query.state.status === 'success',
      shouldDehydrateMutation: () => false,
    },
  })

/** Forgets the last known answers. */
export const wipeAnswers = (): void => localStorage.removeItem(storageKey)
