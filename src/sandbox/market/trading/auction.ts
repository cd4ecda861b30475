import type { BiddingStrategy, Campaign, Placement } from '../../core/model.ts'
import type { Term } from '../searches/terms.ts'
import { type Good, priceFactor } from '../searches/truth.ts'

/** What one ad may expect of one search in one place, an hour of mean demand. */
export interface Slot {
  placement: Placement
  impressions: number
  clickRate: number
  /** Mean price of a click and the most that one may cost. */
  costMicros: number
  capMicros: number
  conversion: number
}

interface Place {
  placement: Placement
  /** Places shown per search, and what a click there costs relative to rivals' typical bid. */
  seats: number
  hardness: number
  clickRate: number
  conversion: number
}

// biome-ignore format: a place a line
const searchPlaces: readonly Place[] = [
  { placement: 'PLACEMENT_TOP', seats: 0.9, hardness: 1.5, clickRate: 0.02, conversion: 1.2 },
  { placement: 'PLACEMENT_REST_OF_SEARCH', seats: 1.9, hardness: 0.75, clickRate: 0.006, conversion: 1 },
  { placement: 'PLACEMENT_PRODUCT_PAGE', seats: 1.1, hardness: 0.7, clickRate: 0.0035, conversion: 0.85 },
]
const pagePlaces: readonly Place[] = [
  { placement: 'PLACEMENT_PRODUCT_PAGE', seats: 1.4, hardness: 0.8, clickRate: 0.006, conversion: 0.9 },
]

/** Share of the auctions that a bid wins against rivals whose bids spread (log-logistic) around `rivalBid`. */
export const winShare = (bid: number, rivalBid: number): number => (bid <= 0 ? 0 : 1 / (1 + (rivalBid / bid) ** 2))

/** Mean price of a won click: rises with the bid, ever slower, and never above it. */
export const clickPrice = (bid: number, rivalBid: number): number =>
  Math.min(0.97 * bid, (1.2 * bid * rivalBid) / (bid + rivalBid))

/** Down only never raises; up and down may double; fixed and rule-based bids stay. Fit is 1 where a sale is as likely as ever. */
const strategyFactor = (strategy: BiddingStrategy, fit: number): number => {
  if (strategy === 'LEGACY_FOR_SALES') return Math.min(1, Math.max(0.3, fit))
  if (strategy === 'AUTO_FOR_SALES') return Math.min(2, Math.max(0.3, fit * 1.15))
  return 1
}

/** The places where an ad appears for a search, bid, strategy and placement raises included. */
export const slotsOf = (term: Term, good: Good, fit: number, bidMicros: number, campaign: Campaign): Slot[] => {
  const base = bidMicros * strategyFactor(campaign.strategy, fit)
  return (term.kind === 'page' ? pagePlaces : searchPlaces).map(place => {
    const raise = campaign.placements.find(p => p.placement === place.placement)?.percentage ?? 0
    const bid = base * (1 + raise / 100)
    // The marketplace ranks by bid times expected clicks, so a poor fit wins less at the same bid.
    const quality = 0.35 + 0.65 * Math.min(1.3, fit)
    const rival = (term.rivalBidMicros * place.hardness) / quality
    return {
      placement: place.placement,
      impressions: term.volume * place.seats * winShare(bid, rival),
      clickRate: place.clickRate * good.appeal * (0.3 + 0.7 * Math.min(1.4, fit)),
      costMicros: clickPrice(bid, rival),
      capMicros: bid,
      conversion: Math.min(0.6, good.conversion * fit ** 1.2 * place.conversion * priceFactor(good)),
    }
  })
}
