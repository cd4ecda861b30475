import './query-meta.ts'
import { MutationCache, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { ApiError, ShapeError, NetworkError, failureMessage } from './api-error.ts'
import { figuresPersister } from './memory/persist-figures.ts'
import { toast } from '../ui/shell/toast-store.ts'
import type { MutationMeta, QueryMeta } from './query-meta.ts'

/** True when another attempt may help: not after a refusal, nor when the answer has the wrong shape. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ShapeError || (error instanceof ApiError && error.status < 500)) return false
  return failures < 3
}
/** 1 s, 2 s, 4 s ... never more than 30 s. */
export const retryDelayMs = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000)

/** A query client with the product's constants; one exists per page. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        onQueryError(error, query.meta)
        refreshGuard(client, error)
      },
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        onMutationError(error, mutation.meta)
        refreshGuard(client, error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // Not because of its age, but an invalidated answer must not be shown again.
        refetchOnMount: query => query.state.isInvalidated,
        refetchOnReconnect: false,
        retry: mayRetry,
        retryDelay: retryDelayMs,
        // Otherwise nothing is read from IndexedDB while offline.
        networkMode: 'offlineFirst',
        persister: figuresPersister.persisterFn,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

// The subscription ended after the guard's last check: it checks again and leads to /subscription.
function refreshGuard(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'SUBSCRIPTION_REQUIRED') return
  void client.invalidateQueries({ predicate: query => query.meta?.persist === 'sync', refetchType: 'all' })
}

/** The page's query client. */
export const queryClient = createQueryClient()

/** The toast for a failure, or undefined when the failure shows elsewhere. */
export function errorNotice(
  error: unknown,
  meta: QueryMeta | MutationMeta | undefined,
): { title: string; message: string } | undefined {
  if (meta?.silent) return undefined
  // The end of the session leads to /login, where a toast would only be in the way.
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return undefined
  const details = error instanceof ApiError ? error.problem.details.join(', ') : ''
  if (meta?.errorTitle) return { title: meta.errorTitle, message: details || failureMessage(error, meta.errorDefault) }
  if (error instanceof ApiError) return { title: 'Error', message: details || failureMessage(error) }
  return undefined
}

/** A query failed after all its attempts. Without network the screens show that themselves. */
function onQueryError(error: unknown, meta: QueryMeta | undefined): void {
  if (error instanceof NetworkError && !meta?.errorTitle) return
  const notice = errorNotice(error, meta)
  if (notice) toast({ ...notice, tone: 'danger' })
}

/** A change failed: the user is always notified, by a toast unless the screen does it. */
function onMutationError(error: unknown, meta: MutationMeta | undefined): void {
  const notice =
    errorNotice(error, meta) ??
    (error instanceof NetworkError && !meta?.silent ? { title: 'Not sent', message: error.message } : undefined)
  if (notice) toast({ ...notice, tone: 'danger' })
}

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
