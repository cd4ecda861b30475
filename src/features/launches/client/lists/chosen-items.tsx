import { trashOutline } from 'ionicons/icons'
import { type ReactNode, useRef } from 'react'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/campaign-rules.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { BulkBids } from './bulk-bids.tsx'
import { SuggestedBids, type SuggestedRange } from './recommended.tsx'
import { ListHeading } from './undo.tsx'

interface ChosenItem {
  id: string
  name: string
  /** Match type, or kind of target. */
  detail: string
}
type ChosenItemWithBid = ChosenItem & SuggestedRange & { bid: number }

type BidsChange =
  | { type: 'bidChanged'; id: string; bid: number | null }
  | { type: 'bidsSet'; bids: Readonly<Record<string, number>> }

interface ChosenListProps<I extends ChosenItem> {
  /** Names the list for `offerUndo`. */
  scope: string
  /** "Chosen keywords" */
  title: string
  hint?: string | false
  note?: ReactNode
  items: readonly I[]
  remove: (ids: readonly string[]) => void
}

/** The chosen items with their bids. */
export function ChosenItems({
  market,
  change,
  ...list
}: ChosenListProps<ChosenItemWithBid> & { market: MarketplaceFacts; change: (change: BidsChange) => void }) {
  const { scope, items } = list
  return (
    <ChosenList
      {...list}
      rowPx={112}
      head={<BulkBids scope={scope} items={items} market={market} onBids={bids => change({ type: 'bidsSet', bids })} />}
      row={(item, removeButton) => (
        <div className="bid-row">
          <div className="bid-row-text">
            <ItemName {...item} />
            <SuggestedBids range={item} currency={market.currency} />
          </div>
          <div className="bid-row-edit">
            <MoneyField
              label={`Bid for ${item.name}, ${item.detail}`}
              name={`bid ${item.name}`}
              currency={market.currency}
              value={item.bid}
              onChange={bid => change({ type: 'bidChanged', id: item.id, bid })}
              error={bidProblem(item.bid, market) ?? undefined}
            />
            {removeButton}
          </div>
        </div>
      )}
    />
  )
}

/** The chosen items of a list without bids. */
export function ChosenItemsWithoutBids(list: ChosenListProps<ChosenItem>) {
  return (
    <ChosenList
      {...list}
      rowPx={64}
      row={(item, removeButton) => (
        <div className="bid-row">
          <div className="bid-row-text">
            <span>
              <ItemName {...item} />
            </span>
          </div>
          {removeButton}
        </div>
      )}
    />
  )
}

interface ChosenRowsProps<I extends ChosenItem> extends ChosenListProps<I> {
  rowPx: number
  head?: ReactNode
  row: (item: I, removeButton: ReactNode) => ReactNode
}

// A long list scrolls by itself, so that what follows it stays within reach.
function ChosenList<I extends ChosenItem>({
  scope,
  title,
  hint,
  note,
  items,
  remove,
  rowPx,
  head,
  row,
}: ChosenRowsProps<I>) {
  const heading = useRef<HTMLHeadingElement>(null)
  const removeAndFocus = (ids: readonly string[]) => {
    remove(ids)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const removeButton = ({ id, name, detail }: I) => (
    <button
      type="button"
      className="icon-button"
      aria-label={`Remove ${name}, ${detail}`}
      onClick={() => removeAndFocus([id])}
    >
      <Icon icon={trashOutline} />
    </button>
  )
  return (
    <section className="configure-section" aria-label={title}>
      <ListHeading heading={heading} scope={scope} title={`${title} (${items.length})`}>
        {items.length > 1 && <Button onClick={() => removeAndFocus(items.map(item => item.id))}>Remove all</Button>}
      </ListHeading>
      {hint && <p className="muted small">{hint}</p>}
      {note}
      {head}
      <ScrollList count={items.length} itemKey={index => items[index]?.id ?? index} label={title} estimate={rowPx}>
        {index => {
          const item = items[index]
          return item && row(item, removeButton(item))
        }}
      </ScrollList>
    </section>
  )
}

function ItemName({ name, detail }: ChosenItem) {
  return (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <span className="tag">{detail}</span>
    </>
  )
}
