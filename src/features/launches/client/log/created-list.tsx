import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#client/ui/figures/format.ts'
import { useOnline } from '#client/api/online.ts'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState, OfflineState } from '#client/ui/states/state-views.tsx'
import { createdEntities } from '../../contract.ts'
import { launchQueries } from '../queries.ts'
import { entityWords } from './call-words.ts'

/** What exists on the marketplace by a launch, by kind, under the marketplace's own ids. */
export const CreatedList = ({ launchId }: { launchId: number }) => {
  const online = useOnline()
  const { data, error, refetch } = useQuery(launchQueries.detail(launchId))
  if (!data) {
    if (!online) return <OfflineState title="The list needs a connection" />
    if (error) return <FailedState error={error} onRetry={() => void refetch()} />
    return <Skeleton rows={3} kind="line" label="Loading what was made" />
  }
  const { created, createdCount } = data
  return (
    <>
      {createdCount > created.length && (
        <p className="call-body-title">
          The first {formatNumber(created.length)} of {formatNumber(createdCount)}:
        </p>
      )}
      <dl className="created">
        {createdEntities.map(entity => {
          const own = created.filter(item => item.entity === entity)
          return (
            own.length > 0 && (
              <div key={entity}>
                <dt>
                  {entityWords[entity]} ({own.length})
                </dt>
                {own.map(item => (
                  <dd key={item.id}>
                    {item.name} <small>{item.id}</small>
                  </dd>
                ))}
              </div>
            )
          )
        })}
      </dl>
    </>
  )
}
