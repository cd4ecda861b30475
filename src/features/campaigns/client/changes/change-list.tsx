import { useInfiniteQuery } from '@tanstack/react-query'
import { formatMoment } from '#client/ui/figures/format.ts'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { entities, type EntityChange, type EntityName } from '#features/structure/contract.ts'
import type { Field } from '#shared/fields.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { type FieldValue, formatField } from '../form/field-labels.ts'
import { type ChangeFilter, changeQueries } from './change-queries.ts'

interface ChangeListProps extends ChangeFilter {
  shop: Shop
  entity?: EntityName
  entityId?: number
  campaignId?: number
  /** How many at most; more come with a button. */
  limit?: number
}

/** What was changed, by whom and when, the latest first: of one entity, of a campaign with all in it, or of everything. */
export function ChangeList({ shop, limit = 20, ...filter }: ChangeListProps) {
  const query = useInfiniteQuery(changeQueries.list(shop, filter, limit))
  return (
    <QueryView
      query={query}
      loading={{ rows: 4, label: 'Loading the history' }}
      empty={data => data.pages[0]?.content.length === 0 && <EmptyState title="Nothing was changed yet" />}
    >
      {({ pages }) => (
        <>
          <ul aria-label="History">
            {pages.flatMap(page =>
              page.content.map(change => (
                <li key={change.id}>
                  <ChangeRow change={change} currency={page.currency} shop={shop} />
                </li>
              )),
            )}
          </ul>
          {query.hasNextPage && (
            <Button busy={query.isFetchingNextPage} busyLabel="Loading..." onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}

function ChangeRow({ change, currency, shop }: { change: EntityChange; currency: string; shop: Shop }) {
  const { entity, field, before, after, at, name, by } = change
  const fields: Record<string, Field> = entities[entity].fields
  const described = field === null ? undefined : fields[field]
  const shown = (value: unknown): string =>
    field && described ? formatField(field, described, value as FieldValue, currency) : ''
  return (
    <ListRow
      title={name}
      detail={
        <>
          {formatMoment(at, timezoneOfMarketplace(shop.marketplaceId))}
          {by && ` · ${by}`}
          {described && ` · ${described.label}: ${shown(before)} → ${shown(after)}`}
        </>
      }
    />
  )
}
