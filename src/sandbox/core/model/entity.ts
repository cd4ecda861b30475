/** Ids of the marketplace are digits too long for a number; on the wire some calls write them as integers. */
export type EntityId = string
export type EntityState = 'ENABLED' | 'PAUSED' | 'PROPOSED' | 'ARCHIVED'

export interface Dated {
  /** Epoch milliseconds of the world's clock. */
  createdAt: number
  updatedAt: number
}

export interface Expression {
  type: string
  value?: string
}

export interface OfCampaign extends Dated {
  campaignId: EntityId
  profileId: number
  state: EntityState
}
export interface AnyCampaign extends OfCampaign {
  name: string
  budgetMicros: number
  /** yyyy-MM-dd in the profile's time zone. */
  startDate: string
  endDate: string | null
  portfolioId: EntityId | null
}
export interface OfAdGroup extends OfCampaign {
  adGroupId: EntityId
}
export interface Negative extends OfCampaign {
  /** Null: on the whole campaign. */
  adGroupId: EntityId | null
}

/** A keyword as its advertiser wrote it, before it was translated for shoppers. */
export interface NativeLanguage {
  nativeLanguageKeyword?: string
  nativeLanguageLocale?: string
}

export interface KeywordWords extends NativeLanguage {
  keywordId: EntityId
  keywordText: string
  matchType: 'BROAD' | 'PHRASE' | 'EXACT'
}
export interface NegativeKeywordWords extends NativeLanguage {
  keywordId: EntityId
  keywordText: string
  matchType: 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE'
}
export interface TargetWords {
  targetId: EntityId
  expression: Expression[]
}
