import { arrowDownOutline, arrowUpOutline } from 'ionicons/icons'
import { type ReactNode, useRef } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { usePageScroll } from '../ionic/page-scroll.ts'
import { usePageRows } from './use-page-rows.ts'
import './data-table.css'

export interface TableColumn<C extends string = string> {
  /** The column that the list can be ordered by, or any name that no other column has. */
  name: C
  label: ReactNode
  /** Texts are at the start of their cell, figures at its end. */
  text?: boolean
  sortable?: boolean
  /** How soon it makes room on a narrow screen: 1 stays long, 3 goes first; without it the column always stays. */
  rank?: 1 | 2 | 3
  total?: ReactNode
}

interface Sort<C extends string> {
  sortBy: C
  sortDir: 'asc' | 'desc'
  onSort: (sort: { sortBy: C; sortDir: 'asc' | 'desc' }) => void
}

interface DataTableProps<T, C extends string> {
  label: string
  columns: readonly TableColumn<C>[]
  items: readonly T[]
  itemKey: (item: T) => string | number
  children: (item: T) => ReactNode
  sort?: Sort<C>
  onEnd?: () => void
}

// So few are all drawn: the browser's own search finds them.
const short = 30

/** A table of figures for screens from 768 px: ordered by its headings, sums first, only the rows in sight drawn. */
export function DataTable<T, C extends string>(props: DataTableProps<T, C>) {
  const scroller = usePageScroll()
  const { label, columns, items, sort } = props
  const totals = columns.some(({ total }) => total !== undefined)
  return (
    <div className="data-table-frame">
      <table className="data-table" aria-label={label} aria-rowcount={items.length + 1 + (totals ? 1 : 0)}>
        <thead>
          <tr>
            {columns.map(column => (
              <HeadCell key={column.name} column={column} {...(sort && { sort })} />
            ))}
          </tr>
        </thead>
        {totals && (
          <tbody>
            <tr className="data-table-total">
              {columns.map(column => (
                <TableCell key={column.name} column={column}>
                  {column.total}
                </TableCell>
              ))}
            </tr>
          </tbody>
        )}
        {items.length > short && scroller ? (
          <VirtualRows {...props} scroller={scroller} />
        ) : (
          <tbody>
            {items.map(item => (
              <tr key={props.itemKey(item)}>{props.children(item)}</tr>
            ))}
          </tbody>
        )}
      </table>
    </div>
  )
}

const classOf = ({ text, rank }: TableColumn): string => `${text ? 'text' : 'number'} ${rank ? `rank-${rank}` : ''}`

export function TableCell({ column, children }: { column: TableColumn; children?: ReactNode }) {
  return <td className={classOf(column)}>{children}</td>
}

function HeadCell<C extends string>({ column, sort }: { column: TableColumn<C>; sort?: Sort<C> }) {
  const { name, label, sortable } = column
  if (!sortable || !sort)
    return (
      <th scope="col" className={classOf(column)}>
        {label}
      </th>
    )
  const current = sort.sortBy === name
  const rising = sort.sortDir === 'asc'
  return (
    <th scope="col" className={classOf(column)} aria-sort={current ? (rising ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => sort.onSort({ sortBy: name, sortDir: current && !rising ? 'asc' : 'desc' })}>
        {label}
        {current && <Icon icon={rising ? arrowUpOutline : arrowDownOutline} />}
      </button>
    </th>
  )
}

function VirtualRows<T, C extends string>({ children, ...props }: DataTableProps<T, C> & { scroller: HTMLElement }) {
  const place = useRef<HTMLTableSectionElement>(null)
  const { rows, offset, totalHeight, measure } = usePageRows({ ...props, place, likelyHeight: 57 })
  return (
    <tbody ref={place}>
      <Spacer height={(rows[0]?.start ?? offset) - offset} />
      {rows.map(({ key, index, item }) => (
        <tr key={key} data-index={index} ref={measure} aria-rowindex={index + 2}>
          {children(item)}
        </tr>
      ))}
      <Spacer height={totalHeight - ((rows.at(-1)?.end ?? offset) - offset)} />
    </tbody>
  )
}

// The room of the rows that are not drawn.
const Spacer = ({ height }: { height: number }) => height > 0 && <tr aria-hidden="true" style={{ height }} />
