import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { VirtualList } from '#client/ui/lists/virtual-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { AwaitedState, Skeleton } from '#client/ui/states/state-views.tsx'
import type { RowFigures as Figures } from '../../contract.ts'
import { FiguresAwaited, RowFigures } from './row-figures.tsx'

// So few are all drawn: the browser's own search finds them, and no row jumps while it is measured.
const short = 30

export interface ListPage<Row> {
  content: Row[]
  page: { totalElements: number }
  /** Absent where rows have no figures. */
  totals?: Figures
  currency?: string
  /** `asOf` null: the first import is not done. Absent where rows have no figures. */
  freshness?: { asOf: string | null }
}

export type ListQuery<Row> = Pick<
  UseInfiniteQueryResult<InfiniteData<ListPage<Row>>>,
  | 'data'
  | 'error'
  | 'refetch'
  | 'dataUpdatedAt'
  | 'fetchNextPage'
  | 'hasNextPage'
  | 'isFetchingNextPage'
  | 'isFetchNextPageError'
>

/** The rows of a list that are loaded, of all its pages. */
export function useLoadedRows<Row>({ data }: Pick<ListQuery<Row>, 'data'>): Row[] {
  return useMemo(() => data?.pages.flatMap(page => page.content) ?? [], [data])
}

interface FiguresListProps<Row> {
  query: ListQuery<Row>
  /** What the rows are, in the plural: "campaigns". */
  what: string
  empty: ReactNode
  children: (row: Row) => ReactNode
  /** At the end of the line of sums: a button that begins a selection. */
  aside?: ReactNode
  /** Draws the rows as a table, on screens from 768 px. */
  renderTable?: ((rows: Row[], page: ListPage<Row>, onEnd: () => void) => ReactNode) | false
}

/** A list with the sums of all that match above it, in each of its states; the next page comes as its end comes near. */
export function FiguresList<Row extends { id: string | number }>(props: FiguresListProps<Row>) {
  const { query, what, empty, children, aside, renderTable } = props
  const online = useOnline()
  const rows = useLoadedRows(query)
  const onEnd = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && online)
      void query.fetchNextPage()
  }
  const isAwaited = query.data?.pages[0]?.freshness?.asOf === null
  const draw = (first: ListPage<Row>): ReactNode =>
    renderTable ? (
      renderTable(rows, first, onEnd)
    ) : (
      <>
        <Totals page={first} what={what} aside={aside} />
        <div className="figures-list">
          {rows.length <= short && !query.hasNextPage ? (
            <ul aria-label={what}>
              {rows.map(row => (
                <li key={row.id}>{children(row)}</li>
              ))}
            </ul>
          ) : (
            <VirtualList items={rows} itemKey={row => row.id} label={what} onEnd={onEnd}>
              {children}
            </VirtualList>
          )}
        </div>
      </>
    )
  return (
    <QueryView
      query={query}
      loading={{ rows: 6, label: `Loading the ${what}` }}
      failedTitle={`The ${what} could not be loaded`}
      staleTitle={`The latest ${query.data?.pages[0]?.totals ? 'figures' : what} could not be loaded`}
      empty={() => rows.length === 0 && (isAwaited ? <AwaitedState what={what} /> : empty)}
    >
      {({ pages: [first] }) => (
        <FiguresAwaited value={isAwaited}>
          {first && draw(first)}
          {query.isFetchingNextPage && <Skeleton rows={2} label={`Loading more ${what}`} />}
          {query.isFetchNextPageError && (
            <Button onClick={() => void query.fetchNextPage()}>Try to load more {what} again</Button>
          )}
        </FiguresAwaited>
      )}
    </QueryView>
  )
}

function Totals({ page, what, aside }: { page: ListPage<unknown>; what: string; aside: ReactNode }) {
  const { totals, currency } = page
  const count = formatNumber(page.page.totalElements)
  if (!totals || !currency)
    return (
      <div className="list-total-line">
        <p className="list-total-count">{`${count} ${what}`}</p>
        {aside}
      </div>
    )
  return (
    <section className="list-total" aria-label={`All ${count} ${what}`}>
      <h2 className="visually-hidden">{`All ${count} ${what}`}</h2>
      <div className="list-row-figures">
        <RowFigures figures={totals} currency={currency} />
      </div>
      {aside}
    </section>
  )
}
