import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '#client/ui/figures/format.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { OfflineState } from '#client/ui/states/state-views.tsx'
import { createdEntities, type Launch } from '../../contract.ts'
import { launchQueries } from '../queries.ts'
import { entityLabels } from './call-labels.ts'

/** What a launch created, by kind, with the marketplace's ids. */
export function CreatedList({ launchId }: { launchId: number }) {
  return (
    <QueryView
      query={useQuery(launchQueries.detail(launchId))}
      loading={{ rows: 3, kind: 'line', label: 'Loading created items' }}
      offline={<OfflineState title="The list needs a connection" />}
    >
      {launch => <CreatedEntities {...launch} />}
    </QueryView>
  )
}

function CreatedEntities({ created, createdCount }: Pick<Launch, 'created' | 'createdCount'>) {
  return (
    <>
      {createdCount > created.length && (
        <p className="call-body-title">
          The first {formatNumber(created.length)} of {formatNumber(createdCount)}:
        </p>
      )}
      <dl className="created">
        {createdEntities.map(entity => {
          const items = created.filter(item => item.entity === entity)
          return (
            items.length > 0 && (
              <div key={entity}>
                <dt>
                  {entityLabels[entity]} ({items.length})
                </dt>
                {items.map(item => (
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
