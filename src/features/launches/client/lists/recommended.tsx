import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { EmptyState, FailedState, OfflineState } from '#client/ui/states/state-views.tsx'

interface RecommendedProps<T> {
  query: Pick<UseQueryResult, 'error' | 'refetch'> & { data: T[] | undefined }
  what: string
  /** In what order they stand, or what is left out. */
  hint?: string
  /** Takes all of them that are not chosen yet; null when all are. */
  onAddAll: (() => void) | null
  children: (items: T[]) => ReactNode
}

/** The list of recommendations in each of its states. */
export function Recommended<T>({ query, what, hint, onAddAll, children }: RecommendedProps<T>) {
  const online = useOnline()
  const { data, error, refetch } = query
  return (
    <section className="configure-section" aria-label={`Recommended ${what}`}>
      <div className="card-head">
        <h3>Recommended {what}</h3>
        {data && data.length > 0 && (
          <Button disabled={!onAddAll} onClick={() => onAddAll?.()}>
            {onAddAll ? 'Add all' : 'All added'}
          </Button>
        )}
      </div>
      {hint && data && data.length > 0 && <p className="muted small">{hint}</p>}
      {data ? (
        data.length ? (
          children(data)
        ) : (
          <EmptyState title={`No ${what} are recommended`} hint="You can add some by hand." />
        )
      ) : !online ? (
        <OfflineState title="You are offline" hint="Recommendations need a connection. What you have chosen is kept." />
      ) : error ? (
        <FailedState error={error} title="Fetch failed" onRetry={() => void refetch()} />
      ) : (
        <Skeleton rows={5} label={`Loading recommended ${what}`} />
      )}
    </section>
  )
}
