import { hashKey, onlineManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { persistedAtMs } from './persist-figures.ts'

/** One answer that a screen opens with, and how it is asked for. */
export interface KeptAnswer {
  queryKey: QueryKey
  load: (client: QueryClient) => Promise<void>
}

// What a query is made of is its own to know; only its key is read here.
export const keptAnswer = (query: { queryKey: QueryKey }): KeptAnswer => ({
  queryKey: query.queryKey,
  load: client => client.prefetchQuery(query),
})
export const keptPages = (query: { queryKey: QueryKey }): KeptAnswer => ({
  queryKey: query.queryKey,
  load: client => client.prefetchInfiniteQuery(query as Parameters<QueryClient['prefetchInfiniteQuery']>[0]),
})

const goodForMs = 6 * 3_600_000

/**
 * Loads what screens open with, one answer after the other, so that a screen that nobody has opened on this device opens
 * without network too. Leaves out what the device has and is younger than six hours. Stops while the page is out of sight or
 * offline, and where the user wants to save data; called again, it goes on. True when it came to the end.
 */
export async function keepScreens(client: QueryClient, answers: readonly KeptAnswer[]): Promise<boolean> {
  for (const { queryKey, load } of answers) {
    if (!mayLoad()) return false
    const loadedAt = client.getQueryState(queryKey)?.dataUpdatedAt || (await persistedAtMs(hashKey(queryKey)))
    if (Date.now() - loadedAt > goodForMs) await load(client)
  }
  return true
}

function mayLoad(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } }
  const isSlow = connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '')
  return onlineManager.isOnline() && document.visibilityState === 'visible' && !isSlow
}
