import { trashOutline } from 'ionicons/icons'
import { type ReactNode, useRef, useState } from 'react'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/ad-limits.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'
import type { EditedList } from './edit-list.ts'
import { SuggestedBids, type SuggestedRange } from './recommended.tsx'
import { ListHeading, offerUndo } from './undo.tsx'

type Bidding = SuggestedRange & { bid: number }
type Row = Bidding & { id: string; name: string; detail: string }

interface ChosenItemsProps<T> {
  list: EditedList<T>
  detailOf: (item: T) => string
  hint?: string | false
  note?: ReactNode
}

// A long list scrolls by itself, so that what follows it stays within reach.
export function ChosenItems<T>({ list, detailOf, hint, note }: ChosenItemsProps<T>) {
  const { scope, several, hasBids, items, idOf, nameOf } = list
  const heading = useRef<HTMLHeadingElement>(null)
  const remove = (ids: readonly string[]) => {
    list.remove(ids)
    // The focused button disappears with its row.
    heading.current?.focus()
  }
  const rows = items.map(item => ({
    // Without bids nothing reads them.
    ...(item as Bidding),
    id: idOf(item),
    name: nameOf(item),
    detail: detailOf(item),
  }))
  const title = `Chosen ${several}`
  return (
    <section className="configure-section" aria-label={title}>
      <ListHeading heading={heading} scope={scope} title={`${title} (${rows.length})`}>
        {rows.length > 1 && <Button onClick={() => remove(rows.map(row => row.id))}>Remove all</Button>}
      </ListHeading>
      {hint && <p className="muted small">{hint}</p>}
      {note}
      {hasBids && rows.length > 1 && <BulkBids rows={rows} list={list} />}
      <ScrollList
        count={rows.length}
        itemKey={index => rows[index]?.id ?? index}
        label={title}
        estimate={hasBids ? 112 : 64}
      >
        {index => rows[index] && <ChosenRow row={rows[index]} list={list} onRemove={id => remove([id])} />}
      </ScrollList>
    </section>
  )
}

type ListOfBids = Pick<EditedList<never>, 'scope' | 'hasBids' | 'market' | 'setBids'>

function ChosenRow(props: { row: Row; list: ListOfBids; onRemove: (id: string) => void }) {
  const { row, onRemove } = props
  const { hasBids, market, setBids } = props.list
  const { id, name, detail, bid } = row
  const title = (
    <>
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      <span className="tag">{detail}</span>
    </>
  )
  const removeButton = (
    <button type="button" className="icon-button" aria-label={`Remove ${name}, ${detail}`} onClick={() => onRemove(id)}>
      <Icon icon={trashOutline} />
    </button>
  )
  return (
    <div className="bid-row">
      <div className="bid-row-text">
        {hasBids ? title : <span>{title}</span>}
        {hasBids && <SuggestedBids range={row} currency={market.currency} />}
      </div>
      {!hasBids ? (
        removeButton
      ) : (
        <div className="bid-row-edit">
          <MoneyField
            label={`Bid for ${name}, ${detail}`}
            name={`bid ${name}`}
            currency={market.currency}
            value={bid}
            onChange={next => setBids({ [id]: next })}
            error={bidProblem(bid, market) ?? undefined}
          />
          {removeButton}
        </div>
      )}
    </div>
  )
}

function BulkBids({ rows, list: { scope, market, setBids } }: { rows: readonly Row[]; list: ListOfBids }) {
  const [bid, setBid] = useState<number | null>(null)
  const [percent, setPercent] = useState<number | null>(null)
  const wrongBid = bid === null ? undefined : (bidProblem(bid, market) ?? undefined)
  const tooLow = percent !== null && percent < -99
  const change = (bidOf: NewBid) => {
    const bidsBy = (of: (row: Row) => number) => Object.fromEntries(rows.map(row => [row.id, of(row)]))
    setBids(bidsBy(row => changedBid(row, bidOf, market)))
    offerUndo(scope, `${rows.length} bids changed`, () => setBids(bidsBy(row => row.bid)))
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
        <Button
          disabled={percent === null || percent === 0 || tooLow}
          onClick={() => change(item => item.bid * (1 + (percent ?? 0) / 100))}
        >
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

/** The new bid of an item before it is rounded; nothing leaves the bid unchanged. */
type NewBid = (item: Bidding) => number | null | undefined

/** The bid after a change, rounded to the currency's unit and within the marketplace's limits. */
function changedBid(item: Bidding, bidOf: NewBid, market: MarketplaceFacts): number {
  const bid = bidOf(item)
  if (bid == null) return item.bid
  // A million is above the limits of every marketplace, and well below what micros can hold.
  const micros = roundToUnit(toMicros(Math.min(1_000_000, Math.max(0, bid))), market.currency)
  return fromMicros(Math.min(market.maxBidMicros, Math.max(market.minBidMicros, micros)))
}
