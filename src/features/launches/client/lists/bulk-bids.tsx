import { bidProblem } from '#shared/campaign-rules.ts'
import { useState } from 'react'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { SuggestedRange } from './recommended.tsx'
import { offerUndo } from './undo.tsx'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'

interface BulkBidsProps {
  /** Names the list for `offerUndo`. */
  scope: string
  items: readonly ({ id: string; bid: number } & SuggestedRange)[]
  market: MarketplaceFacts
  /** Bids by item id. */
  onBids: (bids: Readonly<Record<string, number>>) => void
}

/** Changes all bids of a list at once; Undo restores them. */
export function BulkBids({ scope, items, market, onBids }: BulkBidsProps) {
  if (items.length < 2) return null
  const change = (bidChange: BidChange) => {
    const bids = (bidOf: (item: (typeof items)[number]) => number) =>
      Object.fromEntries(items.map(item => [item.id, bidOf(item)]))
    const before = bids(item => item.bid)
    onBids(bids(item => changedBid(item, bidChange, market)))
    offerUndo(scope, `${items.length} bids changed`, () => onBids(before))
  }
  const suggested = items.some(item => item.lowBid != null && item.highBid != null)
  return (
    <details className="paste-list">
      <summary>Change all {items.length} bids</summary>
      <div className="bulk-bids">
        <SameBid market={market} onChange={change} />
        <PercentMore onChange={change} />
      </div>
      {suggested && (
        <fieldset className="suggested-levels">
          <legend className="small muted">Use the marketplace’s suggested bids</legend>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'lowBid' })}>Low</Button>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'medianBid' })}>Median</Button>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'highBid' })}>High</Button>
        </fieldset>
      )}
    </details>
  )
}

interface ChangeProps {
  onChange: (change: BidChange) => void
}

function SameBid({ market, onChange }: ChangeProps & { market: MarketplaceFacts }) {
  const [bid, setBid] = useState<number | null>(null)
  const wrongBid = bid === null ? undefined : (bidProblem(bid, market) ?? undefined)
  return (
    <>
      <MoneyField
        label="Same bid for all"
        name="same bid"
        currency={market.currency}
        value={bid}
        onChange={setBid}
        error={wrongBid}
      />
      <Button
        disabled={bid === null || wrongBid !== undefined}
        onClick={() => bid !== null && onChange({ kind: 'SET', bid })}
      >
        Set all
      </Button>
    </>
  )
}

function PercentMore({ onChange }: ChangeProps) {
  const [percent, setPercent] = useState<number | null>(null)
  const tooLow = percent !== null && percent < -99
  return (
    <>
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
        onClick={() => percent !== null && onChange({ kind: 'PERCENT', percent })}
      >
        Change all
      </Button>
    </>
  )
}

/** A change of all bids of a list: to one amount, by a percentage, or to a suggested level. */
type BidChange =
  | { kind: 'SET'; bid: number }
  | { kind: 'PERCENT'; percent: number }
  | { kind: 'SUGGESTED'; level: 'lowBid' | 'medianBid' | 'highBid' }

interface Bidding {
  bid: number
  lowBid?: number | null | undefined
  medianBid?: number | null | undefined
  highBid?: number | null | undefined
}

// Above the limits of every marketplace, and well below what micros can hold.
const HIGHEST = 1_000_000

function unroundedBid(item: Bidding, change: BidChange): number | null {
  if (change.kind === 'SUGGESTED') return item[change.level] ?? null
  return change.kind === 'SET' ? change.bid : item.bid * (1 + change.percent / 100)
}

/** The bid after a change, rounded to the currency's unit and within the marketplace's limits; unchanged without a suggestion. */
export function changedBid(item: Bidding, change: BidChange, market: MarketplaceFacts): number {
  const bid = unroundedBid(item, change)
  if (bid === null) return item.bid
  const micros = roundToUnit(toMicros(Math.min(HIGHEST, Math.max(0, bid))), market.currency)
  return fromMicros(Math.min(market.maxBidMicros, Math.max(market.minBidMicros, micros)))
}
