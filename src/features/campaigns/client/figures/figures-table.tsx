import type { ReactNode } from 'react'
import { Figure } from '#client/ui/figures/figure.tsx'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, TableCell, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { type MetricName, metricNames, metrics } from '#shared/metrics.ts'
import type { RowFigures } from '../../contract.ts'
import type { ListSearch } from '../list/list-search.ts'
import { type ChosenFigures, useChosenFigures } from './chosen-figures.ts'
import type { ListPage } from './figures-list.tsx'

// What most people look at comes first; units and CTR are left to the row's own figures.
const first: readonly MetricName[] = ['orders', 'cpc', 'cost', 'sales', 'acos', 'clicks', 'impressions', 'cvr', 'roas']
const hidden: readonly MetricName[] = ['units', 'ctr']
const further = [...first, ...metricNames.filter(name => !first.includes(name) && !hidden.includes(name))]
const soon = 2

// The chosen three stay the longest, then what most look at.
const figureColumns = (chosen: ChosenFigures, totals?: RowFigures, currency?: string): TableColumn[] =>
  [...chosen, ...further.filter(name => !chosen.includes(name))].map((name, index) => ({
    name,
    label: metrics[name].label,
    sortable: true,
    ...(index >= chosen.length && { rank: index < chosen.length + soon ? (2 as const) : (3 as const) }),
    ...(totals && currency && { total: <ExactFigure name={name} figures={totals} currency={currency} /> }),
  }))

interface ExactFigureProps {
  name: MetricName
  figures: RowFigures
  currency: string
}

const ExactFigure = ({ name, figures, currency }: ExactFigureProps) => {
  const { unit: kind, unknownBecause: reason } = metrics[name]
  const value = figures[name]
  if (value === null) return <Figure value={null} kind={kind} {...(reason && { reason })} />
  return <span className="figure">{formatFigure(value, kind, currency)}</span>
}

interface FiguresTableProps<Row> {
  /** What the rows are, in the plural: "campaigns". */
  what: string
  rows: readonly Row[]
  page: ListPage<Row>
  /** Columns before the figures; the first names the row. */
  columns: readonly TableColumn[]
  /** The cells of these columns in a row. */
  renderCells: (row: Row) => ReactNode
  /** What stands after the figures: a menu. */
  renderMenu?: (row: Row) => ReactNode
  sortBy: string
  sortDir: 'asc' | 'desc'
  onSort: (sort: Pick<ListSearch, 'sortBy' | 'sortDir'>) => void
  onEnd: () => void
}

const menuColumn: TableColumn = { name: 'menu', label: <span className="visually-hidden">Actions</span> }

/** Rows with all their figures, for screens from 768 px. */
export const FiguresTable = <Row extends RowFigures & { id: number; currency: string }>(
  props: FiguresTableProps<Row>,
) => {
  const { what, rows, page, columns, renderCells, renderMenu, sortBy, sortDir, onSort, onEnd } = props
  const chosen = useChosenFigures()
  const figures = figureColumns(chosen, page.totals, page.currency)
  const named = columns.map((column, index) =>
    index === 0 ? { ...column, total: `All ${formatNumber(page.page.totalElements)} ${what}` } : column,
  )
  return (
    <DataTable
      label={what}
      columns={[...named, ...figures, ...(renderMenu ? [menuColumn] : [])]}
      items={rows}
      itemKey={row => row.id}
      sort={{ sortBy, sortDir, onSort }}
      onEnd={onEnd}
    >
      {row => (
        <>
          {renderCells(row)}
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
