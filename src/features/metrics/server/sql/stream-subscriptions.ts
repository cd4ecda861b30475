import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

interface Owner {
  merchantId: number
  profileId: number
}

/** The marketplace's subscription ids of an account, by dataset. */
export const subscriptionsOf = async (tx: Db, owner: Owner): Promise<Record<string, string>> => {
  const { rows } = await sql<{ ids: Record<string, string> }>`select stream_subscriptions as ids from metrics_state
    where merchant_id = ${owner.merchantId} and profile_id = ${owner.profileId}`.execute(tx)
  return rows[0]?.ids ?? {}
}

/** Remembers a subscription; hourly figures begin with the first. */
export const setSubscription = async (
  tx: Db,
  owner: Owner,
  dataset: string,
  subscriptionId: string,
  at: Date,
): Promise<void> => {
  const ids = JSON.stringify({ [dataset]: subscriptionId })
  await sql`insert into metrics_state (merchant_id, profile_id, hourly_from, stream_subscriptions)
    values (${owner.merchantId}, ${owner.profileId}, ${at}, ${ids}::jsonb)
    on conflict (merchant_id, profile_id) do update set stream_subscriptions = metrics_state.stream_subscriptions || excluded.stream_subscriptions,
      hourly_from = coalesce(metrics_state.hourly_from, excluded.hourly_from)`.execute(tx)
}
