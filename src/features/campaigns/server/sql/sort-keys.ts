import { type RawBuilder, sql } from 'kysely'
import { metricSortKey } from '#features/metrics/server/public.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import type { RowColumn } from '../../list-queries.ts'

const rowKeys: Record<Exclude<RowColumn, MetricName>, RawBuilder<unknown>> = {
  id: sql`t.id`,
  amazonId: sql`t.amazon_id`,
  state: sql`t.state`,
  servingStatus: sql`t.serving_status`,
  syncState: sql`t.sync_state`,
  name: sql`lower(t.name)`,
  adType: sql`t.ad_type`,
  targetingType: sql`t.targeting_type`,
  budget: sql`t.daily_budget_micros`,
  biddingStrategy: sql`t.bidding_strategy`,
  startDate: sql`t.start_date`,
  endDate: sql`t.end_date`,
  campaignName: sql`(select lower(c.name) from campaign c where c.merchant_id = t.merchant_id and c.id = t.campaign_id)`,
  defaultBid: sql`t.default_bid_micros`,
  asin: sql`t.asin`,
  sku: sql`t.sku`,
  text: sql`lower(t.text)`,
  matchType: sql`t.match_type`,
  kind: sql`t.kind`,
  bid: sql`t.bid_micros`,
}

/** What rows `t` with figures `f` are ordered by; the table must have the column. */
export const sortKey = (column: RowColumn): RawBuilder<unknown> =>
  column in metrics ? metricSortKey(column as MetricName) : rowKeys[column as Exclude<RowColumn, MetricName>]
