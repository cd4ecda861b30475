import {
  columnPinningFeature,
  columnSizingFeature,
  type ColumnDef,
  type Header,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { arrowDownOutline, arrowUpOutline } from 'ionicons/icons'
import { type CSSProperties, type ReactNode, useMemo, useRef } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { useTableRows } from './use-table-rows.ts'
import './data-table.css'

export interface TableColumn<T> {
  /** The column that the list can be ordered by, or any name that no other column has. */
  name: string
  label: ReactNode
  cell: (item: T) => ReactNode
  /** In px; what is left is shared out. */
  width: number
  /** Texts are at the start of their cell, figures at its end. */
  text?: boolean
  sortable?: boolean
  total?: ReactNode
}

/** Which rows are chosen; the checkboxes of a table. */
export interface TableSelection<T> {
  has: (item: T) => boolean
  /** With `extend` also the rows from the one before. */
  toggle: (item: T, extend: boolean) => void
  /** No more can be chosen. */
  isFull?: boolean
  hasLoaded: boolean
  toggleLoaded: () => void
}

interface DataTableProps<T extends RowData> {
  label: string
  /** The first names the row and stays in sight, as the headings do. */
  columns: readonly TableColumn<T>[]
  items: readonly T[]
  itemKey: (item: T) => string | number
  /** What a row is called. */
  nameOf: (item: T) => string
  sort?: {
    sortBy: string
    sortDir: 'asc' | 'desc'
    onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void
  }
  selection?: TableSelection<T> | undefined
  /** The row that is open next to the table. */
  opened?: string | number | undefined
  onEnd?: (() => void) | undefined
}

const features = tableFeatures({ columnPinningFeature, columnSizingFeature, rowSortingFeature })
type Features = typeof features
type Column<T extends RowData> = ColumnDef<Features, T> & { id: string }

const selectWidth = 44
// Widths are for text of 16 px; larger text has wider columns.
const inRem = (width: number): string => `${width / 16}rem`
const hint = 'Arrow keys, Home and End move between rows. Space selects a row, Enter opens it.'

/**
 * A table of figures for screens from 768 px: ordered by its headings, sums first, headings and the first column always in
 * sight, only the rows in sight drawn. Tab enters and leaves the rows in one step.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, columns, items, itemKey, selection, onEnd } = props
  const frame = useRef<HTMLDivElement>(null)
  const table = useColumns(props)
  const { rows, before, after, measure, roving } = useTableRows(frame, { items, itemKey, selection, onEnd })
  const shown = table.getAllLeafColumns()
  const cells: Cell<T>[] = shown.map(column => {
    const own = columns.find(({ name }) => name === column.id)
    const isPinned = column.getIsPinned() !== false
    return {
      id: column.id,
      ...(own && { own }),
      className: `${!own || own.text ? 'text' : 'number'}${isPinned ? ' pinned' : ''}`,
      style: isPinned ? { insetInlineStart: inRem(column.getStart('start')) } : {},
    }
  })
  const hasTotals = columns.some(({ total }) => total !== undefined)
  const headRows = hasTotals ? 2 : 1
  return (
    <div className="data-table-frame" ref={frame}>
      <table
        className="data-table"
        aria-label={label}
        aria-description={selection && hint}
        aria-rowcount={items.length + headRows}
        style={{ minWidth: inRem(table.getTotalSize()) }}
      >
        <colgroup>
          {shown.map(column => (
            <col key={column.id} style={{ width: inRem(column.getSize()) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {table.getFlatHeaders().map((header, index) => (
              <HeadCell key={header.id} header={header} cell={cells[index]} props={props} />
            ))}
          </tr>
          {hasTotals && (
            <tr className="data-table-total">
              {cells.map(({ id, own, className, style }) => (
                <td key={id} className={className} style={style}>
                  {own?.total}
                </td>
              ))}
            </tr>
          )}
        </thead>
        <tbody {...roving}>
          <Spacer height={before} />
          {rows.map(({ index, item }) => (
            <BodyRow
              key={itemKey(item)}
              item={item}
              cells={cells}
              props={props}
              measure={measure}
              index={index}
              ariaIndex={index + headRows + 1}
            />
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
  )
}

/** A column as its cells are drawn; the checkboxes have none of their own. */
interface Cell<T> {
  id: string
  own?: TableColumn<T>
  className: string
  style: CSSProperties
}

interface BodyRowProps<T extends RowData> {
  item: T
  cells: readonly Cell<T>[]
  props: DataTableProps<T>
  measure: ((row: Element | null) => void) | null
  index: number
  ariaIndex: number
}

function BodyRow<T extends RowData>({ item, cells, props, measure, index, ariaIndex }: BodyRowProps<T>) {
  const { itemKey, nameOf, selection, opened } = props
  const isSelected = selection?.has(item) === true
  return (
    <tr
      data-index={index}
      ref={measure}
      aria-rowindex={ariaIndex}
      aria-current={opened === itemKey(item) || undefined}
      className={isSelected ? 'selected' : ''}
    >
      {cells.map(({ id, own, className, style }) => (
        <td key={id} className={className} style={style}>
          {own
            ? own.cell(item)
            : selection && (
                <Check
                  label={`Select ${nameOf(item)}`}
                  checked={isSelected}
                  disabled={selection.isFull === true && !isSelected}
                  onToggle={extend => selection.toggle(item, extend)}
                />
              )}
        </td>
      ))}
    </tr>
  )
}

/** The model of the columns: their widths, which ones stay in sight, and by which one the rows are ordered. */
function useColumns<T extends RowData>({ columns, items, sort, selection }: DataTableProps<T>) {
  const isSelectable = selection !== undefined
  const names = columns.map(({ name, width, sortable }) => `${name} ${width} ${sortable ?? ''}`).join()
  const defs = useMemo(
    () => [
      ...(isSelectable ? [{ id: 'select', size: selectWidth } as Column<T>] : []),
      ...columns.map(
        ({ name, width, sortable = false }): Column<T> => ({
          id: name,
          size: width,
          enableSorting: sortable,
          accessorFn: () => null,
        }),
      ),
    ],
    // What a cell draws is read when it is drawn: only the shape of the columns makes a new model.
    // oxlint-disable-next-line react/exhaustive-deps
    [names, isSelectable],
  )
  const sorting = sort ? [{ id: sort.sortBy, desc: sort.sortDir === 'desc' }] : []
  return useTable<Features, T>({
    features,
    columns: defs,
    data: items as T[],
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: true,
    state: {
      sorting,
      columnPinning: { start: [...(isSelectable ? ['select'] : []), columns[0]?.name ?? ''], end: [] },
    },
    onSortingChange: next => {
      const [first] = typeof next === 'function' ? next(sorting) : next
      if (first) sort?.onSort({ sortBy: first.id, sortDir: first.desc ? 'desc' : 'asc' })
    },
  })
}

interface HeadCellProps<T extends RowData> {
  header: Header<Features, T>
  cell: Cell<T> | undefined
  props: DataTableProps<T>
}

function HeadCell<T extends RowData>({ header: { column }, cell, props: { sort, selection } }: HeadCellProps<T>) {
  const { own, className, style } = cell ?? {}
  const order = column.getIsSorted()
  const isSortable = sort !== undefined && column.getCanSort()
  return (
    <th
      scope="col"
      className={className}
      style={style}
      aria-sort={isSortable && order ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {!own && selection && (
        <Check label="Select all rows" checked={selection.hasLoaded} onToggle={selection.toggleLoaded} />
      )}
      {isSortable ? (
        <button type="button" onClick={() => column.toggleSorting()}>
          {own?.label}
          {order && <Icon icon={order === 'asc' ? arrowUpOutline : arrowDownOutline} />}
        </button>
      ) : (
        own?.label
      )}
    </th>
  )
}

interface CheckProps {
  label: string
  checked: boolean
  disabled?: boolean
  onToggle: (extend: boolean) => void
}

function Check({ label, checked, disabled = false, onToggle }: CheckProps) {
  return (
    <label className="data-table-check">
      <input
        type="checkbox"
        aria-label={label}
        checked={checked}
        disabled={disabled}
        onChange={event => onToggle((event.nativeEvent as Partial<MouseEvent>).shiftKey === true)}
      />
    </label>
  )
}

// The room of the rows that are not drawn.
const Spacer = ({ height }: { height: number }) => height > 0 && <tr aria-hidden="true" style={{ height }} />
