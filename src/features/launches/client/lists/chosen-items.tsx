import { useRef } from 'react'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { ItemChange } from '../wizard/state.ts'
import { BidRow, type SuggestedRange } from './bid-rows.tsx'
import { BulkBids } from './bulk-bids.tsx'
import { ListHeading } from './list-heading.tsx'

export interface ChosenItem extends SuggestedRange {
  id: string
  name: string
  /** Match type, or what kind of target it is. */
  detail: string
  bid: number
}

interface ChosenItemsProps {
  /** Names the list for `undoable`. */
  scope: string
  /** "Chosen keywords". */
  title: string
  hint?: string
  items: readonly ChosenItem[]
  market: MarketplaceFacts
  act: (change: Extract<ItemChange<unknown>, { type: 'bidChanged' | 'bidsSet' }>) => void
  onRemove: (ids: readonly string[]) => void
}

/** What was chosen, each with its bid; a long list scrolls by itself, so that what stands below stays near. */
export function ChosenItems({ scope, title, hint, items, market, act, onRemove }: ChosenItemsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = (ids: readonly string[]) => {
    onRemove(ids)
    // The button goes away with its row.
    heading.current?.focus()
  }
  return (
    <section className="configure-section" aria-label={title}>
      <ListHeading heading={heading} scope={scope} title={`${title} (${items.length})`}>
        {items.length > 1 && <Button onClick={() => remove(items.map(item => item.id))}>Remove all</Button>}
      </ListHeading>
      {hint && <p className="muted small">{hint}</p>}
      <BulkBids scope={scope} items={items} market={market} onBids={bids => act({ type: 'bidsSet', bids })} />
      <ScrollList count={items.length} itemKey={index => items[index]?.id ?? index} label={title} estimate={112}>
        {index => {
          const item = items[index]
          return (
            item && (
              <BidRow
                {...item}
                market={market}
                onBid={bid => act({ type: 'bidChanged', id: item.id, bid })}
                onRemove={() => remove([item.id])}
              />
            )
          )
        }}
      </ScrollList>
    </section>
  )
}
