import type { ReactNode } from 'react'
import './list.css'
import { formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { useMayChange } from '#features/accounts/client/public.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { BulkBar } from '../bulk/bulk-bar.tsx'
import { useWithPending } from '../edit/editable-row.tsx'
import { FiguresList, type ListPage, type ListQuery, useLoadedRows } from '../figures/figures-list.tsx'
import type { RowKind } from '../form/field-labels.ts'
import { ExactFigure, figuresFirst, ListCell, type ListRowData, nameField, useShownColumns } from './columns.tsx'
import type { ListSearch } from './list-search.ts'
import { SelectableCard, SelectButton, SelectionBar } from './select-rows.tsx'
import { useSelection } from './selection.ts'

interface EntityListProps<Row extends ListRowData> {
  kind: RowKind
  /** What the rows are, in the plural: "campaigns". */
  what: string
  query: ListQuery<Row>
  /** The list's query, without pages. */
  filter: object & { sortBy: string; sortDir: 'asc' | 'desc' }
  search: Pick<ListSearch, 'columns'>
  /** By which columns the list can be ordered. */
  sorts: readonly { value: string }[]
  onChange: (change: Partial<ListSearch>) => void
  empty: ReactNode
  /** Heading of the column that names a row. */
  nameLabel: string
  nameOf: (row: Row) => string
  /** What names a row in the table: a link, where it can be opened. */
  renderName: (row: Row) => ReactNode
  /** What can be done with a row of the table: a menu. */
  renderMenu: (row: Row) => ReactNode
  /** A row on a phone. */
  children: (row: Row) => ReactNode
  /** At the end of a phone's line of sums: the folded chart. */
  aside?: ReactNode
  /** The row that is open next to the list. */
  opened?: number | undefined
}

/** Rows of one kind with their figures: cards on a phone, from 768 px a table; chosen ones are changed together. */
export function EntityList<Row extends ListRowData>(props: EntityListProps<Row>) {
  const { kind, what, query, filter, empty, nameOf, children } = props
  const wide = useWide()
  const mayChange = useMayChange()
  const first = query.data?.pages[0]
  const matching = first?.page.totalElements ?? 0
  const { sortBy: _by, sortDir: _dir, ...scope } = filter
  const selection = useSelection(JSON.stringify(scope), useLoadedRows(query), matching)
  return (
    <>
      {selection.isOn && <SelectionBar selection={selection} matching={matching} what={what} />}
      <FiguresList
        query={query}
        what={what}
        empty={empty}
        aside={
          <>
            {props.aside}
            {mayChange && !selection.isOn && <SelectButton selection={selection} what={what} />}
          </>
        }
        renderTable={
          wide &&
          ((rows, page, onEnd) => (
            <EntityTable
              {...props}
              rows={rows}
              page={page}
              onEnd={onEnd}
              selection={mayChange ? selection : undefined}
            />
          ))
        }
      >
        {row =>
          mayChange ? (
            <SelectableCard id={row.id} name={nameOf(row)} selection={selection}>
              {children(row)}
            </SelectableCard>
          ) : (
            children(row)
          )
        }
      </FiguresList>
      {selection.total > 0 && (
        <BulkBar
          entity={kind}
          what={what}
          query={query}
          selection={selection}
          filter={filter}
          currency={first?.currency ?? 'USD'}
        />
      )}
    </>
  )
}

interface EntityTableProps<Row extends ListRowData> extends EntityListProps<Row> {
  rows: readonly Row[]
  page: ListPage<Row>
  onEnd: () => void
  selection: ReturnType<typeof useSelection> | undefined
}

const nameWidth = 240
// Next to what is open, so that a figure is in sight.
const narrowNameWidth = 150
const menuWidth = 60

function EntityTable<Row extends ListRowData>(props: EntityTableProps<Row>) {
  const { kind, what, rows, page, filter, search, sorts, onChange, nameLabel, nameOf, renderName, renderMenu } = props
  const { selection, opened } = props
  const isSortable = (name: string): boolean => sorts.some(({ value }) => value === name)
  const { totals, currency } = page
  const shown = useShownColumns(kind, search.columns)
  // Next to what is open there is room for one figure, unless the user chose others.
  const beside = search.columns ? figuresFirst(shown) : shown.slice(0, 1)
  const columns: TableColumn<Row>[] = [
    {
      name: nameField(kind),
      label: nameLabel,
      width: opened === undefined ? nameWidth : narrowNameWidth,
      text: true,
      sortable: isSortable(nameField(kind)),
      total: `All ${formatNumber(page.page.totalElements)} ${what}`,
      cell: row => <NameCell kind={kind} row={row} renderName={renderName} />,
    },
    ...(opened === undefined ? shown : beside).map(({ name, label, width, isText }) => ({
      name,
      label,
      width,
      text: isText,
      sortable: isSortable(name),
      ...(name in metrics &&
        totals &&
        currency && { total: <ExactFigure name={name as MetricName} figures={totals} currency={currency} /> }),
      cell: (row: Row) => <ListCell kind={kind} name={name} row={row} />,
    })),
    { name: 'menu', label: <span className="visually-hidden">Actions</span>, width: menuWidth, cell: renderMenu },
  ]
  return (
    <DataTable
      label={what}
      columns={columns}
      items={rows}
      itemKey={row => row.id}
      nameOf={nameOf}
      sort={{ sortBy: filter.sortBy, sortDir: filter.sortDir, onSort: onChange }}
      selection={
        selection && {
          ...selection,
          has: row => selection.has(row.id),
          toggle: (row, extend) => selection.toggle(row.id, extend),
        }
      }
      opened={opened}
      onEnd={props.onEnd}
    />
  )
}

/** What names a row, with the note of edits that are pending. */
function NameCell<Row extends ListRowData>({
  kind,
  row,
  renderName,
}: Pick<EntityListProps<Row>, 'kind' | 'renderName'> & { row: Row }) {
  const { shown, note } = useWithPending(kind, row)
  return (
    <>
      {renderName(shown)}
      {note}
    </>
  )
}
