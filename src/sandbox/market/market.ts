import type { Placement } from '../core/model/store.ts'

export const adProducts = ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'] as const
export type AdProduct = (typeof adProducts)[number]

/** How much rivals and the shares of shoppers who buy change over the weeks: little, or so much that last month misleads. */
export type Drift = 'calm' | 'drifting'

export interface MarketOptions {
  seed: number
  startsAt: Date
  /** How much the market changes by itself; calm by default. */
  drift?: Drift
  /** Hundreds of searches more in each category that hardly anybody types, some of which come and go; none by default. */
  tail?: boolean
  /** Reads the store again only after `invalidate`, instead of on every step. */
  cachesStructure?: boolean
}

/** One order that the marketplace credits to a click, as reported at the requested moment. */
export interface Purchase {
  /** The product bought, not necessarily the advertised one. */
  asin: string
  /** The shortest attribution window, in days, that contains it. */
  within: 1 | 7 | 14 | 30
  units: number
  salesMicros: number
  sameSku: boolean
  /** The buyer's first order from the brand within a year. */
  newToBrand: boolean
  /** The buyer saw the ad and did not click it. */
  byView: boolean
}

/** One line of what the marketplace has counted so far: per ad, target, search term, placement and hour. */
export interface Fact {
  profileId: number
  campaignId: string
  adGroupId: string
  adId: string
  /** Keyword or target id. */
  targetId: string
  asin: string
  /** What the shopper typed, or the product page that showed the ad (an ASIN in lower case). */
  searchTerm: string
  placement: Placement
  /** Day in the profile's time zone and hour 0 to 23 on it. */
  day: string
  hour: number
  /** When that hour began, in epoch milliseconds. When clocks go back, two hours of a day have the same number. */
  at: number
  impressions: number
  viewableImpressions: number
  /**
   * Impressions at the top of search: those won, and all auctions there in which the ad took part. Lines of other
   * placements have such auctions too, because the same shoppers saw the top. Lines for business shoppers have none.
   */
  wonAtTop: number
  eligibleAtTop: number
  clicks: number
  /** Clicks found invalid by then. They are removed, so neither counted nor charged. */
  invalidClicks: number
  costMicros: number
  /** Attributed orders, units and sales within 1, 7, 14 and 30 days of the click, as reported at the requested moment. */
  orders: { d1: number; d7: number; d14: number; d30: number }
  units: { d1: number; d7: number; d14: number; d30: number }
  salesMicros: { d1: number; d7: number; d14: number; d30: number }
  /** The share of orders that was for the advertised SKU itself. */
  sameSkuShare: number
  purchases: readonly Purchase[]
}

/** A line that reports changed: as shown before (null: not yet) and after. */
export interface FactChange {
  before: Fact | null
  after: Fact | null
}

/** All sales of one product on one day, advertised and organic together. */
export interface DailySales {
  sellerId: string
  marketplaceId: string
  asin: string
  sku: string
  day: string
  orders: number
  units: number
  salesMicros: number
  sessions: number
  pageViews: number
}

/** Orders of one product within one hour, advertised and organic together. */
export interface HourlySales {
  asin: string
  sku: string
  /** Hours since 1970. */
  hour: number
  orders: number
  units: number
  salesMicros: number
}

export interface BidRange {
  lowMicros: number
  medianMicros: number
  highMicros: number
}

/** What a product can expect in one placement in an average week, if no budget runs out. */
export interface Forecast {
  placement: Placement
  impressions: number
  clicks: number
  orders: number
}

/** How an account ranks among all advertisers of a search term, by impressions. */
export interface SearchTermRank {
  /** 1 has the most impressions. */
  rank: number
  /** Share of all impressions, 0 to 1. */
  share: number
}
