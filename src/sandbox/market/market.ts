import type { Store, Expression, Placement } from '../core/model/store.ts'

export const adProducts = ['SPONSORED_PRODUCTS', 'SPONSORED_BRANDS', 'SPONSORED_DISPLAY'] as const
export type AdProduct = (typeof adProducts)[number]

/** One order that the marketplace credits to a click, as known at the moment asked. */
export interface Purchase {
  /** The product bought, which need not be the advertised one. */
  asin: string
  /** The shortest window of attribution, in days, that it falls into. */
  within: 1 | 7 | 14 | 30
  units: number
  salesMicros: number
  sameSku: boolean
  /** The buyer's first of the brand within a year. */
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
  /** What the shopper typed, or the product page the ad stood on (an ASIN in lower case). */
  searchTerm: string
  placement: Placement
  /** Day in the profile's time zone and hour 0 to 23 on it. */
  day: string
  hour: number
  /** When that hour began; where clocks are set back, two hours of a day bear one number. Epoch milliseconds. */
  at: number
  impressions: number
  /** Those of them that were seen. */
  viewableImpressions: number
  /**
   * Impressions at the top of search: those won, and all of those auctions in which the ad stood with its bid. A line of
   * another place has auctions too, for the same shoppers saw the top; business shoppers who are bid for apart have none.
   */
  wonAtTop: number
  eligibleAtTop: number
  clicks: number
  /** Clicks found invalid by then: taken back, so neither counted nor charged. */
  invalidClicks: number
  costMicros: number
  /** Attributed orders, units and sales within 1, 7, 14 and 30 days of the click, as known at the moment asked. */
  orders: { d1: number; d7: number; d14: number; d30: number }
  units: { d1: number; d7: number; d14: number; d30: number }
  salesMicros: { d1: number; d7: number; d14: number; d30: number }
  /** The part of the 7-day figures that was for the advertised SKU itself (1, 7, 14, 30 alike by proportion). */
  sameSkuShare: number
  /** The orders behind the figures, one by one. */
  purchases: readonly Purchase[]
}

/** A line of which something was learnt: as it stood before (null: not shown yet) and after. */
export interface FactChange {
  before: Fact | null
  after: Fact | null
}

/** A day's whole trade of one product: advertised and organic together. */
export interface TradeDay {
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
export interface TradeHour {
  asin: string
  sku: string
  /** Hours since the epoch. */
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

/** What a product may expect in one place in a mean week, if no budget runs out. */
export interface Prospect {
  placement: Placement
  impressions: number
  clicks: number
  orders: number
}

/** How an account stands among all advertisers of a search term, by impressions. */
export interface SearchTermStanding {
  /** 1 has the most impressions. */
  rank: number
  /** Part of all impressions, 0 to 1. */
  share: number
}

/** The simulated shoppers and rivals. Deterministic by seed; reads the books, never writes them (but for stock). */
export interface Market {
  /**
   * Lets shoppers shop up to the last whole hour before `now`, with the structure as the books hold it. The books'
   * owner calls it before each change, so that a change counts from its own moment on. Cheap when nothing is due.
   */
  advance(now: Date): void
  /**
   * Tells that entries of a profile (null: of anybody, or the products) were set. Only a market that was made `watched`
   * relies on it.
   */
  changed(profileId: number | null): void
  /**
   * Facts of the days (profile's time zone, both included) as the marketplace would report them at `asOf`, of one ad
   * product: Sponsored Products when none is named.
   */
  facts(profileId: number, fromDay: string, toDay: string, asOf: Date, adProduct?: AdProduct): Fact[]
  /** What was learnt after `from` and up to `to` of the hours that begin from `since` on. */
  factChanges(profileId: number, since: Date, from: Date, to: Date, adProduct?: AdProduct): FactChange[]
  trade(sellerId: string, marketplaceId: string, fromDay: string, toDay: string): TradeDay[]
  /** What was ordered in the hours that begin from `from` on and before `to`, as far as they have passed. */
  orders(sellerId: string, marketplaceId: string, from: Date, to: Date): TradeHour[]
  /** Share of today's budget that is spent (0 to 1, may pass 1) and the spend itself, of a campaign of any ad product. */
  budgetUsage(campaignId: string, at: Date): { spentMicros: number; share: number }
  /**
   * Whether a campaign of any ad product has no money left today. A day may cost up to twice its budget where the
   * month has left some over, so one whose share is 1 may still have some.
   */
  outOfBudget(campaignId: string, now: Date): boolean
  /** Search terms relevant to the products, best first, as the marketplace would recommend them. */
  keywordIdeas(profileId: number, asins: string[], most: number): { text: string; score: number }[]
  /** Categories of the products and near ones, best first. */
  categoryIdeas(
    profileId: number,
    asins: string[],
  ): { categoryId: string; name: string; path: string; asinCount: number }[]
  /** Rivals' and complementary products worth targeting, grouped by theme. */
  productIdeas(
    profileId: number,
    asins: string[],
    most: number,
  ): { theme: string; description: string; asins: string[] }[]
  /**
   * How the account's Sponsored Products stood in the 30 days before `at` in each of these searches, plurals and other
   * close variants together; null where they had no impression.
   */
  searchTermStandings(profileId: number, texts: readonly string[], at: Date): (SearchTermStanding | null)[]
  /** Null when too little is known of the expression to suggest a bid. */
  suggestedBid(profileId: number, asins: string[], expression: Expression): BidRange | null
  /** What similar products get at these bids together, by placement; a search that several bids lead to counts once. */
  prospects(
    profileId: number,
    asins: string[],
    bids: readonly { expression: Expression; bidMicros: number }[],
  ): Prospect[]
  /** State worth keeping over a restart (plain JSON), and back. */
  dump(): unknown
  restore(state: unknown): void
}

/**
 * Makes the market of a world. A `watched` one is told of each change by `changed`, and reads only then the books anew;
 * any other reads them for each step.
 */
export type CreateMarket = (store: Store, options: { seed: number; startsAt: Date; watched?: boolean }) => Market
