import type { ReactNode } from 'react'
import { formatPercent } from '#client/ui/figures/format.ts'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { ListPage } from '../figures/figures-list.tsx'
import type { TermRow } from './queries.ts'
import { PickBox, TermDetail, TermName, type TermRowItem, termActions } from './term-row.tsx'
import { verdictWords } from './term-words.ts'
import type { ComponentProps } from 'react'

const shownFigures: readonly MetricName[] = ['cost', 'clicks', 'orders', 'sales', 'acos', 'cpc', 'cvr', 'impressions']
const firstFigures = 4

interface TermsTableProps extends Pick<ComponentProps<typeof TermRowItem>, 'ofMany' | 'acts'> {
  rows: readonly TermRow[]
  page: ListPage<TermRow>
  sort: { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void }
  onEnd: () => void
}

const figure = (figures: TermRow | NonNullable<ListPage<TermRow>['totals']>, name: MetricName, currency: string) => {
  const value = figures[name]
  return value === null ? '–' : formatFigure(value, metrics[name].unit, currency)
}

/** Search terms with their figures, for screens from 768 px. */
export function TermsTable({ rows, page, ofMany, acts, sort, onEnd }: TermsTableProps) {
  const { totals, currency = 'USD' } = page
  const pick: TableColumn = { name: 'pick', label: acts && <PickAll acts={acts} /> }
  const term: TableColumn = {
    name: 'term',
    label: 'Search term',
    text: true,
    sortable: true,
    total: `All ${formatNumber(page.page.totalElements)} search terms`,
  }
  const chance: TableColumn = { name: 'chance', label: 'Mistake to negate', rank: 1 }
  const menu: TableColumn = { name: 'menu', label: <span className="visually-hidden">Actions</span> }
  const figures = shownFigures.map(
    (name, index): TableColumn => ({
      name,
      label: metrics[name].label,
      sortable: true,
      ...(index >= firstFigures && { rank: index < firstFigures + 2 ? 2 : 3 }),
      ...(totals && { total: figure(totals, name, currency) }),
    }),
  )
  return (
    <DataTable
      label="search terms"
      columns={[...(acts ? [pick] : []), term, ...figures, chance, ...(acts ? [menu] : [])]}
      items={rows}
      itemKey={row => row.id}
      sort={sort}
      onEnd={onEnd}
    >
      {row => (
        <>
          {acts && (
            <TableCell column={pick}>
              <PickBox
                label={`Select ${row.term}`}
                checked={acts.picked.has(row)}
                disabled={!acts.picked.has(row) && acts.picked.isFull}
                onChange={() => acts.picked.toggle(row)}
              />
            </TableCell>
          )}
          <TableCell column={term}>
            <strong>
              <TermName row={row} />
            </strong>
            <div className="data-table-detail row-status">
              <TermDetail row={row} ofMany={ofMany} />
            </div>
          </TableCell>
          {figures.map(column => (
            <TableCell key={column.name} column={column}>
              <span className="figure">{figure(row, column.name as MetricName, row.currency)}</span>
            </TableCell>
          ))}
          <TableCell column={chance}>
            <Chance row={row} />
          </TableCell>
          {acts && (
            <TableCell column={menu}>
              {acts.online && <RowMenu name={row.term} actions={termActions(row, acts)} />}
            </TableCell>
          )}
        </>
      )}
    </DataTable>
  )
}

function Chance({ row }: { row: TermRow }): ReactNode {
  const verdict = verdictWords(row)
  if (!verdict) return '–'
  const missing = row.clicksToBeSure - row.settledClicks
  return (
    <>
      <span className="visually-hidden">{verdict.text}</span>
      <span aria-hidden="true" title={verdict.text} className={verdict.isSure ? 'term-verdict-sure' : undefined}>
        {row.mistakeChance === null ? 'Too recent' : formatPercent(row.mistakeChance, row.mistakeChance < 1 ? 1 : 0)}
        {row.mistakeChance !== null && (
          <span className="data-table-detail">
            <br />
            {missing > 0 ? `${formatNumber(missing)} clicks to be sure` : 'sure enough'}
          </span>
        )}
      </span>
    </>
  )
}

function PickAll({ acts: { picked } }: { acts: NonNullable<TermsTableProps['acts']> }) {
  return <PickBox label="Select all rows" checked={picked.picked.length > 0} onChange={picked.toggleAll} />
}
