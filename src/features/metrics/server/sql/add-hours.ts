import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { FigureSums } from '#shared/metrics.ts'
import { columnNames, columnSums, metricColumns } from './metric-columns.ts'

/** A change of an hour's figures, day and hour in the account's time zone; corrections are negative. */
export interface HourDelta extends FigureSums {
  idempotencyId: string
  profileId: number
  campaignId: number
  date: string
  hour: number
  adType: AdType
  /** When the marketplace sent it. */
  sentAt: Date
}

/** Changes of a day that were sent within so many hours are kept together. */
const SENT_HOURS = 4
const sentBy = ({ sentAt }: HourDelta): Date => {
  const step = SENT_HOURS * 3_600_000
  return new Date(Math.ceil(sentAt.getTime() / step) * step)
}

/**
 * Adds deltas to the hours of their campaigns and accounts and to what was sent of their days, each once: those whose idempotency id was seen before are left out. In the
 * caller's transaction, so that a delta is either remembered and added or neither. Returns how many were new.
 */
export async function addHours(tx: Db, merchantId: number, deltas: readonly HourDelta[], at: Date): Promise<number> {
  const ids = [...new Set(deltas.map(delta => delta.idempotencyId))]
  const added = await sql<{ id: string }>`insert into stream_record (merchant_id, idempotency_id, received_at)
    select ${merchantId}::bigint, u.id, ${at}::timestamptz from unnest(${ids}::text[]) as u(id)
    on conflict do nothing returning idempotency_id as id`.execute(tx)
  const newIds = new Set(added.rows.map(row => row.id))
  const list = [...new Map(deltas.filter(d => newIds.has(d.idempotencyId)).map(d => [d.idempotencyId, d])).values()]
  if (!list.length) return 0
  const figures = sql.join(metricColumns.map(({ field }) => sql`${list.map(d => d[field])}::bigint[]`))
  const additions = sql.raw(
    metricColumns.map(({ column }) => `${column} = h.${column} + excluded.${column}`).join(', '),
  )
  const rows = sql`unnest(${list.map(d => d.profileId)}::bigint[], ${list.map(d => d.campaignId)}::bigint[],
      ${list.map(d => d.date)}::date[], ${list.map(d => d.hour)}::smallint[], ${figures})
      as u(profile_id, campaign_id, date, hour, ${columnNames})`
  await sql`insert into campaign_hour as h (merchant_id, profile_id, campaign_id, date, hour, ${columnNames})
    select ${merchantId}::bigint, min(profile_id), campaign_id, date, hour, ${columnSums}
    from ${rows} group by campaign_id, date, hour
    on conflict (merchant_id, date, campaign_id, hour) do update set ${additions}`.execute(tx)
  // In one order, so that two deliveries at once do not wait for each other's hours.
  await sql`insert into profile_hour as h (merchant_id, profile_id, date, hour, ${columnNames})
    select ${merchantId}::bigint, profile_id, date, hour, ${columnSums}
    from ${rows} group by profile_id, date, hour order by profile_id, date, hour
    on conflict (merchant_id, profile_id, date, hour) do update set ${additions}`.execute(tx)
  await sql`insert into day_delta as h (merchant_id, profile_id, ad_type, date, sent_at, ${columnNames})
    select ${merchantId}::bigint, profile_id, ad_type, date, sent_at, ${columnSums}
    from unnest(${list.map(d => d.profileId)}::bigint[], ${list.map(d => d.adType)}::text[],
      ${list.map(d => d.date)}::date[], ${list.map(sentBy)}::timestamptz[], ${figures})
      as u(profile_id, ad_type, date, sent_at, ${columnNames})
    group by profile_id, ad_type, date, sent_at order by profile_id, date, ad_type, sent_at
    on conflict (merchant_id, profile_id, date, ad_type, sent_at) do update set ${additions}`.execute(tx)
  return list.length
}
