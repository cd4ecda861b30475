import { Link } from '@tanstack/react-router'
import { Money } from '#client/ui/figures/figure.tsx'
import { TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import type { CampaignRow } from '../../contract.ts'
import { WaitingNote } from '../edit/waiting-note.tsx'
import { FiguresTable } from '../figures/figures-table.tsx'
import type { ListPage } from '../figures/figures-list.tsx'
import { adTypeWords, useCampaignRow } from './campaign-row.tsx'
import type { ListSearch } from './list-search.ts'
import { RowStatus } from './row-status.tsx'

const nameColumn: TableColumn = { name: 'name', label: 'Campaign', text: true, sortable: true }
const stateColumn: TableColumn = { name: 'state', label: 'State', text: true, sortable: true, rank: 1 }
const budgetColumn: TableColumn = { name: 'budget', label: 'Budget a day', sortable: true, rank: 1 }
const columns = [nameColumn, stateColumn, budgetColumn]

interface CampaignsTableProps {
  rows: readonly CampaignRow[]
  page: ListPage<CampaignRow>
  search: ListSearch
  sortBy: string
  onSort: (sort: Pick<ListSearch, 'sortBy' | 'sortDir'>) => void
  onEnd: () => void
}

/** Every campaign with its figures, where the list has the whole width. */
export const CampaignsTable = ({ rows, page, search, sortBy, onSort, onEnd }: CampaignsTableProps) => (
  <FiguresTable
    what="campaigns"
    rows={rows}
    page={page}
    columns={columns}
    renderCells={row => <Cells row={row} search={search} />}
    renderMenu={row => <Menu row={row} />}
    sortBy={sortBy}
    sortDir={search.sortDir ?? 'desc'}
    onSort={onSort}
    onEnd={onEnd}
  />
)

const Cells = ({ row: stored, search }: { row: CampaignRow; search: ListSearch }) => {
  const { shown: row, takeBack } = useCampaignRow(stored)
  return (
    <>
      <TableCell column={nameColumn}>
        <Link to="/campaigns" search={{ ...search, campaign: row.id }} data-row={row.id}>
          {row.name}
        </Link>
        <div className="data-table-detail">
          {[adTypeWords[row.adType], row.targetingType === 'AUTO' ? 'Automatic' : 'Manual'].filter(Boolean).join(' · ')}
        </div>
        <WaitingNote takeBack={takeBack} />
      </TableCell>
      <TableCell column={stateColumn}>
        <div className="row-status">
          <RowStatus {...row} />
        </div>
      </TableCell>
      <TableCell column={budgetColumn}>
        <Money amount={row.budget} currency={row.currency} />
      </TableCell>
    </>
  )
}

const Menu = ({ row }: { row: CampaignRow }) => {
  const { actions } = useCampaignRow(row)
  return actions.length > 0 && <RowMenu name={row.name} actions={actions} />
}
