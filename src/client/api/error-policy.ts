import { toast } from '../ui/shell/toast-store.ts'
import { ApiError, NetworkError, failureMessage } from './api-error.ts'
import type { MutationMeta, QueryMeta } from './query-meta.ts'

/** The notification for a failure, or undefined when it is told elsewhere. */
export function errorNotice(
  error: unknown,
  meta: QueryMeta | MutationMeta | undefined,
): { title: string; message: string } | undefined {
  if (meta?.silent) return undefined
  // The session's end leads to /login; the word for it would only be in the way.
  if (error instanceof ApiError && error.code === 'UNAUTHENTICATED') return undefined
  const details = error instanceof ApiError ? error.problem.details.join(', ') : ''
  if (meta?.errorTitle) return { title: meta.errorTitle, message: details || failureMessage(error, meta.errorDefault) }
  if (error instanceof ApiError) return { title: 'Error', message: details || failureMessage(error) }
  return undefined
}

/** A query failed after all its attempts. Without network the screens say so themselves. */
export function onQueryError(error: unknown, meta: QueryMeta | undefined): void {
  if (error instanceof NetworkError && !meta?.errorTitle) return
  const notice = errorNotice(error, meta)
  if (notice) toast({ ...notice, tone: 'danger' })
}

/** A change failed: the user is always told, unless the screen does it. */
export function onMutationError(error: unknown, meta: MutationMeta | undefined): void {
  const notice =
    errorNotice(error, meta) ??
    (error instanceof NetworkError && !meta?.silent ? { title: 'Not sent', message: error.message } : undefined)
  if (notice) toast({ ...notice, tone: 'danger' })
}
