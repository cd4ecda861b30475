import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { columnNames, columnSums } from './metric-columns.ts'

interface Owner {
  merchantId: number
  profileId: number
}

const ownedBy = ({ merchantId, profileId }: Owner) => sql`merchant_id = ${merchantId} and profile_id = ${profileId}`
const mondayOf = (day: RawBuilder<unknown>) => sql`(${day} - (extract(isodow from ${day})::int - 1))`

/** Sums an account's targets by ad group for the days, both included, in the transaction that replaced them. */
export async function rollUpAdGroups(tx: Db, owner: Owner, { from, to }: { from: string; to: string }): Promise<void> {
  const days = sql`${ownedBy(owner)} and date between ${from} and ${to}`
  await sql`delete from ad_group_day where ${days}`.execute(tx)
  await sql`insert into ad_group_day (merchant_id, profile_id, campaign_id, ad_group_id, date, ${columnNames})
    select merchant_id, profile_id, min(campaign_id), ad_group_id, date, ${columnSums}
    from target_day where ${days} group by merchant_id, profile_id, ad_group_id, date`.execute(tx)
}

/**
 * Sums an account's targets by week for every week that these days (both included) touch, in the transaction that
 * replaced them.
 */
export async function rollUpWeeks(tx: Db, owner: Owner, { from, to }: { from: string; to: string }): Promise<void> {
  const [first, last] = [mondayOf(sql`${from}::date`), mondayOf(sql`${to}::date`)]
  await sql`delete from target_week where ${ownedBy(owner)} and week between ${first} and ${last}`.execute(tx)
  await sql`insert into target_week (merchant_id, profile_id, target_id, week, ${columnNames})
    select merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}, ${columnSums}
    from target_day where ${ownedBy(owner)} and date between ${first} and ${last} + 6
    group by merchant_id, profile_id, target_id, ${mondayOf(sql`date`)}`.execute(tx)
}
