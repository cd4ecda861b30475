import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

const mondayOf = (day: RawBuilder<unknown>) => sql`(${day} - (extract(isodow from ${day})::int - 1))`

/**
 * Sums an account's targets by week for every week that these days (both included) touch, in the transaction that
 * replaced them.
 */
export const rollUpWeeks = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  range: { from: string; to: string },
): Promise<void> => {
  const own = sql`merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}`
  const [first, last] = [mondayOf(sql`${range.from}::date`), mondayOf(sql`${range.to}::date`)]
  await sql`delete from target_week where ${own} and week between ${first} and ${last}`.execute(tx)
  await sql`insert into target_week (merchant_id, profile_id, target_id, week, impressions, clicks, cost_micros, sales_micros, orders, units)
    select merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}, sum(impressions), sum(clicks), sum(cost_micros), sum(sales_micros), sum(orders), sum(units)
    from target_day where ${own} and date between ${first} and ${last} + 6
    group by merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}`.execute(tx)
}
