import '../campaigns.css'
import './negatives.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type * as v from 'valibot'
import { type ReactNode, lazy, Suspense } from 'react'
import { useOnline } from '#client/api/online.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { campaignListEndpoints, NegativeRow } from '../../contract.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { campaignQueries } from '../queries.ts'
import { NegativeItem, negativeActions, negativeName, negativePlace, NegativeStatus } from './negative-row.tsx'
import { useNegatives } from './use-negatives.ts'

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
  const actionsOf = (row: NegativeRow) => (mayChange && online ? negativeActions(row, negatives) : [])
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
              nameOf={negativeName}
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

const columns: readonly TableColumn<NegativeRow>[] = [
  {
    name: 'text',
    label: 'Negative',
    width: 260,
    text: true,
    sortable: true,
    cell: row => <strong>{negativeName(row)}</strong>,
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
  { name: 'place', label: 'Holds for', width: 320, text: true, cell: negativePlace },
]

const menuColumn = (actionsOf: (row: NegativeRow) => RowAction[]): TableColumn<NegativeRow> => ({
  name: 'menu',
  label: <span className="visually-hidden">Actions</span>,
  width: 60,
  cell: row => {
    const actions = actionsOf(row)
    return actions.length > 0 && <RowMenu name={negativeName(row)} actions={actions} />
  },
})
