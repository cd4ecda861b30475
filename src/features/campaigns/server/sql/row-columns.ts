import { sql } from 'kysely'

export interface MirroredColumns {
  id: number
  amazonId: string
  state: string
  servingStatus: string | null
  syncState: 'SYNCED' | 'PENDING' | 'FAILED'
  syncError: string | null
  version: number
}
export interface CampaignColumns extends MirroredColumns {
  name: string
  adType: string
  targetingType: string
  budgetMicros: number | null
  biddingStrategy: string | null
  bidding: { placements?: { placement: string; percentage: number }[] } | null
  startDate: string | null
  endDate: string | null
  targetAcos: number | null
}
export interface AdGroupColumns extends MirroredColumns {
  name: string
  campaignId: number
  campaignName: string
  defaultBidMicros: number | null
}
export interface AdColumns extends MirroredColumns {
  campaignId: number
  adGroupId: number
  asin: string | null
  sku: string | null
}
export interface TargetColumns extends MirroredColumns {
  campaignId: number
  adGroupId: number
  kind: 'KEYWORD' | 'PRODUCT' | 'AUTO'
  text: string
  matchType: string | null
  bidMicros: number | null
}
export interface NegativeColumns extends MirroredColumns {
  campaignId: number
  adGroupId: number | null
  kind: 'KEYWORD' | 'PRODUCT'
  text: string
  matchType: string | null
}

const mirrored = sql`t.id, t.amazon_id as "amazonId", t.state, t.serving_status as "servingStatus", t.sync_state as "syncState",
  t.sync_error as "syncError", t.version`

/** What is read of a row of a mirrored table, aliased `t`. */
export const rowColumns = {
  campaign: sql<CampaignColumns>`${mirrored}, t.name, t.ad_type as "adType", t.targeting_type as "targetingType", t.daily_budget_micros as "budgetMicros",
    t.bidding_strategy as "biddingStrategy", t.bidding, t.start_date as "startDate", t.end_date as "endDate", t.target_acos as "targetAcos"`,
  adGroup: sql<AdGroupColumns>`${mirrored}, t.name, t.campaign_id as "campaignId", t.default_bid_micros as "defaultBidMicros",
    (select c.name from campaign c where c.merchant_id = t.merchant_id and c.id = t.campaign_id) as "campaignName"`,
  ad: sql<AdColumns>`${mirrored}, t.campaign_id as "campaignId", t.ad_group_id as "adGroupId", t.asin, t.sku`,
  target: sql<TargetColumns>`${mirrored}, t.campaign_id as "campaignId", t.ad_group_id as "adGroupId", t.kind, t.text, t.match_type as "matchType",
    t.bid_micros as "bidMicros"`,
  negative: sql<NegativeColumns>`${mirrored}, t.campaign_id as "campaignId", t.ad_group_id as "adGroupId", t.kind, t.text, t.match_type as "matchType"`,
}
