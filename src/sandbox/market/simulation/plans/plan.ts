import type { Profile } from '../../../core/model/store.ts'
import type { AdProduct } from '../../market.ts'
import type { Reach } from '../../queries/query-matcher.ts'
import type { Term } from '../../queries/queries.ts'
import type { Good } from '../../queries/listing.ts'
import type { Slot } from '../auction.ts'
import type { Bar } from './negatives.ts'
import type { Shelves } from './account-structure.ts'
import type { Window } from './serving-windows.ts'

/** An ad with a product that it can show. */
export interface Offer {
  adId: string
  good: Good
  window: Window
}

/** A keyword or target with what it meets. */
export interface Clause {
  id: string
  bidMicros: number
  window: Window
  terms: readonly Term[]
}

export interface GroupPlan {
  adGroupId: string
  offers: readonly Offer[]
  clauses: readonly Clause[]
  bar: Bar
}

/** A campaign of any ad product, in the market's own words. */
export interface CampaignPlan {
  campaignId: string
  adProduct: AdProduct
  budgetMicros: number
  /** The budget is for the campaign's whole life instead of a day's. */
  lifetimeBudget: boolean
  /** From the hour in which it was made until it serves no more, whatever its dates. */
  life: Window
  /** First and last day. */
  dates: Window
  /** Its ad groups; costly, so for campaigns that serve only. */
  groups(): readonly GroupPlan[]
  /** What one ad may expect of one search at a bid, place by place. */
  slotsOf(term: Term, good: Good, fit: number, bidMicros: number): Slot[]
}

/** What a plan is made from. */
export interface Draft {
  profile: Profile
  shelves: Shelves
  reach: Reach
  openedAt: number
  /** The product of an ad in the profile's marketplace; null when the seller does not list it. */
  goodOf(asin: string, sku: string | null): Good | null
}

/** Offers of those products that may be advertised at all. */
export const offersOf = (ads: readonly { adId: string; good: Good | null; window: Window }[]): Offer[] =>
  ads.flatMap(({ adId, good, window }) =>
    good && good.product.eligibility !== 'INELIGIBLE' && window.from < window.to ? [{ adId, good, window }] : [],
  )
