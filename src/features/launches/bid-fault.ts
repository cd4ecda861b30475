import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'

/** Said where no bid is given. */
export const noBid = 'Enter a bid'

/** What a marketplace takes for a click. */
export type BidLimits = Pick<MarketplaceFacts, 'currency' | 'minBidMicros' | 'maxBidMicros'>

/**
 * Why the marketplace would not take a bid (decimal amount, null while none is given), in words; null when it would. `subject`
 * begins the sentence.
 */
export const bidFault = (
  bid: number | null,
  { currency, minBidMicros, maxBidMicros }: BidLimits,
  subject = 'The bid',
): string | null => {
  const range = `between ${fromMicros(minBidMicros)} and ${fromMicros(maxBidMicros)} ${currency}`
  if (bid === null) return noBid
  // Beyond every limit, and beyond what micros can hold.
  if (!Number.isFinite(bid) || bid > 1_000_000) return `${subject} must be ${range}`
  const micros = toMicros(bid)
  if (micros < minBidMicros || micros > maxBidMicros) return `${subject} must be ${range}`
  return hasUnitPrecision(micros, currency) ? null : `${subject} has more decimals than ${currency} has`
}
