import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatFigure } from '#client/ui/figures/format.ts'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { VirtualList } from '#client/ui/lists/virtual-list.tsx'
import { useMedia, useWide } from '#client/ui/shell/use-wide.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { AwaitedState, Skeleton } from '#client/ui/states/state-views.tsx'
import { type MetricName, metrics } from '#shared/metrics.ts'

export interface Sort {
  sortBy: string
  sortDir: 'asc' | 'desc'
  onSort: (sort: { sortBy: string; sortDir: 'asc' | 'desc' }) => void
}

interface ListPage<Row> {
  content: Row[]
  page: { totalElements: number }
  /** `asOf` null: the first import is not done. */
  freshness: { asOf: string | null }
}

interface KeywordListProps<Row, Page extends ListPage<Row>> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** What the rows are, in the plural: "keywords". */
  what: string
  empty: ReactNode
  /** From 768 px: what a tablet shows without scrolling sideways. */
  columns: readonly TableColumn<Row>[]
  /** Further columns, where there is room. */
  further: readonly TableColumn<Row>[]
  sort: Sort
  nameOf: (row: Row) => string
  /** A row on a phone. */
  children: (row: Row) => ReactNode
}

// So few are all drawn: the browser's own search finds them.
const short = 30

/** Rows in each state of their query: a table where there is room, else cards; the next page comes as its end comes near. */
export function KeywordList<Row extends { id: number }, Page extends ListPage<Row>>(
  props: KeywordListProps<Row, Page>,
) {
  const { query, what, empty, columns, further, sort, nameOf, children } = props
  const online = useOnline()
  const wide = useWide()
  const isRoomy = useMedia('(min-width: 1400px)')
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.content) ?? [], [query.data])
  const onEnd = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && online)
      void query.fetchNextPage()
  }
  return (
    <QueryView
      query={query}
      loading={{ rows: 6, label: `Loading the ${what}` }}
      failedTitle={`The ${what} could not be loaded`}
      staleTitle="The latest figures could not be loaded"
      empty={({ pages }) =>
        rows.length === 0 && (pages[0]?.freshness.asOf === null ? <AwaitedState what={what} /> : empty)
      }
    >
      {() => (
        <>
          {wide ? (
            <DataTable
              label={what}
              columns={isRoomy ? [...columns, ...further] : columns}
              items={rows}
              itemKey={row => row.id}
              nameOf={nameOf}
              sort={sort}
              onEnd={onEnd}
            />
          ) : rows.length <= short && !query.hasNextPage ? (
            <ul className="kw-cards" aria-label={what}>
              {rows.map(row => (
                <li key={row.id}>{children(row)}</li>
              ))}
            </ul>
          ) : (
            <VirtualList items={rows} itemKey={row => row.id} label={what} onEnd={onEnd}>
              {children}
            </VirtualList>
          )}
          {query.isFetchingNextPage && <Skeleton rows={2} label={`Loading more ${what}`} />}
          {query.isFetchNextPageError && (
            <Button onClick={() => void query.fetchNextPage()}>Try to load more {what} again</Button>
          )}
        </>
      )}
    </QueryView>
  )
}

type Figures = { [N in MetricName]: number | null } & { currency: string }

/** A column of a figure by which the list can be ordered. */
export const figureColumn = <Row extends Figures>(name: MetricName): TableColumn<Row> => ({
  name,
  label: metrics[name].label,
  width: metrics[name].unit === 'count' ? 84 : 94,
  sortable: true,
  cell: row => <span className="figure">{figureText(row, name)}</span>,
})

export function figureText(row: Figures, name: MetricName): string {
  const value = row[name]
  if (value === null) return name === 'acos' && (row.cost ?? 0) > 0 ? 'No sales' : '–'
  return formatFigure(value, metrics[name].unit, row.currency)
}

interface CardProps {
  title: ReactNode
  detail: ReactNode
  figures: readonly (readonly [label: string, value: string])[]
  note?: ReactNode
  act: ReactNode
}

/** A row on a phone: three figures first, what is concluded from them, and the act that follows. */
export function KeywordCard({ title, detail, figures, note, act }: CardProps) {
  return (
    <ListRow
      title={title}
      detail={detail}
      figures={
        <div className="kw-card">
          <dl className="kw-figures">
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {note && <p className="kw-note">{note}</p>}
          {act}
        </div>
      }
    />
  )
}
