import type { Dated, EntityId, EntityState, Expression } from './entity.ts'

// Sponsored Brands as the books hold it: words in upper case and ids as text, whatever each call writes on the wire.

export type BrandPlacement = 'HOME' | 'DETAIL_PAGE' | 'OTHER' | 'TOP_OF_SEARCH'
export type BrandGoal = 'PAGE_VISIT' | 'BRAND_IMPRESSION_SHARE'

export interface BrandCampaign extends Dated {
  campaignId: EntityId
  profileId: number
  name: string
  state: EntityState
  budgetMicros: number
  budgetType: 'DAILY' | 'LIFETIME'
  costType: 'CPC' | 'VCPM'
  goal: BrandGoal
  /** Null only for vendors: a seller advertises one brand. */
  brandEntityId: string | null
  /** The marketplace bids below top of search by itself; then no placement is adjusted by hand. */
  bidOptimization: boolean
  placements: { placement: BrandPlacement; percentage: number }[]
  productLocation: string | null
  /** yyyy-MM-dd in the profile's time zone. */
  startDate: string
  endDate: string | null
  portfolioId: EntityId | null
  tags: Record<string, string>
}

export interface BrandAdGroup extends Dated {
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  name: string
  state: EntityState
}

export type BrandAdFormat = 'PRODUCT_COLLECTION' | 'STORE_SPOTLIGHT' | 'VIDEO' | 'BRAND_VIDEO'

export interface BrandAd extends Dated {
  adId: EntityId
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  name: string
  state: EntityState
  format: BrandAdFormat
  /** The products it shows. */
  asins: string[]
  landingPage: { pageType: string; url: string; asins: string[] }
  /** Headline, logo, pictures, subpages, as they were sent and checked. */
  creative: Record<string, unknown>
}

export interface BrandKeyword extends Dated {
  keywordId: EntityId
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  keywordText: string
  matchType: 'BROAD' | 'PHRASE' | 'EXACT'
  state: EntityState
  bidMicros: number
}

export interface BrandNegativeKeyword extends Dated {
  keywordId: EntityId
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  keywordText: string
  matchType: 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE'
  state: EntityState
}

export interface BrandTarget extends Dated {
  targetId: EntityId
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  /** Types in upper case as with Sponsored Products: ASIN_SAME_AS, ASIN_CATEGORY_SAME_AS, ... */
  expression: Expression[]
  state: EntityState
  bidMicros: number
}

export interface BrandNegativeTarget extends Dated {
  targetId: EntityId
  adGroupId: EntityId
  campaignId: EntityId
  profileId: number
  expression: Expression[]
  state: EntityState
}

export interface BrandBooks {
  brandCampaigns: Map<EntityId, BrandCampaign>
  brandAdGroups: Map<EntityId, BrandAdGroup>
  brandAds: Map<EntityId, BrandAd>
  brandKeywords: Map<EntityId, BrandKeyword>
  brandNegativeKeywords: Map<EntityId, BrandNegativeKeyword>
  brandTargets: Map<EntityId, BrandTarget>
  brandNegativeTargets: Map<EntityId, BrandNegativeTarget>
}
