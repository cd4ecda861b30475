import type { BrandCampaign } from '../../core/model/brands.ts'
import type { DisplayCampaign } from '../../core/model/display.ts'
import type { BiddingStrategy, Campaign, Placement } from '../../core/model/store.ts'
import type { Term } from '../queries/queries.ts'
import { type Good, priceFactor } from '../queries/listing.ts'

/** What one ad may expect of one search in one place, an hour of mean demand. */
export interface Slot {
  placement: Placement
  /** Impressions that somebody wins there. */
  available: number
  /** Those of them that the ad wins. */
  impressions: number
  clickRate: number
  /** Mean price of a click and the most that one may cost. */
  costMicros: number
  capMicros: number
  /** Price of a thousand viewable impressions where views are paid for, and clicks are not; else 0. */
  viewMicros: number
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

/** Impressions of Sponsored Products that one search brings to all advertisers together. */
export const IMPRESSIONS_PER_SEARCH = searchPlaces.reduce((sum, { seats }) => sum + seats, 0)

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

/** What a bid wins in one place, whoever made it. The marketplace ranks by bid times expected clicks. */
const slotAt = (
  { placement, seats, hardness, ...place }: Place,
  { term, good, fit }: { term: Term; good: Good; fit: number },
  bid: number,
  part = 1,
): Slot => {
  // A poor fit wins less at the same bid.
  const quality = 0.35 + 0.65 * Math.min(1.3, fit)
  const rival = (term.rivalBidMicros * hardness) / quality
  const available = part * term.volume * seats
  return {
    placement,
    available,
    impressions: available * winShare(bid, rival),
    clickRate: place.clickRate * good.appeal * (0.3 + 0.7 * Math.min(1.4, fit)),
    costMicros: clickPrice(bid, rival),
    capMicros: bid,
    viewMicros: 0,
    conversion: Math.min(0.6, good.conversion * fit ** 1.2 * place.conversion * priceFactor(good)),
  }
}

/** Shoppers who buy for a company. They are told apart where a campaign bids for them apart. */
const BUSINESS_SHOPPERS = 0.08

/** The places where an ad appears for a search, bid, strategy and placement raises included; raises multiply. */
export const slotsOf = (
  term: Term,
  good: Good,
  fit: number,
  bidMicros: number,
  campaign: Pick<Campaign, 'strategy' | 'placements'>,
): Slot[] => {
  const base = bidMicros * strategyFactor(campaign.strategy, fit)
  const raised = (placement: Placement): number =>
    1 + (campaign.placements.find(one => one.placement === placement)?.percentage ?? 0) / 100
  const business = raised('SITE_AMAZON_BUSINESS')
  const meeting = { term, good, fit }
  return (term.kind === 'page' ? pagePlaces : searchPlaces).flatMap(place => {
    const bid = base * raised(place.placement)
    if (business === 1) return [slotAt(place, meeting, bid)]
    const apart = slotAt(place, meeting, bid * business, BUSINESS_SHOPPERS)
    return [
      slotAt(place, meeting, bid, 1 - BUSINESS_SHOPPERS),
      { ...apart, placement: 'SITE_AMAZON_BUSINESS' as const },
    ]
  })
}

interface BrandPlace extends Place {
  at: BrandCampaign['placements'][number]['placement']
}

// biome-ignore format: a place a line
const brandSearchPlaces: readonly BrandPlace[] = [
  { at: 'TOP_OF_SEARCH', placement: 'PLACEMENT_TOP', seats: 0.8, hardness: 1.7, clickRate: 0.014, conversion: 1.05 },
  { at: 'OTHER', placement: 'PLACEMENT_REST_OF_SEARCH', seats: 1.2, hardness: 0.8, clickRate: 0.005, conversion: 0.9 },
  { at: 'HOME', placement: 'PLACEMENT_REST_OF_SEARCH', seats: 0.2, hardness: 0.9, clickRate: 0.003, conversion: 0.6 },
]
// biome-ignore format: a place a line
const brandPagePlaces: readonly BrandPlace[] = [
  { at: 'DETAIL_PAGE', placement: 'PLACEMENT_PRODUCT_PAGE', seats: 0.9, hardness: 0.9, clickRate: 0.004, conversion: 0.8 },
]

/** Part of the impressions that are seen: half of the picture for a second. */
export const VIEWABLE = 0.7

/** A place whose views are paid for: the bid for a thousand of them is what a click's would be at its usual rate. */
const paidByViews = (place: Place, meeting: { term: Term; good: Good; fit: number }, bid: number): Slot => {
  const perClick = (VIEWABLE * bid) / (1000 * place.clickRate)
  const slot = slotAt(place, meeting, perClick)
  const share = perClick > 0 ? slot.costMicros / perClick : 0
  return { ...slot, costMicros: 0, viewMicros: bid * share }
}

const priced = (
  place: Place,
  meeting: { term: Term; good: Good; fit: number },
  bid: number,
  costType: 'CPC' | 'VCPM',
): Slot => (costType === 'VCPM' ? paidByViews(place, meeting, bid) : slotAt(place, meeting, bid))

/** The places of a brand's banner. Left to the marketplace, bids below the top of search follow the fit. */
export const brandSlotsOf = (
  term: Term,
  good: Good,
  fit: number,
  bidMicros: number,
  { bidOptimization, placements, costType }: BrandCampaign,
): Slot[] =>
  (term.kind === 'page' ? brandPagePlaces : brandSearchPlaces).map(place => {
    const percentage = placements.find(one => one.placement === place.at)?.percentage ?? 0
    const optimized = place.at === 'TOP_OF_SEARCH' ? 1 : Math.min(1, Math.max(0.3, fit))
    const bid = bidMicros * (bidOptimization ? optimized : 1 + percentage / 100)
    return priced(place, { term, good, fit }, bid, costType)
  })

// biome-ignore format: a place a line
const displayPlaces: readonly Place[] = [
  { placement: 'PLACEMENT_PRODUCT_PAGE', seats: 1.6, hardness: 0.7, clickRate: 0.0035, conversion: 0.7 },
]

/** The place of a display ad: beside others' products. */
export const displaySlotsOf = (
  term: Term,
  good: Good,
  fit: number,
  bidMicros: number,
  { costType, tactic }: DisplayCampaign,
): Slot[] =>
  displayPlaces.map(place => {
    // People who are followed around look less closely than those who compare.
    const seen = tactic === 'T00030' ? { ...place, clickRate: place.clickRate * 0.6 } : place
    return priced(seen, { term, good, fit }, bidMicros, costType)
  })
