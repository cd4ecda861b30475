import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** Sums an account's targets by ad group for the days, both included, in the transaction that replaced them. */
export const rollUpAdGroups = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  range: { from: string; to: string },
): Promise<void> => {
  const own = sql`merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId} and date between ${range.from} and ${range.to}`
  await sql`delete from ad_group_day where ${own}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, impressions, clicks, cost_micros, sales_micros, orders, units)
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from target_day where ${own} group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}
