import type { BrandCampaign } from '../../core/model/brands.ts'
import type { DisplayCampaign } from '../../core/model/display.ts'
import type { EntityOf } from '../../core/model/ad-products.ts'
import type { BiddingStrategy, Campaign, Placement } from '../../core/model/store.ts'
import type { AdProduct } from '../market.ts'
import { type Listing, priceFactor } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'

/** A listing that answers a query, and how well (see `relevance`). */
export interface Match {
  query: Query
  listing: Listing
  fit: number
}

/** What one ad can expect of one query in one placement, in an hour of average demand. */
export interface PlacementSlot {
  placement: Placement
  /** Impressions that all advertisers win there together. */
  available: number
  impressions: number
  clickRate: number
  /** Average price of a click, and the most that one can cost. */
  costMicros: number
  capMicros: number
  /** Price of a thousand viewable impressions where views are paid for and clicks are not; else 0. */
  viewMicros: number
  conversion: number
}

interface PlacementModel {
  placement: Placement
  /** Ads shown per search, and what a click there costs relative to rivals' typical bid. */
  slotsPerSearch: number
  competition: number
  clickRate: number
  conversion: number
}

// biome-ignore format: a placement a line
const searchPlacements: readonly PlacementModel[] = [
  { placement: 'PLACEMENT_TOP', slotsPerSearch: 0.9, competition: 1.5, clickRate: 0.02, conversion: 1.2 },
  { placement: 'PLACEMENT_REST_OF_SEARCH', slotsPerSearch: 1.9, competition: 0.75, clickRate: 0.006, conversion: 1 },
  { placement: 'PLACEMENT_PRODUCT_PAGE', slotsPerSearch: 1.1, competition: 0.7, clickRate: 0.0035, conversion: 0.85 },
]
const pagePlacements: readonly PlacementModel[] = [
  { placement: 'PLACEMENT_PRODUCT_PAGE', slotsPerSearch: 1.4, competition: 0.8, clickRate: 0.006, conversion: 0.9 },
]

/** Impressions of Sponsored Products that one search brings to all advertisers together. */
export const IMPRESSIONS_PER_SEARCH = searchPlacements.reduce((sum, { slotsPerSearch }) => sum + slotsPerSearch, 0)

/** Share of the auctions that a bid wins against rivals whose bids spread (log-logistic) around `rivalBid`. */
const winShare = (bid: number, rivalBid: number): number => (bid <= 0 ? 0 : 1 / (1 + (rivalBid / bid) ** 2))

/** Average price of a won click: rises with the bid, ever more slowly, and never exceeds it. */
const clickPrice = (bid: number, rivalBid: number): number =>
  Math.min(0.97 * bid, (1.2 * bid * rivalBid) / (bid + rivalBid))

/** `Down only` never raises a bid, `up and down` may double it, fixed and rule-based bids stay. A fit of 1 is average. */
function strategyFactor(strategy: BiddingStrategy, fit: number): number {
  if (strategy === 'LEGACY_FOR_SALES') return Math.min(1, Math.max(0.3, fit))
  if (strategy === 'AUTO_FOR_SALES') return Math.min(2, Math.max(0.3, fit * 1.15))
  return 1
}

/** What a bid wins in one placement, for any bidder. The marketplace ranks by bid times expected clicks. */
function slotAt(model: PlacementModel, { query, listing, fit }: Match, bid: number, shoppers = 1): PlacementSlot {
  // A poor fit wins less at the same bid.
  const quality = 0.35 + 0.65 * Math.min(1.3, fit)
  const rivalBid = (query.rivalBidMicros * model.competition) / quality
  const available = shoppers * query.volume * model.slotsPerSearch
  return {
    placement: model.placement,
    available,
    impressions: available * winShare(bid, rivalBid),
    clickRate: model.clickRate * listing.appeal * (0.3 + 0.7 * Math.min(1.4, fit)),
    costMicros: clickPrice(bid, rivalBid),
    capMicros: bid,
    viewMicros: 0,
    conversion: Math.min(0.6, listing.conversion * fit ** 1.2 * model.conversion * priceFactor(listing)),
  }
}

/** Share of shoppers who buy for a company. They form a placement of their own where a campaign bids for them. */
const BUSINESS_SHOPPERS = 0.08

/** The placement slots of a Sponsored Products ad. The bid includes strategy and placement adjustments, which multiply. */
export function productSlotsOf(
  match: Match,
  bidMicros: number,
  campaign: Pick<Campaign, 'strategy' | 'placements'>,
): PlacementSlot[] {
  const base = bidMicros * strategyFactor(campaign.strategy, match.fit)
  const adjustment = (placement: Placement): number =>
    1 + (campaign.placements.find(one => one.placement === placement)?.percentage ?? 0) / 100
  const business = adjustment('SITE_AMAZON_BUSINESS')
  return (match.query.kind === 'page' ? pagePlacements : searchPlacements).flatMap(model => {
    const bid = base * adjustment(model.placement)
    if (business === 1) return [slotAt(model, match, bid)]
    const businessSlot = slotAt(model, match, bid * business, BUSINESS_SHOPPERS)
    return [
      slotAt(model, match, bid, 1 - BUSINESS_SHOPPERS),
      { ...businessSlot, placement: 'SITE_AMAZON_BUSINESS' as const },
    ]
  })
}

interface BrandPlacementModel extends PlacementModel {
  at: BrandCampaign['placements'][number]['placement']
}

// biome-ignore format: a placement a line
const brandSearchPlacements: readonly BrandPlacementModel[] = [
  { at: 'TOP_OF_SEARCH', placement: 'PLACEMENT_TOP', slotsPerSearch: 0.8, competition: 1.7, clickRate: 0.014, conversion: 1.05 },
  { at: 'OTHER', placement: 'PLACEMENT_REST_OF_SEARCH', slotsPerSearch: 1.2, competition: 0.8, clickRate: 0.005, conversion: 0.9 },
  { at: 'HOME', placement: 'PLACEMENT_REST_OF_SEARCH', slotsPerSearch: 0.2, competition: 0.9, clickRate: 0.003, conversion: 0.6 },
]
// biome-ignore format: a placement a line
const brandPagePlacements: readonly BrandPlacementModel[] = [
  { at: 'DETAIL_PAGE', placement: 'PLACEMENT_PRODUCT_PAGE', slotsPerSearch: 0.9, competition: 0.9, clickRate: 0.004, conversion: 0.8 },
]

/** Share of impressions that are viewable: half of the picture for a second. */
export const VIEWABLE = 0.7

function pricedSlot(model: PlacementModel, match: Match, bid: number, costType: 'CPC' | 'VCPM'): PlacementSlot {
  if (costType === 'CPC') return slotAt(model, match, bid)
  // A bid for a thousand views competes like the bid for a click that costs the same at the usual click rate.
  const bidPerClick = (VIEWABLE * bid) / (1000 * model.clickRate)
  const slot = slotAt(model, match, bidPerClick)
  const share = bidPerClick > 0 ? slot.costMicros / bidPerClick : 0
  return { ...slot, costMicros: 0, viewMicros: bid * share }
}

/** The placement slots of a brand's banner. With bid optimization, bids below the top of search follow the fit. */
function brandSlotsOf(
  match: Match,
  bidMicros: number,
  { bidOptimization, placements, costType }: BrandCampaign,
): PlacementSlot[] {
  return (match.query.kind === 'page' ? brandPagePlacements : brandSearchPlacements).map(model => {
    const percentage = placements.find(one => one.placement === model.at)?.percentage ?? 0
    const optimized = model.at === 'TOP_OF_SEARCH' ? 1 : Math.min(1, Math.max(0.3, match.fit))
    const bid = bidMicros * (bidOptimization ? optimized : 1 + percentage / 100)
    return pricedSlot(model, match, bid, costType)
  })
}

// biome-ignore format: a placement a line
const displayPlacement: PlacementModel =
  { placement: 'PLACEMENT_PRODUCT_PAGE', slotsPerSearch: 1.6, competition: 0.7, clickRate: 0.0035, conversion: 0.7 }

function displaySlotsOf(match: Match, bidMicros: number, campaign: DisplayCampaign): PlacementSlot[] {
  // Audiences that an ad follows around click less than people who compare products.
  const clickRate = displayPlacement.clickRate * (campaign.tactic === 'T00030' ? 0.6 : 1)
  return [pricedSlot({ ...displayPlacement, clickRate }, match, bidMicros, campaign.costType)]
}

/** The placement slots of an ad, by the ad product; the campaign must be of it. */
export const slotsByProduct = {
  SPONSORED_PRODUCTS: productSlotsOf,
  SPONSORED_BRANDS: brandSlotsOf,
  SPONSORED_DISPLAY: displaySlotsOf,
} as unknown as Record<AdProduct, (match: Match, bidMicros: number, campaign: EntityOf<'campaigns'>) => PlacementSlot[]>
