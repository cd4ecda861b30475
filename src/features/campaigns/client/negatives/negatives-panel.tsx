import '../campaigns.css'
import './negatives.css'
import type * as v from 'valibot'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, lazy, Suspense } from 'react'
import { useOnline } from '#client/api/online.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { campaignListEndpoints, NegativeRow } from '../../contract.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { campaignQueries } from '../queries.ts'
import { useNegatives } from './use-negatives.ts'
import { alertCircleOutline, arrowUndoOutline, hourglassOutline, refreshOutline, trashOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { targetText } from '#shared/target-text.ts'
import { adTypeShort } from '../search-terms/term-words.ts'
import { discardEdit, usePendingEdits, usePendingEditsOf } from '#client/outbox/outbox.ts'
import { draftOf, negativeKind, removeNegative } from './negative-drafts.ts'

const AddSheet = lazy(() => import('./add-sheet.tsx').then(m => ({ default: m.AddNegativesSheet })))

export type NegativesFilter = Omit<v.InferInput<(typeof campaignListEndpoints)['negatives']['query']>, 'page' | 'size'>

interface NegativesPanelProps {
  shop: Shop
  filter: NegativesFilter
  empty: ReactNode
  isAdding: boolean
  onAddingEnd: () => void
  table?:
    | false
    | { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void }
}

/** Negatives, which are added, removed and tried again. */
export function NegativesPanel({ shop, filter, empty, isAdding, onAddingEnd, table = false }: NegativesPanelProps) {
  const online = useOnline()
  const mayChange = useMayChange()
  const negatives = useNegatives()
  const query = useInfiniteQuery(campaignQueries.negatives(shop, filter))
  const removed = usePendingEdits().filter(edit => edit.kind === removeNegative)
  const actionsOf = (row: NegativeRow): RowAction[] => {
    const pending = removed.find(edit => edit.row === row.id)
    if (pending) return [{ label: 'Keep it', icon: arrowUndoOutline, onSelect: () => discardEdit(pending.id) }]
    return mayChange ? negativeActions(row, negatives, online) : []
  }
  return (
    <>
      <FiguresList
        query={query}
        what="negatives"
        empty={empty}
        renderTable={
          table &&
          ((rows, _page, onEnd) => (
            <DataTable
              label="negatives"
              columns={[...columns, ...(mayChange ? [menuColumn(actionsOf)] : [])]}
              items={rows}
              itemKey={row => row.id}
              nameOf={targetText}
              sort={table}
              onEnd={onEnd}
            />
          ))
        }
      >
        {row => <NegativeItem row={row} actions={actionsOf(row)} />}
      </FiguresList>
      {isAdding && mayChange && (
        <Suspense>
          <AddSheet
            shop={shop}
            campaignId={filter.campaignId === undefined ? undefined : Number(filter.campaignId)}
            adGroupId={filter.adGroupId === undefined ? undefined : Number(filter.adGroupId)}
            onClose={onAddingEnd}
          />
        </Suspense>
      )}
    </>
  )
}

/** Which campaign or ad group it holds for. */
const negativePlace = ({ adType, campaignName, adGroupName }: NegativeRow): string =>
  [adTypeShort[adType], campaignName, adGroupName ?? 'whole campaign'].filter(Boolean).join(' · ')

const columns: readonly TableColumn<NegativeRow>[] = [
  {
    name: 'text',
    label: 'Negative',
    width: 260,
    text: true,
    sortable: true,
    cell: row => <strong>{targetText(row)}</strong>,
  },
  {
    name: 'matchType',
    label: 'Kind',
    width: 220,
    text: true,
    sortable: true,
    cell: row => (
      <div className="row-status">
        <NegativeStatus row={row} />
      </div>
    ),
  },
  { name: 'place', label: 'Applies to', width: 320, text: true, cell: negativePlace },
]

const menuColumn = (actionsOf: (row: NegativeRow) => RowAction[]): TableColumn<NegativeRow> => ({
  name: 'menu',
  label: <span className="visually-hidden">Actions</span>,
  width: 60,
  cell: row => {
    const actions = actionsOf(row)
    return actions.length > 0 && <RowMenu name={targetText(row)} actions={actions} />
  },
})

/** Not at the marketplace yet: it is on its way there, or was rejected. */
const isNew = ({ amazonId }: NegativeRow): boolean => amazonId.startsWith('new:')

/** What can be done with a negative. */
function negativeActions(
  row: NegativeRow,
  { remove, retry }: ReturnType<typeof useNegatives>,
  online: boolean,
): RowAction[] {
  if (row.state === 'ARCHIVED') return []
  const again: RowAction = {
    label: 'Try again',
    icon: refreshOutline,
    onSelect: () => void retry(row.id).catch(() => undefined),
  }
  const away: RowAction = {
    label: 'Remove',
    icon: trashOutline,
    tone: 'danger',
    onSelect: () =>
      void remove(row.id, targetText(row), row.syncState === 'FAILED' ? null : draftOf(row)).catch(() => undefined),
  }
  return online && row.syncState === 'FAILED' && isNew(row) ? [again, away] : [away]
}

/** What kind of negative it is, and how far it has come. */
function NegativeStatus({ row }: { row: NegativeRow }) {
  const { state, syncState, syncError } = row
  const isRemoved = usePendingEditsOf(removeNegative, row.id).length > 0
  return (
    <>
      <span>{negativeKind(row)}</span>
      {state !== 'ENABLED' && <span className="tag">{state === 'ARCHIVED' ? 'Removed' : 'Paused'}</span>}
      {isRemoved && (
        <span className="row-sync">
          <Icon icon={hourglassOutline} /> Removed once you are online
        </span>
      )}
      {syncState === 'PENDING' && (
        <span className="row-sync">
          <Icon icon={hourglassOutline} /> Being sent to the marketplace
        </span>
      )}
      {syncState === 'FAILED' && (
        <span className="row-sync row-sync-failed">
          <Icon icon={alertCircleOutline} /> {isNew(row) ? 'Rejected' : 'Not changed'}: {syncError}
        </span>
      )}
    </>
  )
}

/** A negative in the list of a phone. */
function NegativeItem({ row, actions }: { row: NegativeRow; actions: RowAction[] }) {
  return (
    <ListRow
      title={targetText(row)}
      detail={
        <>
          <div className="row-status">
            <NegativeStatus row={row} />
          </div>
          <div>{negativePlace(row)}</div>
        </>
      }
      end={actions.length > 0 && <RowMenu name={targetText(row)} actions={actions} />}
    />
  )
}
