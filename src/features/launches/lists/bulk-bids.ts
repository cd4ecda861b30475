import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit, toMicros } from '#shared/money.ts'

/** What happens to every bid of a list: one amount for all, so many percent more or less, or what the marketplace suggests. */
export type BidChange =
  | { kind: 'SET'; bid: number }
  | { kind: 'PERCENT'; percent: number }
  | { kind: 'SUGGESTED'; level: 'lowBid' | 'medianBid' | 'highBid' }

interface Bidding {
  bid: number
  lowBid?: number | null | undefined
  medianBid?: number | null | undefined
  highBid?: number | null | undefined
}

// Beyond every marketplace's limit, and well below what micros can hold.
const HIGHEST = 1_000_000

function wantedBid(item: Bidding, change: BidChange): number | null {
  if (change.kind === 'SUGGESTED') return item[change.level] ?? null
  return change.kind === 'SET' ? change.bid : item.bid * (1 + change.percent / 100)
}

/**
 * The bid after a change, in the currency's digits and within the marketplace's limits. Stays as it is where nothing is
 * suggested.
 */
export function changedBid(item: Bidding, change: BidChange, market: MarketplaceFacts): number {
  const wanted = wantedBid(item, change)
  if (wanted === null) return item.bid
  const micros = roundToUnit(toMicros(Math.min(HIGHEST, Math.max(0, wanted))), market.currency)
  return fromMicros(Math.min(market.maxBidMicros, Math.max(market.minBidMicros, micros)))
}
