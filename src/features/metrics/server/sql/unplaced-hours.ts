import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import type { AttributedSums, TrafficSums } from '#shared/metrics.ts'
import { attributedColumns, trafficColumns } from './metric-columns.ts'

/** A change of an hour's figures as the stream reported it, for a campaign by the marketplace's id. */
export interface StreamDelta extends TrafficSums {
  idempotencyId: string
  adType: AdType
  sentAt: Date
  campaignAmazonId: string
  advertiserId: string
  /** The marketplace by the vendor's code. */
  marketplaceCode: string
  /** The beginning of the hour. */
  hour: Date
  /** Orders attributed within 7 days, as sellers see them, and within 14, as vendors do. */
  seller: AttributedSums
  vendor: AttributedSums
}

const audiences = ['seller', 'vendor'] as const

function toRow(delta: StreamDelta, at: Date) {
  return {
    idempotency_id: delta.idempotencyId,
    campaign_amazon_id: delta.campaignAmazonId,
    advertiser_id: delta.advertiserId,
    marketplace_code: delta.marketplaceCode,
    hour: delta.hour,
    ad_type: delta.adType,
    sent_at: delta.sentAt,
    received_at: at,
    ...Object.fromEntries(trafficColumns.map(({ column, field }) => [column, delta[field]])),
    ...Object.fromEntries(
      audiences.flatMap(audience =>
        attributedColumns.map(({ column, field }) => [`${audience}_${column}`, delta[audience][field]]),
      ),
    ),
  }
}

const figures = sql.raw(
  [
    ...trafficColumns.map(({ column, field }) => `${column} as "${field}"`),
    ...audiences.map(audience => {
      const pairs = attributedColumns.map(({ column, field }) => `'${field}', ${audience}_${column}`)
      return `jsonb_build_object(${pairs.join(', ')}) as ${audience}`
    }),
  ].join(', '),
)

/**
 * Saves deltas of campaigns that are not mirrored yet, each once. Beyond `limit` in all, the oldest are deleted: nobody
 * has claimed them for the longest time. Returns how many were deleted.
 */
export async function saveUnplaced(db: Db, deltas: readonly StreamDelta[], at: Date, limit: number): Promise<number> {
  if (!deltas.length) return 0
  const rows = JSON.stringify(deltas.map(delta => toRow(delta, at)))
  await sql`insert into stream_unplaced select * from jsonb_populate_recordset(null::stream_unplaced, ${rows}::jsonb)
    on conflict (idempotency_id) do nothing`.execute(db)
  const deleted = await sql`delete from stream_unplaced where idempotency_id in (
    select idempotency_id from stream_unplaced order by received_at desc, idempotency_id offset ${limit})`.execute(db)
  return Number(deleted.numAffectedRows ?? 0)
}

/** The campaigns with unplaced deltas, by the marketplace's ids. */
export async function unplacedCampaigns(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct campaign_amazon_id as id from stream_unplaced`.execute(db)
  return rows.map(row => row.id)
}

/** At most `limit` unplaced deltas of these campaigns, oldest first. */
export async function unplacedOf(db: Db, campaignAmazonIds: readonly string[], limit: number): Promise<StreamDelta[]> {
  const { rows } = await sql<StreamDelta>`select idempotency_id as "idempotencyId",
      campaign_amazon_id as "campaignAmazonId", advertiser_id as "advertiserId", marketplace_code as "marketplaceCode",
      hour, coalesce(ad_type, 'SPONSORED_PRODUCTS') as "adType", coalesce(sent_at, received_at) as "sentAt", ${figures}
    from stream_unplaced where campaign_amazon_id = any(${campaignAmazonIds}::text[])
    order by received_at, idempotency_id limit ${limit}`.execute(db)
  return rows
}

/** Deletes deltas that were added to the hours of their campaigns. */
export async function deletePlaced(db: Db, deltas: readonly StreamDelta[]): Promise<void> {
  const ids = deltas.map(delta => delta.idempotencyId)
  await sql`delete from stream_unplaced where idempotency_id = any(${ids}::text[])`.execute(db)
}

/** When the oldest unplaced delta of the same advertisers and marketplaces arrived; null when there is none. */
export async function oldestUnplaced(db: Db, deltas: readonly StreamDelta[]): Promise<Date | null> {
  const { rows } = await sql<{ since: Date | null }>`select min(u.received_at) as since from stream_unplaced u
    where (u.advertiser_id, u.marketplace_code) in (select * from unnest(
      ${deltas.map(delta => delta.advertiserId)}::text[], ${deltas.map(delta => delta.marketplaceCode)}::text[]))`.execute(
    db,
  )
  return rows[0]?.since ?? null
}

/** Deletes unplaced deltas that arrived before a moment; returns how many. */
export async function deleteOldUnplaced(db: Db, before: Date): Promise<number> {
  const deleted = await sql`delete from stream_unplaced where received_at < ${before}`.execute(db)
  return Number(deleted.numAffectedRows ?? 0)
}
