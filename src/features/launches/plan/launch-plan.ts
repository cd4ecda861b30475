import type { ChosenBid, Strategy, SuggestedBids } from '#features/recommendations/contract.ts'
import type { Micros } from '#shared/money.ts'
import type { CreatePayload } from '../launch-schema.ts'
import type { LaunchMarket } from '../problems.ts'
import type { AutoGroup, GroupMatch, KeywordMatch, Phase, TargetMatch } from '../templates.ts'

const named = 3

/** The first few by name and the rest by number: “a”, “b”, “c” and 97 more. Each once. */
export function nameAFew(names: readonly string[]): string {
  const all = [...new Set(names)].map(name => `“${name}”`)
  const rest = all.length - named
  if (rest > 0) return `${all.slice(0, named).join(', ')} and ${rest} more`
  return all.length > 1 ? `${all.slice(0, -1).join(', ')} and ${all.at(-1)}` : (all[0] ?? '')
}

/** What the marketplace allows to one advertising account. */
export type PlanMarket = Required<LaunchMarket>

/** The facts about an advertised product; unknown figures are null and never guessed. */
export interface PlanProduct {
  asin: string
  sku: string
  title: string | null
  brand: string | null
  /** Its category's name, as the catalogue has it. */
  category: string | null
  /** Mean value of its orders from ads. */
  orderValueMicros: Micros | null
  /** Orders to clicks of its ads, as a share. */
  conversionRate: number | null
}

/** What the marketplace recommended, best first. Lists are empty where it was not called or had nothing. */
export interface LaunchAdvice {
  keywords: { text: string; matchType: KeywordMatch; suggested: SuggestedBids | null }[]
  auto: { group: AutoGroup; suggested: SuggestedBids }[]
  /** `path` as the marketplace writes it: `Sports & Outdoors > Accessories > Water Bottles`. */
  categories: { id: string; name: string; path: string | null; suggested: SuggestedBids | null }[]
  /** `isOwn` marks products that the seller lists as well. */
  products: { asin: string; isOwn: boolean; suggested: SuggestedBids | null }[]
  /** Null where brand terms are not kept apart. */
  brands: BrandAdvice | null
}

/** Whose brands are which. */
export interface BrandAdvice {
  /** Of all that the seller lists. */
  own: string[]
  /** The others that the marketplace names in the products' categories. */
  competitors: string[]
  /** ASINs of products whose category, or its brands, are not known. */
  unknownFor: string[]
}

/** What a bid is chosen from: the user's own, null for a recommended term or target, and what the marketplace suggests. */
export interface WantedBid {
  ownBidMicros: Micros | null
  suggested: SuggestedBids | null
}
export interface PlannedTarget {
  match: TargetMatch
  /** A category's id or a product's ASIN. */
  value: string
  name: string | null
  bid: ChosenBid
}
export interface PlannedAdGroup {
  /** Unique within the launch; also the place in which items of the launch hang. */
  key: string
  phase: Phase
  match: GroupMatch
  name: string
  /** What its bids follow: the payload's, or GROWTH where the group competes by high bids. */
  strategy: Strategy
  defaultBid: ChosenBid
  products: { asin: string; sku: string }[]
  keywords: { text: string; matchType: KeywordMatch; bid: ChosenBid }[]
  /** The four groups of automatic targeting: they appear by themselves and get their bid by an update. */
  autoTargets: { group: AutoGroup; bid: ChosenBid }[]
  targets: PlannedTarget[]
  /** All of them exact: what later phases and brand campaigns buy, then the user's own. */
  negativeKeywords: string[]
  /** What brand campaigns buy as phrases, then the user's own negative phrases. */
  negativePhrases: string[]
}
export interface PlannedCampaign {
  key: string
  phase: Phase
  name: string
  targetingType: 'AUTO' | 'MANUAL'
  dailyBudgetMicros: Micros
  biddingStrategy: 'SALES_DOWN_ONLY' | 'SALES_UP_AND_DOWN'
  /** Percent on top of a bid for the top of search; 0 for none. */
  topOfSearchPercent: number
  adGroups: PlannedAdGroup[]
}

/** All that a launch will make: a tree, and sentences on what differs from what one might expect. */
export interface LaunchPlan {
  currency: string
  campaigns: PlannedCampaign[]
  warnings: string[]
}

/** What a plan is made from. */
export interface PlanInput {
  payload: CreatePayload
  market: PlanMarket
  products: readonly PlanProduct[]
  advice: LaunchAdvice
}
