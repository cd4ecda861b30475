import { marketplaceByKey, type RegionKey } from '#shared/marketplaces.ts'
import type { BrandCollections } from './brands.ts'
import type { DisplayCollections } from './display.ts'
import type { BidRule, BudgetRule, RoasRule } from './rules.ts'
import type {
  AnyCampaign,
  Dated,
  EntityId,
  EntityState,
  Expression,
  KeywordWords,
  Negative,
  NegativeKeywordWords,
  OfAdGroup,
  TargetWords,
} from './entity.ts'

export type { EntityId, EntityState, Expression }

/** A person who signs in at the consent pages and may grant access to the sellers' accounts they belong to. */
export interface Login {
  email: string
  name: string
  sellerIds: string[]
}

export interface Seller {
  /** The Selling Partner id, also `accountInfo.id` of its advertising profiles. */
  sellerId: string
  name: string
  region: RegionKey
  type: 'seller' | 'vendor'
  /** Selling Partner marketplace ids it participates in. */
  marketplaceIds: string[]
  /** Set for an advertising account that is only for testing. Nothing of it is ever shown to shoppers. */
  test?: TestAccount
}

export interface TestAccount {
  /** The person who requested it, and the application they used. */
  email: string
  clientId: string
  requestId: string
  accountType: 'VENDOR' | 'AUTHOR'
  /** Epoch milliseconds from which on it can be used. */
  opensAt: number
  fate: 'normal' | 'stuck' | 'failed'
}

/** An advertising account: one seller in one country. Only its region's host serves it. */
export interface Profile {
  profileId: number
  sellerId: string
  region: RegionKey
  marketplaceId: string
  countryCode: string
  currency: string
  timezone: string
  dailyBudgetMicros: number | null
  validPaymentMethod: boolean
  /** Unspent budget of a day raises another's by a quarter at most, not twofold. */
  optedOutOfBudgetIncrease?: boolean
}

/** A profile of a seller in a country; the id is 16 digits, which a number still holds. */
export function profileFor({ sellerId, region }: Seller, country: string, profileId: number): Profile {
  const marketplace = marketplaceByKey(country)
  if (!marketplace) throw new Error(`no marketplace ${country}`)
  const { amazonId: marketplaceId, key: countryCode, currency, timezone } = marketplace
  return {
    profileId,
    sellerId,
    region,
    marketplaceId,
    countryCode,
    currency,
    timezone,
    dailyBudgetMicros: null,
    validPaymentMethod: true,
  }
}

/** What the seller lists, as the marketplace shows it. What shoppers truly think of it is the market's secret. */
export interface Product {
  sellerId: string
  marketplaceId: string
  asin: string
  sku: string
  fnsku: string
  title: string
  brand: string
  categoryId: string
  categoryName: string
  priceMicros: number
  imageUrl: string
  condition: string
  bestSellerRank: number | null
  fulfillable: number
  reserved: number
  unfulfillable: number
  inboundWorking: number
  inboundShipped: number
  inboundReceiving: number
  eligibility: 'ELIGIBLE' | 'INELIGIBLE' | 'ELIGIBLE_WITH_WARNING'
  /** The reason shown when not plainly eligible, else null. */
  eligibilityMessage: string | null
}

export type BiddingStrategy = 'LEGACY_FOR_SALES' | 'AUTO_FOR_SALES' | 'MANUAL' | 'RULE_BASED'
/** The ledger holds their positions, so the order never changes. */
export const placements = [
  'PLACEMENT_TOP',
  'PLACEMENT_PRODUCT_PAGE',
  'PLACEMENT_REST_OF_SEARCH',
  'SITE_AMAZON_BUSINESS',
] as const
export type Placement = (typeof placements)[number]

export interface Campaign extends AnyCampaign {
  targetingType: 'AUTO' | 'MANUAL'
  strategy: BiddingStrategy
  placements: { placement: Placement; percentage: number }[]
  tags: Record<string, string>
}

export interface AdGroup extends OfAdGroup {
  name: string
  defaultBidMicros: number
}

export interface ProductAd extends OfAdGroup {
  adId: EntityId
  asin: string
  sku: string | null
}

export interface Keyword extends OfAdGroup, KeywordWords {
  /** Null: the ad group's default bid holds. */
  bidMicros: number | null
}

export interface Target extends OfAdGroup, TargetWords {
  expressionType: 'AUTO' | 'MANUAL'
  bidMicros: number | null
}

export interface NegativeKeyword extends Negative, NegativeKeywordWords {}
export interface NegativeTarget extends Negative, TargetWords {}

/** A group of campaigns of all kinds, with its own cap. */
export interface Portfolio extends Dated {
  portfolioId: EntityId
  profileId: number
  name: string
  state: 'ENABLED' | 'ARCHIVED'
  /** NO_CAP has neither amount nor days; MONTHLY_RECURRING no start. Days are yyyy-MM-dd in the profile's time zone. */
  policy: 'NO_CAP' | 'DATE_RANGE' | 'MONTHLY_RECURRING'
  amountMicros: number | null
  startDate: string | null
  endDate: string | null
}

/**
 * Something that happens among shoppers and rivals for a time: a holiday, a rival who leaves, reviews that keep people from
 * buying, a coupon. Its factors multiply what the market would do without it.
 */
export interface MarketEvent {
  eventId: EntityId
  /** Null: all accounts, or all categories. */
  profileId: number | null
  categoryId: string | null
  /** Epoch milliseconds, on whole hours; `to` is excluded. */
  from: number
  to: number
  /** Shoppers who search. */
  demand: number
  /** What rivals bid. */
  rivals: number
  /** Orders per visit. */
  conversion: number
  /** Only for this product. Its demand and its rivals are those of its category, so events of a product change neither. */
  asin?: string
  /** What buyers pay for products. */
  price?: number
  /** Products can neither be bought nor advertised. */
  isClosed?: boolean
}

/** Everything the marketplace holds. Plain data, so that it can be written to disk and read back. */
export interface Store extends BrandCollections, DisplayCollections {
  logins: Login[]
  sellers: Map<string, Seller>
  profiles: Map<number, Profile>
  /** By `${sellerId}|${marketplaceId}|${sku}`. */
  products: Map<string, Product>
  campaigns: Map<EntityId, Campaign>
  adGroups: Map<EntityId, AdGroup>
  productAds: Map<EntityId, ProductAd>
  keywords: Map<EntityId, Keyword>
  targets: Map<EntityId, Target>
  negativeKeywords: Map<EntityId, NegativeKeyword>
  negativeTargets: Map<EntityId, NegativeTarget>
  portfolios: Map<EntityId, Portfolio>
  budgetRules: Map<EntityId, BudgetRule>
  bidRules: Map<EntityId, BidRule>
  roasRules: Map<EntityId, RoasRule>
  marketEvents: Map<EntityId, MarketEvent>
}

/** How far the making of an account for testing has come. */
export function testAccountStatus({ fate, opensAt }: TestAccount, now: Date): 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' {
  if (fate === 'stuck' || now.getTime() < opensAt) return 'IN_PROGRESS'
  return fate === 'failed' ? 'FAILED' : 'COMPLETED'
}

/** The sellers a person acts for: those of the login, and the accounts for testing that were made for it. */
export function sellerIdsOf(store: Store, email: string, now: Date): string[] {
  const own = store.logins.find(login => login.email === email)?.sellerIds ?? []
  const tests = [...store.sellers.values()].filter(
    ({ test }) => test?.email === email && testAccountStatus(test, now) === 'COMPLETED',
  )
  return tests.length === 0 ? own : [...own, ...tests.map(({ sellerId }) => sellerId)]
}
