import { bidProblem } from '#shared/campaign-rules.ts'
import { trashOutline } from 'ionicons/icons'
import { formatMoney } from '#client/ui/figures/format.ts'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'

export interface SuggestedRange {
  lowBid?: number | null | undefined
  medianBid?: number | null | undefined
  highBid?: number | null | undefined
}

/** Low, median and high of what the marketplace suggests; says so where it suggests nothing. */
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

interface BidRowProps extends SuggestedRange {
  name: string
  detail: string
  bid: number
  market: MarketplaceFacts
  onBid: (bid: number | null) => void
  onRemove: () => void
}

/** Something chosen, with its bid, which can be changed, and the way to take it out. */
export function BidRow({ name, detail, bid, market, onBid, onRemove, ...range }: BidRowProps) {
  return (
    <div className="bid-row">
      <div className="bid-row-text">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="tag">{detail}</span>
        <SuggestedBids range={range} currency={market.currency} />
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
        <button type="button" className="icon-button" aria-label={`Remove ${name}, ${detail}`} onClick={onRemove}>
          <Icon icon={trashOutline} />
        </button>
      </div>
    </div>
  )
}

interface RecommendedRowProps extends SuggestedRange {
  name: string
  detail: string
  bid: number
  why: string
  currency: string
  added: boolean
  onAdd: () => void
}

/** Something the marketplace recommends, with the bid the strategy takes, and why that one. */
export function RecommendedRow({ name, detail, bid, why, currency, added, onAdd, ...range }: RecommendedRowProps) {
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
        {range.lowBid != null && <SuggestedBids range={range} currency={currency} />}
      </div>
      {/* Not disabled: the focus would be lost with it. */}
      <Button
        aria-disabled={added}
        onClick={() => !added && onAdd()}
        aria-label={added ? `${name}, ${detail}, is added` : `Add ${name}, ${detail}`}
      >
        {added ? 'Added' : 'Add'}
      </Button>
    </div>
  )
}
