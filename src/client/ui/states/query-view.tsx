import type { ReactNode } from 'react'
import { isNotFound } from '../../api/api-error.ts'
import { useOnline } from '../../api/online.ts'
import { serverAheadMs } from '../../api/server-clock.ts'
import { DataAge } from '../figures/data-age.tsx'
import { FailedState, OfflineState, Skeleton, type SkeletonProps } from './state-views.tsx'

interface QueryViewProps<T> {
  /** The result of useQuery or useInfiniteQuery. */
  query: {
    data: T | undefined
    error: Error | null
    dataUpdatedAt: number
    refetch: () => unknown
    /** A list reports the failure of its next page itself. */
    isFetchNextPageError?: boolean
  }
  loading: SkeletonProps
  /** What to show when the answer holds nothing to draw; anything falsy draws the children. */
  empty?: (data: T) => ReactNode
  notFound?: ReactNode
  offline?: ReactNode
  failedTitle?: string
  /** Title of the failure above the last good data. Without it one line says how old that data is. */
  staleTitle?: string
  fallback?: ReactNode
  children: (data: T) => ReactNode
}

/**
 * Draws a query in each of its states: loading, empty, failed, offline, and the last good data while it cannot be
 * refreshed. Offline, screens say by themselves how old their data is.
 */
export function QueryView<T>({ query, children, empty, ...views }: QueryViewProps<T>) {
  const online = useOnline()
  const { data, error } = query
  if (data === undefined) return <NothingYet query={query} online={online} {...views} />
  const cannotRefresh = error && online && !query.isFetchNextPageError
  return (
    <>
      {cannotRefresh && <StaleNotice query={query} error={error} title={views.staleTitle} />}
      {empty?.(data) || children(data)}
    </>
  )
}

type NothingYetProps = Omit<QueryViewProps<unknown>, 'children' | 'empty'> & { online: boolean }

function NothingYet({ query, online, loading, notFound, offline, failedTitle, fallback }: NothingYetProps) {
  const { error } = query
  if (notFound && isNotFound(error)) return notFound
  if (online && !error) return <Skeleton {...loading} />
  return (
    <>
      {online ? (
        <FailedState error={error} onRetry={() => void query.refetch()} title={failedTitle} />
      ) : (
        (offline ?? <OfflineState />)
      )}
      {fallback}
    </>
  )
}

interface StaleNoticeProps extends Pick<QueryViewProps<unknown>, 'query'> {
  error: Error
  title: string | undefined
}

function StaleNotice({ query, error, title }: StaleNoticeProps) {
  // The cache notes times by the device's clock, ages go by the server's.
  const age = <DataAge at={query.dataUpdatedAt + serverAheadMs()} prefix="Saved" />
  if (title === undefined)
    return (
      <p className="data-age" aria-live="polite">
        This could not be refreshed. {age}
      </p>
    )
  return (
    <FailedState error={error} title={title} onRetry={() => void query.refetch()}>
      <p>{age}</p>
    </FailedState>
  )
}
