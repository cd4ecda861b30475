import { type RawBuilder, sql } from 'kysely'
import type { FigureColumn, RowColumn } from '../../list-queries.ts'

// On the figures `f` of a row, which has none where nothing happened. Sorting by percent or by share is the same order.
const figureKeys: Record<FigureColumn, RawBuilder<unknown>> = {
  impressions: sql`coalesce(f.impressions, 0)`,
  clicks: sql`coalesce(f.clicks, 0)`,
  cost: sql`coalesce(f.cost, 0)`,
  sales: sql`coalesce(f.sales, 0)`,
  orders: sql`coalesce(f.orders, 0)`,
  units: sql`coalesce(f.units, 0)`,
  ctr: sql`f.clicks / nullif(f.impressions, 0)`,
  cpc: sql`f.cost / nullif(f.clicks, 0)`,
  cvr: sql`f.orders / nullif(f.clicks, 0)`,
  // Money without sales is worse than any ACOS.
  acos: sql`case when f.sales > 0 then f.cost / f.sales when f.cost > 0 then 'Infinity'::float8 end`,
  roas: sql`f.sales / nullif(f.cost, 0)`,
}

const rowKeys: Record<Exclude<RowColumn, FigureColumn>, RawBuilder<unknown>> = {
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
  column in figureKeys ? figureKeys[column as FigureColumn] : rowKeys[column as Exclude<RowColumn, FigureColumn>]
