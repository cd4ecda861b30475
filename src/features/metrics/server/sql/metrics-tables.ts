import type { Generated } from 'kysely'

interface FactColumns {
  merchant_id: number
  profile_id: number
  impressions: number
  clicks: number
  cost_micros: number
  sales_micros: number
  orders: number
  units: number
}

declare module '#server/db/tables.ts' {
  interface Tables {
    campaign_day: FactColumns & { campaign_id: number; date: string }
    target_day: FactColumns & { campaign_id: number; ad_group_id: number; target_id: number; date: string }
    target_week: FactColumns & { target_id: number; week: string }
    search_term_day: FactColumns & {
      campaign_id: number
      ad_group_id: number
      target_id: number
      search_term: string
      date: string
    }
    ad_day: FactColumns & { campaign_id: number; ad_group_id: number; ad_id: number; asin: string | null; date: string }
    campaign_hour: FactColumns & { campaign_id: number; date: string; hour: number }
    trade_day: {
      merchant_id: number
      marketplace_id: number
      date: string
      units: number
      orders: number
      sales_micros: number
      sessions: number
      page_views: number
    }
    product_trade_day: {
      merchant_id: number
      marketplace_id: number
      date: string
      asin: string
      units: number
      sales_micros: number
      sessions: number
      page_views: number
    }
    stream_record: { merchant_id: number; idempotency_id: string; received_at: Date }
    report_request: {
      merchant_id: number
      id: Generated<number>
      profile_id: number
      kind: string
      start_date: string
      end_date: string
      amazon_report_id: string | null
      requested_at: Date
      applied_at: Date | null
      failure: string | null
    }
    metrics_state: {
      merchant_id: number
      profile_id: number
      data_version: Generated<number>
      daily_as_of: Date | null
      daily_from: string | null
      daily_to: string | null
      trade_as_of: Date | null
      hourly_from: Date | null
      hourly_as_of: Date | null
      stream_subscriptions: Generated<Record<string, string>>
    }
  }
}

export type DailyTable = 'campaign_day' | 'target_day' | 'search_term_day' | 'ad_day'
