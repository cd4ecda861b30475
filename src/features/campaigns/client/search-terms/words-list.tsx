import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { removeCircleOutline } from 'ionicons/icons'
import { lazy, Suspense } from 'react'
import { Metric } from '#client/ui/figures/figure.tsx'
import { formatFigure, formatNumber } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { SearchTermWord } from '#features/search-terms/contract.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { ExactFigure } from '../list/columns.tsx'
import { type TermsFilter, termQueries, type WordsFilter } from './queries.ts'
import type { TermsSearch } from './terms-search.ts'

const NegateWordsSheet = lazy(() => import('./negate-words-sheet.tsx').then(m => ({ default: m.NegateWordsSheet })))

const page: string = '/search-terms'
const figures: readonly MetricName[] = ['cost', 'clicks', 'orders', 'sales', 'acos']

export const wasteLabel = 'Without orders'

interface WordsListProps {
  shop: Shop
  filter: WordsFilter
  /** Of the search terms that the words are counted in. */
  termsFilter: TermsFilter
  currency: string
  /** The address that a word leads to, narrowed to the terms that contain it. */
  search: TermsSearch
  table: false | { sortBy: string; sortDir: 'asc' | 'desc'; onSort: (sort: object) => void }
}

/** Words, or runs of words, with what the terms that contain them cost: where waste gathers. */
export function WordsList({ shop, filter, termsFilter, currency, search, table }: WordsListProps) {
  const mayChange = useMayChange()
  const { opened, open, close } = useSheetAddress('sheet', 'negated')
  const query = useInfiniteQuery(termQueries.words(shop, filter))
  const { view: _view, length: _length, sortBy: _sortBy, sortDir: _sortDir, ...narrowed } = search
  const to = (row: SearchTermWord) => ({ ...narrowed, words: row.words })
  const actionsOf = ({ words }: SearchTermWord): RowAction[] =>
    mayChange
      ? [
          {
            label: 'Negate as phrase',
            icon: removeCircleOutline,
            onSelect: () => open({ sheet: 'negate', negated: words }),
          },
        ]
      : []
  return (
    <>
      <FiguresList
        query={query}
        what="words"
        empty={<EmptyState title="No words yet" hint="They come from the search terms that match the filters." />}
        renderTable={
          table && ((rows, _first, onEnd) => <WordsTable {...{ rows, onEnd, currency, to, actionsOf }} sort={table} />)
        }
      >
        {row => (
          <ListRow
            title={row.words}
            to={page}
            search={to(row)}
            detail={termsCount(row)}
            end={actionsOf(row).length > 0 && <RowMenu name={row.words} actions={actionsOf(row)} />}
            figures={
              <>
                <Metric label={wasteLabel} value={row.waste} kind="money" currency={currency} />
                <Metric label={metrics.cost.label} value={row.cost} kind="money" currency={currency} />
                <Metric label={metrics.orders.label} value={row.orders} kind="count" />
              </>
            }
          />
        )}
      </FiguresList>
      {mayChange && opened.sheet === 'negate' && typeof opened.negated === 'string' && (
        <Suspense>
          <NegateWordsSheet shop={shop} filter={termsFilter} words={opened.negated} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

const termsCount = ({ terms }: SearchTermWord): string => `in ${formatNumber(terms)} ${terms === 1 ? 'term' : 'terms'}`

interface WordsTableProps {
  rows: readonly (SearchTermWord & { id: string })[]
  onEnd: () => void
  currency: string
  to: (row: SearchTermWord) => TermsSearch
  actionsOf: (row: SearchTermWord) => RowAction[]
  sort: Exclude<WordsListProps['table'], false>
}

function WordsTable({ rows, onEnd, currency, to, actionsOf, sort }: WordsTableProps) {
  const columns: TableColumn<WordsTableProps['rows'][number]>[] = [
    {
      name: 'words',
      label: 'Words',
      width: 190,
      text: true,
      sortable: true,
      cell: row => (
        <Link to={page} search={to(row)}>
          {row.words}
        </Link>
      ),
    },
    { name: 'terms', label: 'Terms', width: 80, sortable: true, cell: row => formatNumber(row.terms) },
    {
      name: 'waste',
      label: wasteLabel,
      width: 120,
      sortable: true,
      cell: row => formatFigure(row.waste, 'money', currency),
    },
    ...figures.map(
      (name): TableColumn<WordsTableProps['rows'][number]> => ({
        name,
        label: metrics[name].label,
        width: 92,
        sortable: true,
        cell: row => <ExactFigure name={name} figures={row} currency={currency} />,
      }),
    ),
    {
      name: 'menu',
      label: <span className="visually-hidden">Actions</span>,
      width: 60,
      cell: row => actionsOf(row).length > 0 && <RowMenu name={row.words} actions={actionsOf(row)} />,
    },
  ]
  return (
    <DataTable
      label="words"
      columns={columns}
      items={rows}
      itemKey={row => row.id}
      nameOf={row => row.words}
      sort={sort}
      onEnd={onEnd}
    />
  )
}
