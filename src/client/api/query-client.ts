import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, ShapeError } from './api-error.ts'
import { onMutationError, onQueryError } from './error-policy.ts'
import { figuresPersister } from './memory/persist-figures.ts'
import './query-meta.ts'

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
        // Not for its age; but what a change made untrue is never shown again as it was.
        refetchOnMount: query => query.state.isInvalidated,
        refetchOnReconnect: false,
        retry: mayRetry,
        retryDelay: retryDelayMs,
        // Else what IndexedDB holds is never read while offline.
        networkMode: 'offlineFirst',
        persister: figuresPersister.persisterFn,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  return client
}

// The subscription ended since the guard asked: it asks again, and leads to /subscription.
function refreshGuard(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'SUBSCRIPTION_REQUIRED') return
  void client.invalidateQueries({ predicate: query => query.meta?.persist === 'sync', refetchType: 'all' })
}

/** The page's query client. */
export const queryClient = createQueryClient()
