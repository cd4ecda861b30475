import type { ComponentProps, ReactNode } from 'react'
import { formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { useRoom } from '#client/ui/lists/use-room.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { ListPage } from '../figures/figures-list.tsx'
import { useChosenFigures } from '../figures/row-figures.tsx'
import { ExactFigure } from '../list/columns.tsx'
import type { TermRow } from './queries.ts'
import { TermCover, TermName, type TermRowItem, termActions, termPlace } from './term-row.tsx'
import { verdictWords } from './term-words.ts'

// What most people look at comes first, after the chosen three.
const further: readonly MetricName[] = ['clicks', 'orders', 'cost', 'sales', 'acos', 'cpc', 'cvr', 'impressions']
const narrow: readonly MetricName[] = ['clicks', 'orders', 'acos', 'cpc', 'cvr']
const nameWidth = 260
const chanceWidth = 130
const selectWidth = 44
const menuWidth = 52

interface TermsTableProps extends Pick<ComponentProps<typeof TermRowItem>, 'ofMany' | 'acts'> {
  rows: readonly TermRow[]
  page: ListPage<TermRow>
  sort: { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void }
  onEnd: () => void
}

const widthOf = (name: MetricName | 'chance'): number =>
  name === 'chance' ? chanceWidth : narrow.includes(name) ? 72 : 96

/** As many columns as there is room for, so that none hides behind a sideways scroll: the chosen figures, what the list is ordered by, and so on. */
function useFittingColumns(sortBy: string, room: number): (MetricName | 'chance')[] {
  const chosen = useChosenFigures()
  const ordered = further.filter(name => name === sortBy)
  const names = [...new Set([...chosen, ...ordered, 'clicks', 'orders', 'chance', ...further] as const)]
  let left = room
  return names.filter((name, place) => {
    left -= widthOf(name)
    return place < chosen.length || left >= 0
  })
}

/** Search terms with their figures, for screens from 768 px. */
export function TermsTable({ rows, page, ofMany, acts, sort, onEnd }: TermsTableProps) {
  const { totals, currency = 'USD' } = page
  const [ref, room] = useRoom()
  const names = useFittingColumns(sort.sortBy, room - nameWidth - (acts ? selectWidth + menuWidth : 0))
  const figureColumn = (name: MetricName): TableColumn<TermRow> => ({
    name,
    label: metrics[name].label,
    width: widthOf(name),
    sortable: true,
    ...(totals && { total: <ExactFigure name={name} figures={totals} currency={currency} /> }),
    cell: row => <ExactFigure name={name} figures={row} currency={row.currency} />,
  })
  const columns: TableColumn<TermRow>[] = [
    {
      name: 'term',
      label: 'Search term',
      width: nameWidth,
      text: true,
      sortable: true,
      total: `All ${formatNumber(page.page.totalElements)} search terms`,
      cell: row => (
        <>
          <strong>
            <TermName row={row} />
          </strong>
          <div className="data-table-detail">
            <TermCover row={row} />
            {termPlace(row, ofMany)}
          </div>
        </>
      ),
    },
    ...names.map(name => (name === 'chance' ? chanceColumn : figureColumn(name))),
  ]
  if (acts)
    columns.push({
      name: 'menu',
      label: <span className="visually-hidden">Actions</span>,
      width: menuWidth,
      cell: row => <RowMenu name={row.term} actions={termActions(row, acts)} />,
    })
  return (
    <div ref={ref}>
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
    </div>
  )
}

const chanceColumn: TableColumn<TermRow> = {
  name: 'chance',
  label: 'Mistake to negate',
  width: chanceWidth,
  cell: row => <Chance row={row} />,
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
