import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** Raises the data version in the transaction that replaced a part of an account's daily figures. */
export const noteDailyPart = async (tx: Db, owner: { merchantId: number; profileId: number }): Promise<void> => {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version) values (${owner.merchantId}, ${owner.profileId}, 1)
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1`.execute(tx)
}

/**
 * Notes that all daily figures of these days are in, as they were at `asOf`; raises the data version. Call it in the
 * transaction of the pull's last part: before it, the age would be that of figures which are still to come.
 */
export const noteDaily = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  range: { from: string; to: string },
  asOf: Date,
): Promise<void> => {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf}, ${range.from}, ${range.to})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      daily_as_of = greatest(metrics_state.daily_as_of, excluded.daily_as_of),
      daily_from = least(metrics_state.daily_from, excluded.daily_from), daily_to = greatest(metrics_state.daily_to, excluded.daily_to)`.execute(
    tx,
  )
}

/** Notes that the seller's whole trade came in, as it was at `asOf`. */
export const noteTrade = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  asOf: Date,
): Promise<void> => {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, trade_as_of) values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      trade_as_of = greatest(metrics_state.trade_as_of, excluded.trade_as_of)`.execute(tx)
}

/** Notes that hourly figures came in, of which all until `asOf` are counted; the first time they began. */
export const noteHourly = async (
  tx: Db,
  owner: { merchantId: number; profileId: number },
  asOf: Date,
): Promise<void> => {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, hourly_from, hourly_as_of)
    values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf}, ${asOf})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      hourly_from = coalesce(metrics_state.hourly_from, excluded.hourly_from),
      hourly_as_of = greatest(metrics_state.hourly_as_of, excluded.hourly_as_of)`.execute(tx)
}
