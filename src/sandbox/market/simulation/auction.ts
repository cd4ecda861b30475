import type { BrandCampaign } from '../../core/model/brands.ts'
import type { DisplayCampaign } from '../../core/model/display.ts'
import type { EntityOf } from '../../core/model/ad-products.ts'
import type { BiddingStrategy, Campaign, Placement } from '../../core/model/store.ts'
import type { AdProduct } from '../market.ts'
import { guessedFit, type Listing, priceClickFactor, priceFactor } from '../queries/listing.ts'
import type { Query } from '../queries/queries.ts'
import { fraction, mix } from '../random.ts'

/** A listing that answers a query, and how well (see `relevance`). */
export interface Match {
  query: Query
  listing: Listing
  fit: number
  /** Factor on the quality of the ad where it is meant for this very query, or only for ones like it; 1 without. */
  closeness?: number
}

/** What holds at a moment, as factors on what holds on average. */
export interface Conditions {
  /** Rivals' bids. */
  rivals: number
  /** The auctions in which the ad takes part: never above 1. */
  reach: number
  /** Orders per click. */
  conversion: number
}
export const usualConditions: Conditions = { rivals: 1, reach: 1, conversion: 1 }

/** What one ad can expect of one query in one placement, in an hour of average demand. */
export interface PlacementSlot {
  placement: Placement
  /** The place on the page, 0 first: ads compete with those in the same place. */
  place: number
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
const winShare = (bid: number, rivalBid: number, { winPower }: Query): number =>
  bid <= 0 ? 0 : 1 / (1 + (rivalBid / bid) ** winPower)

/** Average price of a won click: a little less than a low bid, ever further below a high one. */
const clickPrice = (bid: number, rivalBid: number, { priceSlope }: Query): number =>
  0.97 * bid * (1 + bid / (0.25 * rivalBid)) ** (priceSlope - 1)

/** `Down only` never raises a bid, `up and down` may double it, fixed bids stay. A fit of 1 is average. */
function strategyFactor(strategy: BiddingStrategy, { query, listing, fit }: Match): number {
  if (strategy !== 'LEGACY_FOR_SALES' && strategy !== 'AUTO_FOR_SALES') return 1
  const guess = guessedFit(fit, query, listing)
  return strategy === 'LEGACY_FOR_SALES' ? Math.min(1, Math.max(0.3, guess)) : Math.min(2, Math.max(0.3, guess * 1.15))
}

/** By how much rule-based bidding raises bids at most: at the top of search more, most in hours in which people buy. */
const MOST_AT_TOP = { good: 3, usual: 2 }
const MOST_ELSEWHERE = 1.5
const LEAST = 0.2

/** What rule-based bidding makes of a bid for a placement: what its click is believed to be worth, within bounds. */
function aimedBid(bid: number, placement: Placement, { query, listing, fit }: Match, roas: number, conversion: number) {
  const believed = Math.min(0.6, listing.conversion * guessedFit(fit, query, listing) ** 1.2 * priceFactor(listing))
  const atTop = conversion >= 1 ? MOST_AT_TOP.good : MOST_AT_TOP.usual
  const most = placement === 'PLACEMENT_TOP' ? atTop : MOST_ELSEWHERE
  return Math.max(LEAST * bid, Math.min(most * bid, (believed * listing.priceMicros) / roas))
}

/** Rivals do not want every place of a page equally: the same ones more for some queries than for others. */
const rivalryAt = ({ seed }: Query, place: number): number => 0.8 + 0.4 * fraction(mix(seed ^ 0x706c61, place))

interface Offer {
  match: Match
  bid: number
  /** The part of the shoppers whom the bid is for. */
  shoppers?: number
}

/** What a bid wins in one placement, for any bidder. The marketplace ranks by bid times expected clicks. */
function slotAt(
  model: PlacementModel,
  place: number,
  { match: { query, listing, fit, closeness = 1 }, bid, shoppers = 1 }: Offer,
  { rivals, reach, conversion }: Conditions,
): PlacementSlot {
  // A poor fit wins less at the same bid.
  const quality = (0.35 + 0.65 * Math.min(1.3, fit)) * closeness
  const rivalBid = (query.rivalBidMicros * model.competition * rivalryAt(query, place) * rivals) / quality
  const available = shoppers * query.volume * reach * model.slotsPerSearch
  return {
    placement: model.placement,
    place,
    available,
    impressions: available * winShare(bid, rivalBid, query),
    clickRate: model.clickRate * listing.appeal * (0.3 + 0.7 * Math.min(1.4, fit)) * priceClickFactor(listing),
    costMicros: clickPrice(bid, rivalBid, query),
    capMicros: bid,
    viewMicros: 0,
    conversion: Math.min(0.6, listing.conversion * fit ** 1.2 * model.conversion * priceFactor(listing) * conversion),
  }
}

/** Share of shoppers who buy for a company. They form a placement of their own where a campaign bids for them. */
const BUSINESS_SHOPPERS = 0.08

/** The placement slots of a Sponsored Products ad. The bid includes strategy and placement adjustments, which multiply. */
export function productSlotsOf(
  match: Match,
  bidMicros: number,
  campaign: Pick<Campaign, 'strategy' | 'placements'> & { roas?: number },
  conditions = usualConditions,
): PlacementSlot[] {
  const base = bidMicros * strategyFactor(campaign.strategy, match)
  const adjustment = (placement: Placement): number =>
    1 + (campaign.placements.find(one => one.placement === placement)?.percentage ?? 0) / 100
  const business = adjustment('SITE_AMAZON_BUSINESS')
  return (match.query.kind === 'page' ? pagePlacements : searchPlacements).flatMap((model, place) => {
    const adjusted = base * adjustment(model.placement)
    const { roas } = campaign
    const bid = roas === undefined ? adjusted : aimedBid(adjusted, model.placement, match, roas, conditions.conversion)
    if (business === 1) return [slotAt(model, place, { match, bid }, conditions)]
    const companies = { match, bid: bid * business, shoppers: BUSINESS_SHOPPERS }
    return [
      slotAt(model, place, { match, bid, shoppers: 1 - BUSINESS_SHOPPERS }, conditions),
      { ...slotAt(model, place, companies, conditions), placement: 'SITE_AMAZON_BUSINESS' as const },
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

function pricedSlot(
  model: PlacementModel,
  place: number,
  { match, bid }: Offer,
  costType: 'CPC' | 'VCPM',
  conditions: Conditions,
): PlacementSlot {
  if (costType === 'CPC') return slotAt(model, place, { match, bid }, conditions)
  // A bid for a thousand views competes like the bid for a click that costs the same at the usual click rate.
  const bidPerClick = (VIEWABLE * bid) / (1000 * model.clickRate)
  const slot = slotAt(model, place, { match, bid: bidPerClick }, conditions)
  const share = bidPerClick > 0 ? slot.costMicros / bidPerClick : 0
  return { ...slot, costMicros: 0, viewMicros: bid * share }
}

/** The placement slots of a brand's banner. With bid optimization, bids below the top of search follow the fit. */
function brandSlotsOf(
  match: Match,
  bidMicros: number,
  { bidOptimization, placements, costType }: BrandCampaign,
  conditions = usualConditions,
): PlacementSlot[] {
  const guess = Math.min(1, Math.max(0.3, guessedFit(match.fit, match.query, match.listing)))
  return (match.query.kind === 'page' ? brandPagePlacements : brandSearchPlacements).map((model, place) => {
    const percentage = placements.find(one => one.placement === model.at)?.percentage ?? 0
    const optimized = model.at === 'TOP_OF_SEARCH' ? 1 : guess
    const bid = bidMicros * (bidOptimization ? optimized : 1 + percentage / 100)
    return pricedSlot(model, place, { match, bid }, costType, conditions)
  })
}

// biome-ignore format: a placement a line
const displayPlacement: PlacementModel =
  { placement: 'PLACEMENT_PRODUCT_PAGE', slotsPerSearch: 1.6, competition: 0.7, clickRate: 0.0035, conversion: 0.7 }

function displaySlotsOf(
  match: Match,
  bidMicros: number,
  { tactic, costType }: DisplayCampaign,
  conditions = usualConditions,
): PlacementSlot[] {
  // Audiences that an ad follows around click less than people who compare products.
  const clickRate = displayPlacement.clickRate * (tactic === 'T00030' ? 0.6 : 1)
  return [pricedSlot({ ...displayPlacement, clickRate }, 0, { match, bid: bidMicros }, costType, conditions)]
}

/** What one ad can expect of one query at a bid, placement by placement; on average where no conditions are given. */
export type SlotsOf = (match: Match, bidMicros: number, conditions?: Conditions) => PlacementSlot[]

type SlotsOfCampaign = (
  match: Match,
  bidMicros: number,
  campaign: EntityOf<'campaigns'>,
  conditions?: Conditions,
) => PlacementSlot[]

/** The placement slots of an ad, by the ad product; the campaign must be of it. */
export const slotsByProduct = {
  SPONSORED_PRODUCTS: productSlotsOf,
  SPONSORED_BRANDS: brandSlotsOf,
  SPONSORED_DISPLAY: displaySlotsOf,
} as unknown as Record<AdProduct, SlotsOfCampaign>
