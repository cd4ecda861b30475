import { useState } from 'react'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { bidFault } from '../../bid-fault.ts'
import { type BidChange, changedBid } from '../../lists/bulk-bids.ts'
import type { SuggestedRange } from './bid-rows.tsx'

interface BulkBidsProps {
  items: readonly ({ bid: number } & SuggestedRange)[]
  market: MarketplaceFacts
  /** Sets the bids of the list, one for each item in its order. */
  onBids: (bids: readonly number[]) => void
}

/** Changes every bid of a list at once; what stood before comes back by Undo. */
export const BulkBids = ({ items, market, onBids }: BulkBidsProps) => {
  const [bid, setBid] = useState<number | null>(null)
  const [percent, setPercent] = useState<number | null>(null)
  if (items.length < 2) return null
  const change = (wanted: BidChange) => {
    const before = items.map(item => item.bid)
    onBids(items.map(item => changedBid(item, wanted, market)))
    toast({
      title: `${items.length} bids changed`,
      action: { label: 'Undo', onSelect: () => onBids(before) },
      durationMs: 8000,
    })
  }
  const wrongBid = bid === null ? undefined : (bidFault(bid, market) ?? undefined)
  const suggested = items.some(item => item.lowBid != null && item.highBid != null)
  return (
    <details className="paste-list">
      <summary>Change all {items.length} bids</summary>
      <div className="bulk-bids">
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
          onClick={() => bid !== null && change({ kind: 'SET', bid })}
        >
          Set all
        </Button>
        <NumberField
          label="Percent more, or less with a minus"
          name="bid percent"
          suffix="%"
          value={percent}
          onChange={setPercent}
          error={percent !== null && percent < -99 ? 'At most 99 percent less' : undefined}
        />
        <Button
          disabled={percent === null || percent === 0 || percent < -99}
          onClick={() => percent !== null && change({ kind: 'PERCENT', percent })}
        >
          Change all
        </Button>
      </div>
      {suggested && (
        <fieldset className="suggested-levels">
          <legend className="small muted">Take what the marketplace suggests</legend>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'lowBid' })}>Low</Button>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'medianBid' })}>Median</Button>
          <Button onClick={() => change({ kind: 'SUGGESTED', level: 'highBid' })}>High</Button>
        </fieldset>
      )}
    </details>
  )
}
