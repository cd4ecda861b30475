import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

interface Owner {
  merchantId: number
  profileId: number
}

/** Raises the data version in the transaction that replaced a part of an account's daily figures. */
export async function noteDailyPart(tx: Db, owner: Owner): Promise<void> {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version) values (${owner.merchantId}, ${owner.profileId}, 1)
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1`.execute(tx)
}

/**
 * Notes that all daily figures of these days are in, as they were at `asOf`; raises the data version. Call it in the
 * transaction of the pull's last part: before it, the age would be that of figures which are still to come.
 */
export async function noteDaily(tx: Db, owner: Owner, range: { from: string; to: string }, asOf: Date): Promise<void> {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf}, ${range.from}, ${range.to})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      daily_as_of = greatest(metrics_state.daily_as_of, excluded.daily_as_of),
      daily_from = least(metrics_state.daily_from, excluded.daily_from), daily_to = greatest(metrics_state.daily_to, excluded.daily_to)`.execute(
    tx,
  )
}

/** Notes that the seller's total sales were imported, as they were at `asOf`. */
export async function noteTrade(tx: Db, owner: Owner, asOf: Date): Promise<void> {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, trade_as_of) values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      trade_as_of = greatest(metrics_state.trade_as_of, excluded.trade_as_of)`.execute(tx)
}

/** Notes that all hourly figures until `asOf` are counted. The first call also notes when they began. */
export async function noteHourly(tx: Db, owner: Owner, asOf: Date): Promise<void> {
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, hourly_from, hourly_as_of)
    values (${owner.merchantId}, ${owner.profileId}, 1, ${asOf}, ${asOf})
    on conflict (merchant_id, profile_id) do update set data_version = metrics_state.data_version + 1,
      hourly_from = coalesce(metrics_state.hourly_from, excluded.hourly_from),
      hourly_as_of = greatest(metrics_state.hourly_as_of, excluded.hourly_as_of)`.execute(tx)
}

/** The marketplace's subscription ids of an account, by dataset. */
export async function subscriptionsOf(tx: Db, owner: Owner): Promise<Record<string, string>> {
  const { rows } = await sql<{ ids: Record<string, string> }>`select stream_subscriptions as ids from metrics_state
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}`.execute(tx)
  return rows[0]?.ids ?? {}
}

/** Saves a subscription; hourly figures begin with the first one. */
export async function setSubscription(
  tx: Db,
  owner: Owner,
  dataset: string,
  subscriptionId: string,
  at: Date,
): Promise<void> {
  const ids = JSON.stringify({ [dataset]: subscriptionId })
  await sql`insert into metrics_state (merchant_id, profile_id, hourly_from, stream_subscriptions)
    values (${owner.merchantId}, ${owner.profileId}, ${at}, ${ids}::jsonb)
    on conflict (merchant_id, profile_id) do update set stream_subscriptions = metrics_state.stream_subscriptions || excluded.stream_subscriptions,
      hourly_from = coalesce(metrics_state.hourly_from, excluded.hourly_from)`.execute(tx)
}
