import '../bulk/bulk.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { sheetStep } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { EntityChange, EntityName } from '#features/structure/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { targetText } from '#shared/target-text.ts'
import { ChangedValue, changeLabel, hasValues, originLabels } from './changed-value.tsx'
import { type ChangeFilter, changeQueries } from './change-queries.ts'
import { canUndo, isCreated } from './group-view.tsx'
import { useUndo } from './use-undo.ts'

interface ChangeListProps extends ChangeFilter {
  shop: Shop
  entity?: EntityName
  entityId?: number
  campaignId?: number
  /** How many at first; more come with a button. */
  limit?: number
}

/** What was changed, by whom and when, the latest first: of one entity, of a campaign with all in it, or of everything. */
export function ChangeList({ shop, limit = 20, ...filter }: ChangeListProps) {
  const query = useInfiniteQuery(changeQueries.list(shop, filter, limit))
  const { entityId, collapsed } = filter
  const age = <OfflineAge updatedAt={[query.dataUpdatedAt]} />
  return (
    <QueryView
      query={query}
      loading={{ rows: 4, label: 'Loading the history' }}
      failedTitle="The history could not be loaded"
      staleTitle="The latest changes could not be loaded"
      empty={({ pages }) =>
        pages[0]?.content.length === 0 && (
          <>
            {age}
            <EmptyState
              title="No changes"
              hint="Changes made here, in the marketplace’s console and by launches appear here."
            />
          </>
        )
      }
    >
      {({ pages }) => (
        <>
          {age}
          <ul className="change-list" aria-label="History">
            {pages.flatMap(page =>
              page.content.map(change => (
                <li key={change.id}>
                  <ChangeRow
                    change={change}
                    currency={page.currency}
                    shop={shop}
                    isNamed={entityId === undefined}
                    isCollapsed={collapsed === true}
                  />
                </li>
              )),
            )}
          </ul>
          {query.hasNextPage && (
            <Button
              block
              busy={query.isFetchingNextPage}
              busyLabel="Loading…"
              onClick={() => void query.fetchNextPage()}
            >
              Show older changes
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}

export const entityLabels: Record<EntityName, string> = {
  campaign: 'Campaign',
  adGroup: 'Ad group',
  ad: 'Ad',
  target: 'Keyword or target',
  negative: 'Negative',
}
const history: string = '/changes'

function whoOf(change: EntityChange): string {
  const { origin, by, undoes, note } = change
  if (origin === 'MARKETPLACE' && (undoes !== null || change.field === 'syncState') && note)
    return 'Rejected by the marketplace'
  const who = by ?? originLabels[origin]
  return undoes === null ? who : `Undo by ${who}`
}

const others = (count: number): string =>
  count === 1 ? 'with 1 other change' : `with ${formatNumber(count)} other changes`

interface ChangeRowProps {
  change: EntityChange
  currency: string
  shop: Shop
  /** Whether it says what was changed: not in the history of one entity. */
  isNamed: boolean
  /** Whether it stands for its whole group. */
  isCollapsed: boolean
}

function ChangeRow({ change, currency, shop, isNamed, isCollapsed }: ChangeRowProps) {
  const { entity, field, before, after, at, name, note, groupId, groupSize, campaignName } = change
  const label = changeLabel(entity, field)
  const isInside = entity !== 'campaign' && campaignName
  return (
    <article className="change-row">
      <div className="change-what">
        {isNamed && (
          <strong className="change-name">
            {entity === 'target' || entity === 'negative' ? targetText({ kind: 'AUTO', text: name }) : name}
          </strong>
        )}
        {isNamed && (
          <span className="change-place">
            {entityLabels[entity]}
            {isInside && ` in ${campaignName}`}
          </span>
        )}
        <span>
          {label}{' '}
          {hasValues(field) && (
            <ChangedValue entity={entity} field={field} before={before} after={after} currency={currency} />
          )}
        </span>
        {note && <span className="change-note">{note}</span>}
        <span className="change-by">
          <time dateTime={at}>{formatMoment(at, timezoneOfMarketplace(shop.marketplaceId))}</time>
          {` · ${whoOf(change)}`}
          {groupSize > 1 && !isCollapsed && (
            <>
              {' · '}
              <Link to={history} search={{ group: groupId } as never} state={sheetStep as never}>
                {others(groupSize - 1)}
              </Link>
            </>
          )}
        </span>
      </div>
      {isCollapsed && groupSize > 1 ? (
        <div className="change-group">
          {change.isGroupUndone && <span className="change-undone">Undone</span>}
          <Link
            className="button button-quiet"
            to={history}
            search={((previous: object) => ({ ...previous, group: groupId })) as never}
            state={sheetStep as never}
          >
            {`See all ${formatNumber(groupSize)}`}
          </Link>
        </div>
      ) : (
        <UndoButton change={change} label={`${label} of ${name}`} />
      )}
    </article>
  )
}

function UndoButton({ change, label }: { change: EntityChange; label: string }) {
  const mayChange = useMayChange()
  const { undo, isPending } = useUndo()
  if (change.undoneBy !== null) return <span className="change-undone">Undone</span>
  if (!mayChange || !canUndo(change)) return null
  return (
    <Button
      className="change-undo"
      busy={isPending}
      busyLabel="Undoing…"
      aria-label={`Undo: ${label}`}
      onClick={() => void undo({ id: change.id }, { archives: isCreated(change) })}
    >
      Undo
    </Button>
  )
}
