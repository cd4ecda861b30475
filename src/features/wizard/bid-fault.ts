import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'

type BidLimits = Pick<MarketplaceFacts, 'currency' | 'minBidMicros' | 'maxBidMicros'>

/** Why the marketplace would not take a bid (decimal amount, null while none is given), in words; null when it would. */
export const bidFault = (bid: number | null, { currency, minBidMicros, maxBidMicros }: BidLimits): string | null => {
  const range = `between ${fromMicros(minBidMicros)} and ${fromMicros(maxBidMicros)} ${currency}`
  if (bid === null) return 'Enter a bid'
  // Beyond every limit, and beyond what micros can hold.
  if (!Number.isFinite(bid) || bid > 1_000_000) return `The bid must be ${range}`
  const micros = toMicros(bid)
  if (micros < minBidMicros || micros > maxBidMicros) return `The bid must be ${range}`
  return hasUnitPrecision(micros, currency) ? null : `The bid has more decimals than ${currency} has`
}
