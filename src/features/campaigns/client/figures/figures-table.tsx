import type { ComponentProps, ReactNode } from 'react'
import { Figure, Money } from '#client/ui/figures/figure.tsx'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import { entities } from '#features/structure/contract.ts'
import type { RowFigures } from '../../contract.ts'
import { useWithPending } from '../edit/editable-row.tsx'
import { fieldsOfKind } from '../form/field-labels.ts'
import type { ListSearch } from '../list/list-search.ts'
import { RowStatus } from '../list/row-status.tsx'
import { type ChosenFigures, useChosenFigures } from './row-figures.tsx'
import type { ListPage } from './figures-list.tsx'

// What most people look at comes first; units and CTR are left to the row's own figures.
const first: readonly MetricName[] = ['orders', 'cpc', 'cost', 'sales', 'acos', 'clicks', 'impressions', 'cvr', 'roas']
const hidden: readonly MetricName[] = ['units', 'ctr']
const further = [...first, ...metricNames.filter(name => !first.includes(name) && !hidden.includes(name))]
const soon = 2

// The chosen three stay the longest, then what most look at.
function figureColumns(chosen: ChosenFigures, totals?: RowFigures, currency?: string): TableColumn[] {
  return [...chosen, ...further.filter(name => !chosen.includes(name))].map((name, index) => ({
    name,
    label: metrics[name].label,
    sortable: true,
    ...(index >= chosen.length && { rank: index < chosen.length + soon ? (2 as const) : (3 as const) }),
    ...(totals && currency && { total: <ExactFigure name={name} figures={totals} currency={currency} /> }),
  }))
}

interface ExactFigureProps {
  name: MetricName
  figures: RowFigures
  currency: string
}

function ExactFigure({ name, figures, currency }: ExactFigureProps) {
  const { unit: kind, unknownBecause: reason } = metrics[name]
  const value = figures[name]
  if (value === null) return <Figure value={null} kind={kind} {...(reason && { reason })} />
  return <span className="figure">{formatFigure(value, kind, currency)}</span>
}

/** The amount of money that a row of each kind shows before its figures. */
const amounts = { campaign: 'budget', adGroup: 'defaultBid' } as const
type Kind = keyof typeof amounts

interface FiguresTableProps<Row> {
  /** What the rows are, in the plural: "campaigns". */
  what: string
  rows: readonly Row[]
  page: ListPage<Row>
  kind: Kind
  /** Heading of the column that names a row. */
  nameLabel: string
  /** The content: a link. */
  renderName: (row: Row) => ReactNode
  /** What stands after the figures: a menu. */
  renderMenu?: (row: Row) => ReactNode
  sortBy: string
  sortDir: 'asc' | 'desc'
  onSort: (sort: Pick<ListSearch, 'sortBy' | 'sortDir'>) => void
  onEnd: () => void
}

const menuColumn: TableColumn = { name: 'menu', label: <span className="visually-hidden">Actions</span> }

/** Rows with all their figures, for screens from 768 px. */
export function FiguresTable<Row extends EntityRow>(props: FiguresTableProps<Row>) {
  const { what, rows, page, kind, nameLabel, renderName, renderMenu, sortBy, sortDir, onSort, onEnd } = props
  const chosen = useChosenFigures()
  const figures = figureColumns(chosen, page.totals, page.currency)
  const total = `All ${formatNumber(page.page.totalElements)} ${what}`
  const columns: TableColumn[] = [
    { name: 'name', label: nameLabel, text: true, sortable: true, total },
    { name: 'state', label: entities[kind].fields.state.label, text: true, sortable: true, rank: 1 },
    { name: amounts[kind], label: fieldsOfKind(kind)[amounts[kind]]?.label, sortable: true, rank: 1 },
  ]
  return (
    <DataTable
      label={what}
      columns={[...columns, ...figures, ...(renderMenu ? [menuColumn] : [])]}
      items={rows}
      itemKey={row => row.id}
      sort={{ sortBy, sortDir, onSort }}
      onEnd={onEnd}
    >
      {row => (
        <>
          <LeadingCells kind={kind} columns={columns} row={row} renderName={renderName} />
          {figures.map(column => (
            <TableCell key={column.name} column={column}>
              <ExactFigure name={column.name as MetricName} figures={row} currency={row.currency} />
            </TableCell>
          ))}
          {renderMenu && <TableCell column={menuColumn}>{renderMenu(row)}</TableCell>}
        </>
      )}
    </DataTable>
  )
}

type EntityRow = RowFigures & { id: number; currency: string } & ComponentProps<typeof RowStatus>
type LeadingCellsProps<Row> = Pick<FiguresTableProps<Row>, 'kind' | 'renderName'> & {
  row: Row
  columns: readonly TableColumn[]
}

/** What names a row, its state and its amount, with the edits that are pending. */
function LeadingCells<Row extends EntityRow>({ kind, row, columns, renderName }: LeadingCellsProps<Row>) {
  const { shown, note } = useWithPending(kind, row)
  const amount = (shown as Record<string, unknown>)[amounts[kind]]
  const [name, state, money] = columns
  return (
    <>
      {name && (
        <TableCell column={name}>
          {renderName(shown)}
          {note}
        </TableCell>
      )}
      {state && (
        <TableCell column={state}>
          <div className="row-status">
            <RowStatus {...shown} />
          </div>
        </TableCell>
      )}
      {money && (
        <TableCell column={money}>
          <Money amount={typeof amount === 'number' ? amount : null} currency={shown.currency} />
        </TableCell>
      )}
    </>
  )
}
