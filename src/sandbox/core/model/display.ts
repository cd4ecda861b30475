import type { AnyCampaign, EntityId, Expression, OfAdGroup } from './entity.ts'

// Sponsored Display as the store has it: words in upper case, days with dashes and ids as text.

/** Its budget is a day's; there is no other kind. */
export interface DisplayCampaign extends AnyCampaign {
  /** T00020: products and categories. T00030: audiences. */
  tactic: 'T00020' | 'T00030'
  costType: 'CPC' | 'VCPM'
}

export interface DisplayAdGroup extends OfAdGroup {
  name: string
  /** For a thousand viewable impressions where the campaign's cost type is VCPM, else for a click. */
  defaultBidMicros: number
  bidOptimization: 'REACH' | 'CLICKS' | 'CONVERSIONS'
  creativeType: 'IMAGE' | 'VIDEO' | null
}

export interface DisplayAd extends OfAdGroup {
  adId: EntityId
  asin: string
  /** Null for vendors. */
  sku: string | null
  adName: string | null
}

/** One condition, or a named audience with conditions inside: `views` of `similarProduct` within `lookback` 30. */
export interface DisplayExpression {
  type: string
  value?: string | Expression[]
}

export interface DisplayNegativeTarget extends OfAdGroup {
  targetId: EntityId
  /** Types as on the wire: asinSameAs, asinCategorySameAs, similarProduct, views, audience, purchases. */
  expression: DisplayExpression[]
  expressionType: 'MANUAL' | 'AUTO'
}
export interface DisplayTarget extends DisplayNegativeTarget {
  /** Null: the ad group's default bid holds. */
  bidMicros: number | null
}

export interface DisplayCollections {
  displayCampaigns: Map<EntityId, DisplayCampaign>
  displayAdGroups: Map<EntityId, DisplayAdGroup>
  displayAds: Map<EntityId, DisplayAd>
  displayTargets: Map<EntityId, DisplayTarget>
  displayNegativeTargets: Map<EntityId, DisplayNegativeTarget>
}
