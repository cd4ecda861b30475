import './query-meta.ts'
import { MutationCache, onlineManager, QueryCache, QueryClient, type Query } from '@tanstack/react-query'
import { ApiError, ShapeError, NetworkError, failureMessage } from './api-error.ts'
import { figuresPersister } from './memory/persist-figures.ts'
import { toast } from '../ui/shell/toast-store.ts'
import type { QueryMeta } from './query-meta.ts'

/** True when another attempt may help: not after a refusal, nor when the answer has the wrong shape. */
export function mayRetry(failures: number, error: unknown): boolean {
  if (error instanceof ShapeError || (error instanceof ApiError && error.status < 500)) return false
  return failures < 3
}
const retryDelayMs = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000)

/** A query client with the product's constants; one exists per page. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, { meta }) => report(client, error, meta, false) }),
    mutationCache: new MutationCache({
      onError: (error, variables, _result, { meta }) => {
        const { errorTitle, ...same } = meta ?? {}
        const title = typeof errorTitle === 'function' ? errorTitle(variables as never) : errorTitle
        report(client, error, { ...same, ...(title !== undefined && { errorTitle: title }) }, true)
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

// Users are always notified of a change that failed, by a toast unless the screen does it. Of a query without network the
// screens say so themselves.
function report(client: QueryClient, error: unknown, meta: QueryMeta | undefined, isChange: boolean): void {
  const isNetwork = error instanceof NetworkError
  const notSent = isChange && isNetwork && !meta?.silent ? { title: 'Not sent', message: error.message } : undefined
  const notice = errorNotice(error, meta) ?? notSent
  if (notice) toast({ ...notice, tone: 'danger' })
  // The subscription ended after the guard's last check: it checks again and leads to /subscription.
  if (error instanceof ApiError && error.code === 'SUBSCRIPTION_REQUIRED')
    void client.invalidateQueries({ predicate: query => query.meta?.persist === 'sync', refetchType: 'all' })
}

export const queryClient = createQueryClient()

/** The toast for a failure, or undefined when the failure shows elsewhere. */
export function errorNotice(
  error: unknown,
  meta: QueryMeta | undefined,
): { title: string; message: string } | undefined {
  if (meta?.silent) return undefined
  // The end of the session leads to /login, where a toast would only be in the way.
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return undefined
  const details = error instanceof ApiError ? error.problem.details.join(', ') : ''
  if (meta?.errorTitle) return { title: meta.errorTitle, message: details || failureMessage(error, meta.errorDefault) }
  if (error instanceof ApiError) return { title: 'Error', message: details || failureMessage(error) }
  return undefined
}

/**
 * Refreshes the figures on screen on coming back to sight or online, behind the last good ones. This is the one
 * addition to the cache constants, which otherwise never fetch by themselves.
 */
export function refreshFiguresOnReturn(client: QueryClient): () => void {
  const isOld = ({ meta, state }: Query): boolean => meta?.figures === true && Date.now() - state.dataUpdatedAt > 30_000
  const refresh = (): void => {
    if (document.visibilityState !== 'visible' || !onlineManager.isOnline()) return
    void client.refetchQueries({ type: 'active', predicate: isOld })
  }
  document.addEventListener('visibilitychange', refresh)
  const stop = onlineManager.subscribe(refresh)
  return () => {
    document.removeEventListener('visibilitychange', refresh)
    stop()
  }
}
