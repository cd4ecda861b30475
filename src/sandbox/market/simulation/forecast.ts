import type { Expression, Placement } from '../../core/model/store.ts'
import type { Forecast } from '../market.ts'
import { bestMatch, type Listing } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'
import type { QueryMatcher } from '../queries/query-matcher.ts'
import { productSlotsOf } from './auction.ts'

export interface Bid {
  expression: Expression
  bidMicros: number
}

const WEEK_HOURS = 7 * 24

/**
 * What the best matching of the listings gets at fixed bids in an average week. A query that several bids match counts
 * once, at the highest of them.
 */
export function forecastOf(matcher: QueryMatcher, listings: readonly Listing[], bids: readonly Bid[]): Forecast[] {
  const bidOf = new Map<Query, number>()
  for (const { expression, bidMicros } of bids)
    for (const query of matcher.byExpression([expression], listings))
      bidOf.set(query, Math.max(bidMicros, bidOf.get(query) ?? 0))
  const sums = new Map<Placement, Forecast>()
  const options = listings.map(listing => ({ listing }))
  for (const [query, bidMicros] of bidOf) {
    const match = bestMatch(query, options)
    if (!match) continue
    for (const { placement, ...slot } of productSlotsOf(match, bidMicros, { strategy: 'MANUAL', placements: [] })) {
      const sum = sums.get(placement) ?? { placement, impressions: 0, clicks: 0, orders: 0 }
      const impressions = slot.impressions * WEEK_HOURS
      const clicks = impressions * slot.clickRate
      sum.impressions += impressions
      sum.clicks += clicks
      sum.orders += clicks * slot.conversion
      sums.set(placement, sum)
    }
  }
  return [...sums.values()]
}
