import type { Campaign, Placement } from '../../core/model/store.ts'
import type { Market, Prospect } from '../market.ts'
import type { Reach } from '../queries/query-matcher.ts'
import type { Term } from '../queries/queries.ts'
import { type Good, relevance } from '../queries/listing.ts'
import { slotsOf } from './auction.ts'

const WEEK_HOURS = 7 * 24
const fixedBids: Pick<Campaign, 'strategy' | 'placements'> = { strategy: 'MANUAL', placements: [] }

const bestOf = (goods: readonly Good[], term: Term): { good: Good; fit: number } | null => {
  let best: { good: Good; fit: number } | null = null
  for (const good of goods) {
    const fit = relevance(term, good)
    if (fit > 0 && (!best || fit * good.appeal > best.fit * best.good.appeal)) best = { good, fit }
  }
  return best
}

/** What the best fitting of the products gets at fixed bids in a mean week; of two bids on one search the higher counts. */
export const prospectsOf = (
  reach: Reach,
  goods: readonly Good[],
  bids: Parameters<Market['prospects']>[2],
): Prospect[] => {
  const bidOf = new Map<Term, number>()
  for (const { expression, bidMicros } of bids)
    for (const term of reach.expression([expression], goods)) bidOf.set(term, Math.max(bidMicros, bidOf.get(term) ?? 0))
  const found = new Map<Placement, Prospect>()
  for (const [term, bidMicros] of bidOf) {
    const best = bestOf(goods, term)
    if (!best) continue
    for (const slot of slotsOf(term, best.good, best.fit, bidMicros, fixedBids)) {
      const sum = found.get(slot.placement) ?? { placement: slot.placement, impressions: 0, clicks: 0, orders: 0 }
      const impressions = slot.impressions * WEEK_HOURS
      const clicks = impressions * slot.clickRate
      found.set(slot.placement, {
        placement: slot.placement,
        impressions: sum.impressions + impressions,
        clicks: sum.clicks + clicks,
        orders: sum.orders + clicks * slot.conversion,
      })
    }
  }
  return [...found.values()]
}
