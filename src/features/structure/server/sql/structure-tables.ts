import type { Generated } from 'kysely'

export type SyncState = 'SYNCED' | 'PENDING' | 'FAILED'

interface Mirrored {
  merchant_id: number
  id: Generated<number>
  profile_id: number
  amazon_id: string
  state: string
  serving_status: string | null
  sync_state: Generated<SyncState>
  sync_error: string | null
  base: string | null
  gone_at: Date | null
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

declare module '#server/db/tables.ts' {
  interface Tables {
    campaign: Mirrored & {
      ad_type: Generated<string>
      name: string
      targeting_type: string
      daily_budget_micros: number | null
      bidding_strategy: string | null
      bidding: string | null
      start_date: string | null
      end_date: string | null
      /** Percent; ours alone, so no import writes it. */
      target_acos: number | null
      portfolio_amazon_id: string | null
    }
    ad_group: Mirrored & { campaign_id: number; name: string; default_bid_micros: number | null }
    product_ad: Mirrored & { campaign_id: number; ad_group_id: number; asin: string | null; sku: string | null }
    target: Mirrored & {
      campaign_id: number
      ad_group_id: number
      kind: 'KEYWORD' | 'PRODUCT' | 'AUTO'
      text: string
      match_type: string | null
      expression: string | null
      bid_micros: number | null
    }
    negative: Mirrored & {
      campaign_id: number
      ad_group_id: number | null
      kind: 'KEYWORD' | 'PRODUCT'
      text: string
      match_type: string | null
      expression: string | null
    }
  }
}

export type MirrorTable = 'campaign' | 'ad_group' | 'product_ad' | 'target' | 'negative'
