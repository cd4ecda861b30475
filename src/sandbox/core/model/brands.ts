import type { AnyCampaign, EntityId, KeywordWords, NegativeKeywordWords, OfAdGroup, TargetWords } from './entity.ts'

// Sponsored Brands as the store has it: words in upper case and ids as text, whatever a call writes.

export type BrandPlacement = 'HOME' | 'DETAIL_PAGE' | 'OTHER' | 'TOP_OF_SEARCH'

export interface BrandCampaign extends AnyCampaign {
  budgetType: 'DAILY' | 'LIFETIME'
  costType: 'CPC' | 'VCPM'
  goal: 'PAGE_VISIT' | 'BRAND_IMPRESSION_SHARE'
  /** Null only for vendors: a seller advertises one brand. */
  brandEntityId: string | null
  /** The marketplace bids below top of search by itself; then no placement is adjusted by hand. */
  bidOptimization: boolean
  /** What it bids for; absent: sales at once. */
  bidOptimizationStrategy?: 'MAXIMIZE_IMMEDIATE_SALES' | 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS'
  placements: { placement: BrandPlacement; percentage: number }[]
  productLocation: string | null
  tags: Record<string, string>
}

export interface BrandAdGroup extends OfAdGroup {
  name: string
}

export type BrandAdFormat = 'PRODUCT_COLLECTION' | 'STORE_SPOTLIGHT' | 'VIDEO' | 'BRAND_VIDEO'

export interface BrandAd extends OfAdGroup {
  adId: EntityId
  name: string
  format: BrandAdFormat
  /** The products it shows. */
  asins: string[]
  landingPage: { pageType: string; url: string; asins: string[] }
  /** Headline, logo, pictures, subpages, as they were sent and checked. */
  creative: Record<string, unknown>
}

export interface BrandKeyword extends OfAdGroup, KeywordWords {
  bidMicros: number
}
export interface BrandNegativeKeyword extends OfAdGroup, NegativeKeywordWords {}

/** Types in upper case as with Sponsored Products: ASIN_SAME_AS, ASIN_CATEGORY_SAME_AS, ... */
export interface BrandTarget extends OfAdGroup, TargetWords {
  bidMicros: number
}
export interface BrandNegativeTarget extends OfAdGroup, TargetWords {}

export interface BrandCollections {
  brandCampaigns: Map<EntityId, BrandCampaign>
  brandAdGroups: Map<EntityId, BrandAdGroup>
  brandAds: Map<EntityId, BrandAd>
  brandKeywords: Map<EntityId, BrandKeyword>
  brandNegativeKeywords: Map<EntityId, BrandNegativeKeyword>
  brandTargets: Map<EntityId, BrandTarget>
  brandNegativeTargets: Map<EntityId, BrandNegativeTarget>
}
