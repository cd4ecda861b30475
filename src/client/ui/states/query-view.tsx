import { alertCircleOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { ApiError, isNotFound } from '../../api/api-error.ts'
import { useOnline } from '../../api/online.ts'
import { serverAheadMs } from '../../api/server-clock.ts'
import { DataAge } from '../figures/data-age.tsx'
import { Button } from './button.tsx'
import { FailedState, Notice, OfflineState, Skeleton, type SkeletonProps } from './state-views.tsx'
import { StillLoading, useLate } from './still-loading.tsx'

export interface QueryViewProps<T> {
  /** The result of useQuery or useInfiniteQuery. */
  query: {
    data: T | undefined
    error: Error | null
    dataUpdatedAt: number
    refetch: () => unknown
    /** Of the attempts of the request that runs now. */
    failureCount?: number
    failureReason?: Error | null
    isFetching?: boolean
    /** The data answers an earlier choice: other days, another order. */
    isPlaceholderData?: boolean
    /** A list reports what becomes of its next page itself. */
    isFetchingNextPage?: boolean
    isFetchNextPageError?: boolean
  }
  loading: SkeletonProps
  /** What to show when the answer holds nothing to draw; anything falsy draws the children. */
  empty?: (data: T) => ReactNode
  notFound?: ReactNode
  offline?: ReactNode
  failedTitle?: string
  /** Title of the failure above the last good data. */
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
  const { data, failureCount = 0, isPlaceholderData = false } = query
  if (data === undefined) return <NothingYet query={query} online={online} {...views} />
  return (
    <>
      {online &&
        (isPlaceholderData ? (
          <StillLoading hasFailed={failureCount > 0} isEarlier />
        ) : (
          <StaleNotice query={query} title={views.staleTitle} />
        ))}
      {empty?.(data) || children(data)}
    </>
  )
}

type NothingYetProps = Omit<QueryViewProps<unknown>, 'children' | 'empty'> & { online: boolean }

function NothingYet({ query, online, loading, notFound, offline, failedTitle, fallback }: NothingYetProps) {
  const { error, failureCount = 0 } = query
  if (notFound && isNotFound(error)) return notFound
  if (online && !error)
    return (
      <>
        <StillLoading hasFailed={failureCount > 0} />
        <Skeleton {...loading} />
      </>
    )
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
  title: string | undefined
}

/** That newer data cannot be had, as soon as the first attempt failed and the next ones take their time. */
function StaleNotice({ query, title = 'This could not be refreshed' }: StaleNoticeProps) {
  const { error, failureCount = 0, failureReason, dataUpdatedAt, refetch } = query
  const cause = error ?? failureReason
  // Of a server that failed or is not reached, the button is all that can be said.
  const reason = cause instanceof ApiError && cause.status < 500 && `${cause.message} `
  const isNextPage = query.isFetchingNextPage || query.isFetchNextPageError
  const isTrying = useLate(failureCount > 0 ? 0 : null)
  if (isNextPage || !(error || isTrying)) return null
  return (
    <Notice
      icon={alertCircleOutline}
      action={
        <Button busy={query.isFetching ?? false} busyLabel="Trying again…" onClick={() => void refetch()}>
          Try again
        </Button>
      }
    >
      <strong>{title}</strong> {reason}
      {/* The cache notes times by the device's clock, ages go by the server's. */}
      <DataAge at={dataUpdatedAt + serverAheadMs()} prefix="Saved" />
    </Notice>
  )
}
