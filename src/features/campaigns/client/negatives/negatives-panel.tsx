import '../campaigns.css'
import './negatives.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type * as v from 'valibot'
import { type ReactNode, lazy, Suspense } from 'react'
import { useOnline } from '#client/api/online.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
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
              columns={[...columns, ...(mayChange ? [menu] : [])]}
              items={rows}
              itemKey={row => row.id}
              sort={table}
              onEnd={onEnd}
            >
              {row => <Cells row={row} menu={mayChange && <Menu row={row} actions={actionsOf(row)} />} />}
            </DataTable>
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

const text: TableColumn = { name: 'text', label: 'Negative', text: true, sortable: true }
const kind: TableColumn = { name: 'matchType', label: 'Kind', text: true, sortable: true }
const place: TableColumn = { name: 'place', label: 'Holds for', text: true }
const menu: TableColumn = { name: 'menu', label: <span className="visually-hidden">Actions</span> }
const columns = [text, kind, place]

function Cells({ row, menu: drawn }: { row: NegativeRow; menu: ReactNode }) {
  return (
    <>
      <TableCell column={text}>
        <strong>{negativeName(row)}</strong>
      </TableCell>
      <TableCell column={kind}>
        <div className="row-status">
          <NegativeStatus row={row} />
        </div>
      </TableCell>
      <TableCell column={place}>{negativePlace(row)}</TableCell>
      {drawn !== false && <TableCell column={menu}>{drawn}</TableCell>}
    </>
  )
}

const Menu = ({ row, actions }: { row: NegativeRow; actions: Parameters<typeof RowMenu>[0]['actions'] }) =>
  actions.length > 0 && <RowMenu name={negativeName(row)} actions={actions} />
