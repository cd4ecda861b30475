import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

/** A change of an hour's figures, day and hour in the account's time zone; corrections are negative. */
export interface HourDelta {
  idempotencyId: string
  profileId: number
  campaignId: number
  date: string
  hour: number
  impressions: number
  clicks: number
  costMicros: number
  salesMicros: number
  orders: number
  units: number
}

/**
 * Adds deltas to the hours they belong to, each once: those whose idempotency id was seen before are left out. In the
 * caller's transaction, so that a delta is either remembered and added or neither. Returns how many were new.
 */
export const addHours = async (tx: Db, merchantId: number, deltas: readonly HourDelta[], at: Date): Promise<number> => {
  const { rows } = await sql<{ id: string }>`insert into stream_record (merchant_id, idempotency_id, received_at)
    select ${merchantId}::bigint, u.id, ${at}::timestamptz from unnest(${[...new Set(deltas.map(d => d.idempotencyId))]}::text[]) as u(id)
    on conflict do nothing returning idempotency_id as id`.execute(tx)
  const fresh = new Set(rows.map(row => row.id))
  const once = new Map(deltas.filter(d => fresh.has(d.idempotencyId)).map(d => [d.idempotencyId, d]))
  const list = [...once.values()]
  if (!list.length) return 0
  await sql`insert into campaign_hour (merchant_id, profile_id, campaign_id, date, hour, impressions, clicks, cost_micros, sales_micros, orders, units)
    select ${merchantId}::bigint, min(u.profile), u.campaign, u.date, u.hour, sum(u.impressions), sum(u.clicks), sum(u.cost), sum(u.sales), sum(u.orders), sum(u.units)
    from unnest(${list.map(d => d.profileId)}::bigint[], ${list.map(d => d.campaignId)}::bigint[], ${list.map(d => d.date)}::date[], ${list.map(d => d.hour)}::smallint[],
      ${list.map(d => d.impressions)}::int[], ${list.map(d => d.clicks)}::int[], ${list.map(d => d.costMicros)}::bigint[], ${list.map(d => d.salesMicros)}::bigint[],
      ${list.map(d => d.orders)}::int[], ${list.map(d => d.units)}::int[]) as u(profile, campaign, date, hour, impressions, clicks, cost, sales, orders, units)
    group by u.campaign, u.date, u.hour
    on conflict (merchant_id, date, campaign_id, hour) do update set impressions = campaign_hour.impressions + excluded.impressions,
      clicks = campaign_hour.clicks + excluded.clicks, cost_micros = campaign_hour.cost_micros + excluded.cost_micros,
      sales_micros = campaign_hour.sales_micros + excluded.sales_micros, orders = campaign_hour.orders + excluded.orders, units = campaign_hour.units + excluded.units`.execute(
    tx,
  )
  return list.length
}

/** Forgets ids of deliveries that are too old to be repeated, and hours older than their keeping. */
export const forgetOldRecords = async (system: Db, before: Date): Promise<void> => {
  await sql`delete from stream_record where received_at < ${before}`.execute(system)
}
