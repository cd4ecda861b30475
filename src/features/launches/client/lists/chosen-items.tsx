import { trashOutline } from 'ionicons/icons'
import { type ReactNode, useRef, useState } from 'react'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/campaign-rules.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import { SuggestedBids, type SuggestedRange } from './recommended.tsx'
import { ListHeading, offerUndo } from './undo.tsx'

/** An item without a bid belongs to a list without bids. */
type ChosenItem = SuggestedRange & { id: string; name: string; bid?: number }

interface ChosenList<I> {
  /** Names the list for `offerUndo`. */
  scope: string
  /** "keywords" */
  several: string
  market: MarketplaceFacts
  rows: readonly I[]
  remove: (ids: readonly string[]) => void
  setBids: (bids: Readonly<Record<string, number | null>>) => void
}

interface ChosenItemsProps<I> {
  list: ChosenList<I>
  /** Match type, or kind of target. */
  detailOf: (item: I) => string
  hint?: string | false
  note?: ReactNode
}

/** The chosen items with their bids. A long list scrolls by itself, so that what follows it stays within reach. */
export function ChosenItems<I extends ChosenItem>({ list, detailOf, hint, note }: ChosenItemsProps<I>) {
  const { scope, several, rows } = list
  const heading = useRef<HTMLHeadingElement>(null)
  const removeAndFocus = (ids: readonly string[]) => {
    list.remove(ids)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const title = `Chosen ${several}`
  const hasBids = rows[0]?.bid !== undefined
  return (
    <section className="configure-section" aria-label={title}>
      <ListHeading heading={heading} scope={scope} title={`${title} (${rows.length})`}>
        {rows.length > 1 && <Button onClick={() => removeAndFocus(rows.map(item => item.id))}>Remove all</Button>}
      </ListHeading>
      {hint && <p className="muted small">{hint}</p>}
      {note}
      {hasBids && rows.length > 1 && <BulkBids list={list} />}
      <ScrollList
        count={rows.length}
        itemKey={index => rows[index]?.id ?? index}
        label={title}
        estimate={hasBids ? 112 : 64}
      >
        {index => {
          const item = rows[index]
          return (
            item && (
              <ChosenRow
                item={item}
                detail={detailOf(item)}
                market={list.market}
                onBid={bid => list.setBids({ [item.id]: bid })}
                onRemove={() => removeAndFocus([item.id])}
              />
            )
          )
        }}
      </ScrollList>
    </section>
  )
}

interface ChosenRowProps {
  item: ChosenItem
  detail: string
  market: MarketplaceFacts
  onBid: (bid: number | null) => void
  onRemove: () => void
}

function ChosenRow({ item, detail, market, onBid, onRemove }: ChosenRowProps) {
  const { name, bid } = item
  const title = (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <span className="tag">{detail}</span>
    </>
  )
  const removeButton = (
    <button type="button" className="icon-button" aria-label={`Remove ${name}, ${detail}`} onClick={onRemove}>
      <Icon icon={trashOutline} />
    </button>
  )
  if (bid === undefined)
    return (
      <div className="bid-row">
        <div className="bid-row-text">
          <span>{title}</span>
        </div>
        {removeButton}
      </div>
    )
  return (
    <div className="bid-row">
      <div className="bid-row-text">
        {title}
        <SuggestedBids range={item} currency={market.currency} />
      </div>
      <div className="bid-row-edit">
        <MoneyField
          label={`Bid for ${name}, ${detail}`}
          name={`bid ${name}`}
          currency={market.currency}
          value={bid}
          onChange={onBid}
          error={bidProblem(bid, market) ?? undefined}
        />
        {removeButton}
      </div>
    </div>
  )
}

/** Changes all bids of a list at once; Undo restores them. */
function BulkBids({ list: { scope, rows, market, setBids } }: { list: ChosenList<ChosenItem> }) {
  const [bid, setBid] = useState<number | null>(null)
  const [percent, setPercent] = useState<number | null>(null)
  const wrongBid = bid === null ? undefined : (bidProblem(bid, market) ?? undefined)
  const tooLow = percent !== null && percent < -99
  const change = (bidOf: NewBid) => {
    const bidsBy = (of: (item: ChosenItem) => number) => Object.fromEntries(rows.map(item => [item.id, of(item)]))
    const before = bidsBy(item => item.bid ?? 0)
    setBids(bidsBy(item => changedBid({ ...item, bid: item.bid ?? 0 }, bidOf, market)))
    offerUndo(scope, `${rows.length} bids changed`, () => setBids(before))
  }
  return (
    <details className="paste-list">
      <summary>Change all {rows.length} bids</summary>
      <div className="bulk-bids">
        <MoneyField
          label="Same bid for all"
          name="same bid"
          currency={market.currency}
          value={bid}
          onChange={setBid}
          error={wrongBid}
        />
        <Button disabled={bid === null || wrongBid !== undefined} onClick={() => change(() => bid)}>
          Set all
        </Button>
        <NumberField
          label="Change by percent (minus lowers)"
          name="bid percent"
          suffix="%"
          value={percent}
          onChange={setPercent}
          error={tooLow ? 'Lower bids by at most 99 percent' : undefined}
        />
        <Button disabled={percent === null || percent === 0 || tooLow} onClick={() => change(byPercent(percent ?? 0))}>
          Change all
        </Button>
      </div>
      {rows.some(item => item.lowBid != null && item.highBid != null) && (
        <fieldset className="suggested-levels">
          <legend className="small muted">Use the marketplace’s suggested bids</legend>
          <Button onClick={() => change(item => item.lowBid)}>Low</Button>
          <Button onClick={() => change(item => item.medianBid)}>Median</Button>
          <Button onClick={() => change(item => item.highBid)}>High</Button>
        </fieldset>
      )}
    </details>
  )
}

type Bidding = SuggestedRange & { bid: number }
/** The new bid of an item before it is rounded; nothing leaves the bid unchanged. */
type NewBid = (item: Bidding) => number | null | undefined

/** Raises bids by so many percent; a negative number lowers them. */
export const byPercent =
  (percent: number): NewBid =>
  item =>
    item.bid * (1 + percent / 100)

// Above the limits of every marketplace, and well below what micros can hold.
const HIGHEST = 1_000_000

/** The bid after a change, rounded to the currency's unit and within the marketplace's limits. */
export function changedBid(item: Bidding, bidOf: NewBid, market: MarketplaceFacts): number {
  const bid = bidOf(item)
  if (bid == null) return item.bid
  const micros = roundToUnit(toMicros(Math.min(HIGHEST, Math.max(0, bid))), market.currency)
  return fromMicros(Math.min(market.maxBidMicros, Math.max(market.minBidMicros, micros)))
}
