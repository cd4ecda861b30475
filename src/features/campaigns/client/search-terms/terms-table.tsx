import type { ReactNode } from 'react'
import { formatPercent } from '#client/ui/figures/format.ts'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { ListPage } from '../figures/figures-list.tsx'
import type { TermRow } from './queries.ts'
import { TermCover, TermName, type TermRowItem, termActions, termPlace } from './term-row.tsx'
import { verdictWords } from './term-words.ts'
import type { ComponentProps } from 'react'

const first: readonly MetricName[] = ['cost', 'clicks', 'orders']
const further: readonly MetricName[] = ['sales', 'acos', 'cpc', 'cvr', 'impressions']

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
  const figureColumn = (name: MetricName): TableColumn<TermRow> => ({
    name,
    label: metrics[name].label,
    width: name === 'clicks' || name === 'orders' ? 80 : 100,
    sortable: true,
    ...(totals && { total: figure(totals, name, currency) }),
    cell: row => <span className="figure">{figure(row, name, row.currency)}</span>,
  })
  const columns: TableColumn<TermRow>[] = [
    {
      name: 'term',
      label: 'Search term',
      width: 260,
      text: true,
      sortable: true,
      total: `All ${formatNumber(page.page.totalElements)} search terms`,
      cell: row => (
        <>
          <strong>
            <TermName row={row} />
          </strong>
          <div className="data-table-detail">{termPlace(row, ofMany)}</div>
        </>
      ),
    },
    {
      name: 'coverage',
      label: 'Coverage',
      width: 160,
      text: true,
      cell: row => (
        <div className="data-table-detail">
          <TermCover row={row} />
        </div>
      ),
    },
    ...first.map(figureColumn),
    { name: 'chance', label: 'Mistake to negate', width: 130, cell: row => <Chance row={row} /> },
    ...further.map(figureColumn),
  ]
  if (acts)
    columns.push({
      name: 'menu',
      label: <span className="visually-hidden">Actions</span>,
      width: 60,
      cell: row => acts.online && <RowMenu name={row.term} actions={termActions(row, acts)} />,
    })
  return (
    <DataTable
      label="search terms"
      columns={columns}
      items={rows}
      itemKey={row => row.id}
      nameOf={row => row.term}
      sort={sort}
      selection={
        acts && {
          has: acts.picked.has,
          toggle: acts.picked.toggle,
          isFull: acts.picked.isFull,
          hasLoaded: acts.picked.picked.length > 0,
          toggleLoaded: acts.picked.toggleAll,
        }
      }
      onEnd={onEnd}
    />
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
