import { formatMoney } from '#client/ui/figures/format.ts'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { EditedList } from './edit-list.ts'

export type SuggestedRange = Partial<Record<'lowBid' | 'medianBid' | 'highBid', number | null | undefined>>

interface Row<T> extends SuggestedRange {
  name: string
  detail: string
  bid: number
  why: string
  /** The seller's own product is added one at a time, as a defence. */
  isOwn?: boolean
  item: T
}

/** Recommendations for the same reason; without a name where there is only one section. */
interface Section<T> {
  name?: string
  description?: string | null
  rows: Row<T>[]
}

interface RecommendedProps<D, T> {
  query: { data: D | undefined; error: Error | null; refetch: () => unknown; dataUpdatedAt: number }
  list: EditedList<T>
  hint?: string | false
  sectionsOf: (data: D) => Section<T>[]
}

export function Recommended<D, T>({ query, list, hint, sectionsOf }: RecommendedProps<D, T>) {
  const { several, add } = list
  const sections = query.data === undefined ? [] : sectionsOf(query.data)
  const rows = sections.flatMap(section => section.rows)
  const rest = itemsToAdd(rows, list)
  return (
    <section className="configure-section" aria-label={`Recommended ${several}`}>
      <div className="card-head">
        <h3>Recommended {several}</h3>
        {rows.length > 0 && (
          <Button disabled={!rest.length} onClick={() => add(rest)}>
            {rest.length ? 'Add all' : 'All added'}
          </Button>
        )}
      </div>
      {hint && rows.length > 0 && <p className="muted small">{hint}</p>}
      <QueryView
        query={query}
        loading={{ rows: 5, label: `Loading recommended ${several}` }}
        failedTitle="Fetch failed"
        offline={
          <OfflineState title="You are offline" hint="Recommendations need a connection. Your choices are saved." />
        }
        empty={() =>
          rows.length === 0 && <EmptyState title={`No ${several} are recommended`} hint="You can add some by hand." />
        }
      >
        {() => sections.map(section => <SectionRows key={section.name ?? ''} section={section} list={list} />)}
      </QueryView>
    </section>
  )
}

function itemsToAdd<T>(rows: readonly Row<T>[], { ids, idOf }: EditedList<T>): T[] {
  return rows.filter(row => !ids.has(idOf(row.item)) && !row.isOwn).map(row => row.item)
}

function SectionRows<T>({ section, list }: { section: Section<T>; list: EditedList<T> }) {
  const { name, description, rows } = section
  const all = (
    <ScrollList
      count={rows.length}
      itemKey={index => (rows[index] ? list.idOf(rows[index].item) : index)}
      label={name ?? `Recommended ${list.several}`}
      estimate={132}
    >
      {index => rows[index] && <RecommendedRow row={rows[index]} list={list} />}
    </ScrollList>
  )
  if (name === undefined) return all
  const rest = itemsToAdd(rows, list)
  return (
    <section className="theme" aria-label={name}>
      <div className="card-head">
        <h4>{name}</h4>
        {rows.length > 1 && (
          <Button disabled={!rest.length} onClick={() => list.add(rest)}>
            {rest.length ? `Add these ${rest.length}` : 'All added'}
          </Button>
        )}
      </div>
      {description && <p className="muted small">{description}</p>}
      {all}
    </section>
  )
}

function RecommendedRow<T>({ row, list }: { row: Row<T>; list: EditedList<T> }) {
  const { name, detail, bid, why } = row
  const { currency } = list.market
  const isAdded = list.ids.has(list.idOf(row.item))
  return (
    <div className="bid-row">
      <div className="bid-row-text">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="tag">{detail}</span>
        <span className="small">
          Bid <b>{formatMoney(bid, currency)}</b>. {why}
        </span>
        {row.lowBid != null && <SuggestedBids range={row} currency={currency} />}
      </div>
      {/* Not disabled: a disabled button would lose the focus. */}
      <Button
        aria-disabled={isAdded}
        onClick={() => !isAdded && list.add([row.item])}
        aria-label={isAdded ? `${name}, ${detail}, is added` : `Add ${name}, ${detail}`}
      >
        {isAdded ? 'Added' : 'Add'}
      </Button>
    </div>
  )
}

export function SuggestedBids({ range, currency }: { range: SuggestedRange; currency: string }) {
  const { lowBid, medianBid, highBid } = range
  if (lowBid == null || highBid == null) return <span className="muted small">No bid suggested</span>
  return (
    <span className="muted small">
      {[
        `Low\u00a0${formatMoney(lowBid, currency)}`,
        ...(medianBid == null ? [] : [`median\u00a0${formatMoney(medianBid, currency)}`]),
        `high\u00a0${formatMoney(highBid, currency)}`,
      ].join(' · ')}
    </span>
  )
}
