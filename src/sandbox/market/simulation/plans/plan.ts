import type { AdProduct } from '../../market.ts'
import type { Listing } from '../../queries/listing.ts'
import type { Query } from '../../queries/queries.ts'
import type { Match, PlacementSlot } from '../auction.ts'
import type { BlockedFrom } from './negatives.ts'
import type { ServingWindow } from './serving-windows.ts'

/** An ad with a listing that it can show. */
export interface AdPlan {
  adId: string
  listing: Listing
  window: ServingWindow
}

/** A keyword or target with the queries it matches. */
export interface TargetPlan {
  id: string
  bidMicros: number
  window: ServingWindow
  queries: readonly Query[]
}

export interface AdGroupPlan {
  adGroupId: string
  ads: readonly AdPlan[]
  targets: readonly TargetPlan[]
  blockedFrom: BlockedFrom
}

/** A campaign of any ad product, in one shape for the simulation. */
export interface CampaignPlan {
  campaignId: string
  adProduct: AdProduct
  budgetMicros: number
  /** The budget is for the campaign's whole life instead of a day. */
  lifetimeBudget: boolean
  /** From the hour of its creation until it stops serving, whatever its dates. */
  life: ServingWindow
  /** First and last day. */
  dates: ServingWindow
  /** Its ad groups. Expensive, so ask only for campaigns that serve. */
  adGroups(): readonly AdGroupPlan[]
  /** What one ad can expect of one query at a bid, placement by placement. */
  slotsOf(match: Match, bidMicros: number): PlacementSlot[]
}
