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
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { arrowDownOutline, arrowUpOutline } from 'ionicons/icons'
import { type CSSProperties, type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { useRovingRows } from './use-roving-rows.ts'
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

const likelyHeight = 57
const selectWidth = 44
const hint = 'Arrow keys, Home and End move between rows. Space selects a row, Enter opens it.'

/**
 * A table of figures for screens from 768 px: ordered by its headings, sums first, headings and the first column always in
 * sight, only the rows in sight drawn. Tab enters and leaves the rows in one step.
 */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, columns, items, itemKey, nameOf, sort, selection, opened, onEnd } = props
  const frame = useRef<HTMLDivElement>(null)
  const table = useColumns(props)
  const { rows, before, after, measure, roving } = useRows(frame, { items, itemKey, selection, onEnd })
  const shown = table.getAllLeafColumns()
  const byName = new Map(columns.map(column => [column.name, column]))
  const styleOf = (id: string): CSSProperties => {
    const column = table.getColumn(id)
    return column?.getIsPinned() ? { insetInlineStart: column.getStart('start') } : {}
  }
  const classOf = (id: string): string =>
    `${byName.get(id)?.text || id === 'select' ? 'text' : 'number'}${table.getColumn(id)?.getIsPinned() ? ' pinned' : ''}`
  const hasTotals = columns.some(({ total }) => total !== undefined)
  const headRows = hasTotals ? 2 : 1
  return (
    <div className="data-table-frame" ref={frame}>
      <table
        className="data-table"
        aria-label={label}
        aria-description={selection && hint}
        aria-rowcount={items.length + headRows}
        style={{ minWidth: table.getTotalSize() }}
      >
        <colgroup>
          {shown.map(column => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map(group => (
            <tr key={group.id}>
              {group.headers.map(header => (
                <HeadCell
                  key={header.id}
                  header={header}
                  className={classOf(header.column.id)}
                  style={styleOf(header.column.id)}
                  sortable={Boolean(sort)}
                >
                  {header.column.id === 'select' && selection ? (
                    <Check label="Select all rows" checked={selection.hasLoaded} onToggle={selection.toggleLoaded} />
                  ) : (
                    byName.get(header.column.id)?.label
                  )}
                </HeadCell>
              ))}
            </tr>
          ))}
          {hasTotals && (
            <tr className="data-table-total">
              {shown.map(({ id }) => (
                <td key={id} className={classOf(id)} style={styleOf(id)}>
                  {byName.get(id)?.total}
                </td>
              ))}
            </tr>
          )}
        </thead>
        <tbody {...roving}>
          <Spacer height={before} />
          {rows.map(({ index, item }) => (
            <tr
              key={itemKey(item)}
              data-index={index}
              ref={measure}
              aria-rowindex={index + headRows + 1}
              aria-current={opened === itemKey(item) || undefined}
              className={selection?.has(item) ? 'selected' : ''}
            >
              {shown.map(({ id }) => (
                <td key={id} className={classOf(id)} style={styleOf(id)}>
                  {id === 'select' && selection ? (
                    <Check
                      label={`Select ${nameOf(item)}`}
                      checked={selection.has(item)}
                      disabled={selection.isFull === true && !selection.has(item)}
                      onToggle={extend => selection.toggle(item, extend)}
                    />
                  ) : (
                    byName.get(id)?.cell(item)
                  )}
                </td>
              ))}
            </tr>
          ))}
          <Spacer height={after} />
        </tbody>
      </table>
    </div>
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

type RowsOptions<T extends RowData> = Pick<DataTableProps<T>, 'items' | 'itemKey' | 'selection' | 'onEnd'>

// So few are all drawn: the browser's own search finds them.
const short = 30

/** The rows to draw with the room of the others, and what keys do in them. */
function useRows<T extends RowData>(
  frame: React.RefObject<HTMLElement | null>,
  { items, itemKey, selection, onEnd }: RowsOptions<T>,
) {
  const [held, setHeld] = useState<number | null>(null)
  const isShort = items.length <= short
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count: items.length,
    enabled: !isShort,
    getScrollElement: () => frame.current,
    estimateSize: () => likelyHeight,
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan: 8,
    // The row that has the focus stays drawn, or the focus would be lost.
    rangeExtractor: range => {
      const drawn = defaultRangeExtractor(range)
      return held === null || held >= items.length || drawn.includes(held)
        ? drawn
        : [...drawn, held].toSorted((a, b) => a - b)
    },
  })
  const drawn = virtual.getVirtualItems()
  const indexes = isShort ? items.map((_, index) => index) : drawn.map(({ index }) => index)
  const rows = indexes.flatMap(index => {
    const item = items[index]
    return item === undefined ? [] : [{ index, item }]
  })
  const last = indexes.at(-1) ?? -1
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) end()
  }, [last, items.length])
  const roving = useRovingRows<HTMLTableSectionElement>({
    count: items.length,
    current: Math.min(held ?? indexes[0] ?? 0, items.length - 1),
    onHold: setHeld,
    reveal: index => !isShort && virtual.scrollToIndex(index, { align: 'auto' }),
    onSelect:
      selection &&
      ((index, extend) => {
        const item = items[index]
        if (item !== undefined) selection.toggle(item, extend)
      }),
  })
  return {
    rows,
    before: isShort ? 0 : (drawn[0]?.start ?? 0),
    after: isShort ? 0 : virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0),
    measure: isShort ? null : virtual.measureElement,
    roving,
  }
}

interface HeadCellProps<T extends RowData> {
  header: Header<Features, T>
  className: string
  style: CSSProperties
  sortable: boolean
  children: ReactNode
}

function HeadCell<T extends RowData>({ header: { column }, className, style, sortable, children }: HeadCellProps<T>) {
  const order = column.getIsSorted()
  if (!sortable || !column.getCanSort())
    return (
      <th scope="col" className={className} style={style}>
        {children}
      </th>
    )
  return (
    <th
      scope="col"
      className={className}
      style={style}
      aria-sort={order ? (order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <button type="button" onClick={() => column.toggleSorting()}>
        {children}
        {order && <Icon icon={order === 'asc' ? arrowUpOutline : arrowDownOutline} />}
      </button>
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
