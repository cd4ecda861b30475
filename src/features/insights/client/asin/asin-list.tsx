import { Change, Metric, Sparkline } from '#client/ui/figures/figure.tsx'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { useRoom } from '#client/ui/lists/use-room.ts'
import { type AsinFigure, asinFigures } from '../../asin-columns.ts'
import type { AsinPage, AsinRow } from '../../asin-contract.ts'
import { AsinValue } from './asin-figure.tsx'
import { AsinName, nameOfAsin } from './asin-name.tsx'
import type { AsinSearch } from './asin-search.ts'

export type AsinSort = Required<Pick<AsinSearch, 'sortBy' | 'sortDir'>>

interface AsinListProps {
  data: AsinPage
  search: AsinSearch
  sort: { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void }
  /** The last day is not over. */
  running: boolean
}

const widths: Partial<Record<AsinFigure, number>> = {
  cost: 92,
  sales: 98,
  acos: 68,
  totalSales: 112,
  totalUnits: 84,
  tacos: 72,
  profit: 116,
  available: 72,
  coverDays: 104,
}
const inTable: readonly AsinFigure[] = [
  'cost',
  'sales',
  'acos',
  'totalSales',
  'totalUnits',
  'tacos',
  'profit',
  'available',
  'coverDays',
]
const [nameWidth, trendWidth] = [230, 108]
const widthOf = (name: AsinFigure): number => widths[name] ?? 105
// What says whether a product earns and lasts comes first; the rest is in its detail.
const byWeight: readonly AsinFigure[] = ['cost', 'totalSales', 'profit', 'tacos', 'coverDays', 'available', ...inTable]

/** As many figures as there is room for, so that none hides behind a sideways scroll; what the list is ordered by among them. */
function fitting(sortBy: string, room: number): readonly AsinFigure[] {
  let left = room - nameWidth - trendWidth
  const ordered = inTable.filter(name => name === sortBy)
  const shown = [...new Set([...ordered, ...byWeight])].filter(name => {
    left -= widthOf(name)
    return left >= 0
  })
  return inTable.filter(name => shown.includes(name))
}

const hasTotal = (name: AsinFigure) => name !== 'available' && name !== 'coverDays'

/** Products with their figures, for screens from 768 px. */
export function AsinTable({ data, search, sort, running }: AsinListProps) {
  const { currency, totals } = data
  const [ref, room] = useRoom()
  const columns: TableColumn<AsinRow>[] = [
    {
      name: 'title',
      label: 'Product',
      width: nameWidth,
      text: true,
      sortable: true,
      total: data.page.totalElements === 1 ? '1 product' : `All ${formatNumber(data.page.totalElements)} products`,
      cell: row => <AsinName row={row} search={search} />,
    },
    {
      name: 'trend',
      label: 'Trend',
      width: trendWidth,
      cell: row => <Trend row={row} running={running} />,
    },
    ...fitting(sort.sortBy, room).map(
      (name): TableColumn<AsinRow> => ({
        name,
        label: asinFigures[name].label,
        width: widthOf(name),
        sortable: true,
        ...(hasTotal(name) && { total: totalOf(name, totals, currency) }),
        cell: row => {
          const value = row[name]
          return value === null ? (
            <AsinValue row={row} name={name} currency={currency} />
          ) : (
            <span className="figure">{formatFigure(value, asinFigures[name].unit, currency)}</span>
          )
        },
      }),
    ),
  ]
  return (
    <div ref={ref}>
      <DataTable
        label="Products"
        columns={columns}
        items={data.content}
        itemKey={row => row.asin}
        nameOf={nameOfAsin}
        sort={sort}
        opened={search.asin}
      />
    </div>
  )
}

function totalOf(name: AsinFigure, totals: AsinPage['totals'], currency: string): string {
  const value = totals[name as keyof AsinPage['totals']]
  return value === null ? '–' : formatFigure(value, asinFigures[name].unit, currency)
}

/** How a product's sales went in these days, and against the period before. */
function Trend({ row, running }: { row: AsinRow; running: boolean }) {
  const isTotal = row.totalSales !== null
  const [now, before] = isTotal ? [row.totalSales, row.previous.totalSales] : [row.sales, row.previous.sales]
  return (
    <span className="asin-trend">
      <Sparkline values={row.trend} label={`${isTotal ? 'Total' : 'Ad'} sales by day`} running={running} />
      <Change now={now} before={before} good="up" />
    </span>
  )
}

const onCard: readonly AsinFigure[] = ['totalSales', 'cost', 'profit', 'acos', 'tacos', 'coverDays']

interface AsinCardsProps extends Omit<AsinListProps, 'sort'> {
  /** Names and trends alone, next to a detail. */
  dense: boolean
}

/** The same where a table has no room: on a phone, and next to a product's detail. */
export function AsinCards({ data, search, running, dense }: AsinCardsProps) {
  return (
    <ul className="asin-cards" aria-label="Products">
      {data.content.map(row => (
        <li key={row.asin} aria-current={(dense && row.asin === search.asin) || undefined}>
          <div className="asin-card-head">
            <AsinName row={row} search={search} />
            <Trend row={row} running={running} />
          </div>
          {!dense && <AsinFigures row={row} names={onCard} currency={data.currency} />}
        </li>
      ))}
    </ul>
  )
}

interface AsinFiguresProps {
  row: AsinRow
  names: readonly AsinFigure[]
  currency: string
}

export function AsinFigures({ row, names, currency }: AsinFiguresProps) {
  return (
    <div className="list-row-figures">
      {names.map(name => (
        <div className="metric" key={name}>
          <p className="metric-label">{asinFigures[name].label}</p>
          <p className="metric-value">
            <AsinValue row={row} name={name} currency={currency} />
          </p>
        </div>
      ))}
    </div>
  )
}

/** What belongs to no single product, so that the sums can be compared with Home's. */
export function Unassigned({ data: { unassigned, currency, missingCosts } }: { data: AsinPage }) {
  return (
    <div className="asin-notes">
      {unassigned && (
        <section className="asin-unassigned" aria-label="Not tied to one product">
          <p>
            <strong>Not tied to one product</strong>
            <span>Ads that show several products, as Sponsored Brands do, and sales without a named product.</span>
          </p>
          <Metric label="Ad spend" value={unassigned.cost} kind="money" currency={currency} />
          <Metric label="Ad sales" value={unassigned.sales} kind="money" currency={currency} />
          <Metric
            label="Total sales"
            value={unassigned.totalSales}
            kind="money"
            currency={currency}
            reason="Not known: the sales by product of some of these days have not arrived yet."
          />
        </section>
      )}
      <p className="data-age">
        Ad sales are what shoppers bought after a click on the product’s own ads, other products included. Total sales
        are of the product itself.
        {missingCosts > 0 &&
          ` The total profit leaves out the sales of ${missingCosts === 1 ? '1 product' : `${formatNumber(missingCosts)} products`} with a missing cost.`}
      </p>
    </div>
  )
}
