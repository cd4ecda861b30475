import type { Query, QueryClient } from '@tanstack/react-query'

const oldMs = 30_000

/** True for figures on screen that are older than 30 seconds. */
export function wantsRefresh(query: Pick<Query, 'meta'> & { state: { dataUpdatedAt: number } }, now: number): boolean {
  return query.meta?.figures === true && now - query.state.dataUpdatedAt > oldMs
}

/**
 * Refreshes the figures on screen on coming back to sight or online, behind the last good ones. This is the one
 * addition to the cache constants, which otherwise never fetch by themselves.
 */
export function refreshFiguresOnReturn(client: QueryClient): () => void {
  const refresh = (): void => {
    if (document.visibilityState !== 'visible' || !navigator.onLine) return
    void client.refetchQueries({ type: 'active', predicate: query => wantsRefresh(query, Date.now()) })
  }
  document.addEventListener('visibilitychange', refresh)
  addEventListener('online', refresh)
  return () => {
    document.removeEventListener('visibilitychange', refresh)
    removeEventListener('online', refresh)
  }
}
