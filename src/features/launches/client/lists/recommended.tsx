import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatMoney } from '#client/ui/figures/format.ts'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'

export interface SuggestedRange {
  lowBid?: number | null | undefined
  medianBid?: number | null | undefined
  highBid?: number | null | undefined
}

interface RecommendedProps<T> {
  query: Pick<UseQueryResult, 'error' | 'refetch' | 'dataUpdatedAt'> & { data: T[] | undefined }
  /** "keywords" */
  plural: string
  /** The order of the list, or what it leaves out. */
  hint?: string
  /** Adds all that are not chosen yet; null when there are none. */
  onAddAll: (() => void) | null
  children: (items: T[]) => ReactNode
}

/** The marketplace's recommendations for one list. */
export function Recommended<T>({ query, plural, hint, onAddAll, children }: RecommendedProps<T>) {
  const hasItems = query.data !== undefined && query.data.length > 0
  return (
    <section className="configure-section" aria-label={`Recommended ${plural}`}>
      <div className="card-head">
        <h3>Recommended {plural}</h3>
        {hasItems && (
          <Button disabled={!onAddAll} onClick={() => onAddAll?.()}>
            {onAddAll ? 'Add all' : 'All added'}
          </Button>
        )}
      </div>
      {hint && hasItems && <p className="muted small">{hint}</p>}
      <QueryView
        query={query}
        loading={{ rows: 5, label: `Loading recommended ${plural}` }}
        failedTitle="Fetch failed"
        offline={
          <OfflineState title="You are offline" hint="Recommendations need a connection. Your choices are saved." />
        }
        empty={items =>
          items.length === 0 && <EmptyState title={`No ${plural} are recommended`} hint="You can add some by hand." />
        }
      >
        {children}
      </QueryView>
    </section>
  )
}

interface RecommendedItem extends SuggestedRange {
  id: string
  name: string
  detail: string
  bid: number
  why: string
}

interface RecommendedItemsProps<I extends RecommendedItem> {
  label: string
  items: readonly I[]
  chosenIds: ReadonlySet<string>
  currency: string
  onAdd: (item: I) => void
}

/** Recommendations in the marketplace's order, each with the bid for the strategy and the reason for it. */
export function RecommendedItems<I extends RecommendedItem>(props: RecommendedItemsProps<I>) {
  const { label, items, chosenIds, currency, onAdd } = props
  return (
    <ScrollList count={items.length} itemKey={index => items[index]?.id ?? index} label={label} estimate={132}>
      {index => {
        const item = items[index]
        if (!item) return null
        const isAdded = chosenIds.has(item.id)
        return (
          <div className="bid-row">
            <div className="bid-row-text">
              <strong>
                <bdi>{item.name}</bdi>
              </strong>
              <span className="tag">{item.detail}</span>
              <span className="small">
                Bid <b>{formatMoney(item.bid, currency)}</b>. {item.why}
              </span>
              {item.lowBid != null && <SuggestedBids range={item} currency={currency} />}
            </div>
            {/* Not disabled: a disabled button would lose the focus. */}
            <Button
              aria-disabled={isAdded}
              onClick={() => !isAdded && onAdd(item)}
              aria-label={isAdded ? `${item.name}, ${item.detail}, is added` : `Add ${item.name}, ${item.detail}`}
            >
              {isAdded ? 'Added' : 'Add'}
            </Button>
          </div>
        )
      }}
    </ScrollList>
  )
}

/** The low, median and high bid that the marketplace suggests. */
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
