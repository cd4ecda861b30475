import { type RawBuilder, sql } from 'kysely'

/** A row of a daily table: its day, its keys and its metrics by column. */
export type DailyRow = Record<string, string | number | null> & { date: string }

/** Rows as the subquery from which days are replaced. */
export const dailyRows = (rows: readonly DailyRow[]): RawBuilder<unknown> =>
  sql`(select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(date date, campaign_id bigint, ad_group_id bigint,
    target_id bigint, ad_id bigint, asin text, search_term text, impressions bigint, clicks bigint, cost_micros bigint,
    sales_micros bigint, orders bigint, units bigint))`
