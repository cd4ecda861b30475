import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'

/** What is noted of an account's figures, and how it goes together with what was noted before. */
const merges = {
  daily_as_of: 'greatest',
  daily_from: 'least',
  daily_to: 'greatest',
  trade_as_of: 'greatest',
  hourly_from: 'least',
  hourly_as_of: 'greatest',
} as const

async function note(tx: Db, owner: Owner, values: Partial<Record<keyof typeof merges, Date | string>>): Promise<void> {
  const columns = Object.keys(values) as (keyof typeof merges)[]
  const names = sql.raw(['merchant_id, profile_id, data_version', ...columns].join(', '))
  const row = sql.join([owner.merchantId, owner.profileId, 1, ...columns.map(column => values[column])])
  const updates = columns.map(column => `, ${column} = ${merges[column]}(metrics_state.${column}, excluded.${column})`)
  await sql`insert into metrics_state (${names}) values (${row}) on conflict (merchant_id, profile_id)
    do update set data_version = metrics_state.data_version + 1${sql.raw(updates.join(''))}`.execute(tx)
}

/** Raises the data version in the transaction that replaced a part of an account's daily figures. */
export const noteDailyPart = (tx: Db, owner: Owner): Promise<void> => note(tx, owner, {})

/**
 * Notes that all daily figures of these days are in, as they were at `asOf`; raises the data version. Call it in the
 * transaction of the pull's last part: before it, the age would be that of figures which are still to come.
 */
export const noteDaily = (
  tx: Db,
  owner: Owner,
  { from, to }: { from: string; to: string },
  asOf: Date,
): Promise<void> => note(tx, owner, { daily_as_of: asOf, daily_from: from, daily_to: to })

/** Notes that the seller's total sales were imported, as they were at `asOf`. */
export const noteTrade = (tx: Db, owner: Owner, asOf: Date): Promise<void> => note(tx, owner, { trade_as_of: asOf })

/**
 * Notes that all hourly figures until `asOf` are counted, and from when on there are any: since the subscription, or since
 * the first hour that came if that is earlier, as for an account that was subscribed before.
 */
export const noteHourly = (tx: Db, owner: Owner, asOf: Date, firstHour: Date | null): Promise<void> =>
  note(tx, owner, { hourly_from: firstHour ?? asOf, hourly_as_of: asOf })

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
