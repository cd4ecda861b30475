import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'

/** A change of an hour's figures as the stream told it, of a campaign by the marketplace's id. */
export interface StreamDelta {
  idempotencyId: string
  campaignAmazonId: string
  advertiserId: string
  /** The marketplace by the vendor's code. */
  marketplaceCode: string
  /** The beginning of the hour. */
  hour: Date
  impressions: number
  clicks: number
  costMicros: number
  /** Orders attributed within 7 days, as sellers are told, and within 14, as vendors are. */
  seller: { salesMicros: number; orders: number; units: number }
  vendor: { salesMicros: number; orders: number; units: number }
}

const toRow = (delta: StreamDelta, at: Date): Row<'stream_unplaced'> => ({
  idempotency_id: delta.idempotencyId,
  campaign_amazon_id: delta.campaignAmazonId,
  advertiser_id: delta.advertiserId,
  marketplace_code: delta.marketplaceCode,
  hour: delta.hour,
  impressions: delta.impressions,
  clicks: delta.clicks,
  cost_micros: delta.costMicros,
  seller_sales_micros: delta.seller.salesMicros,
  seller_orders: delta.seller.orders,
  seller_units: delta.seller.units,
  vendor_sales_micros: delta.vendor.salesMicros,
  vendor_orders: delta.vendor.orders,
  vendor_units: delta.vendor.units,
  received_at: at,
})

const fromRow = (row: Row<'stream_unplaced'>): StreamDelta => ({
  idempotencyId: row.idempotency_id,
  campaignAmazonId: row.campaign_amazon_id,
  advertiserId: row.advertiser_id,
  marketplaceCode: row.marketplace_code,
  hour: row.hour,
  impressions: row.impressions,
  clicks: row.clicks,
  costMicros: row.cost_micros,
  seller: { salesMicros: row.seller_sales_micros, orders: row.seller_orders, units: row.seller_units },
  vendor: { salesMicros: row.vendor_sales_micros, orders: row.vendor_orders, units: row.vendor_units },
})

// A statement takes at most 65,535 parameters.
const rowsAtOnce = 1000

/**
 * Keeps deltas that belong to nobody known, each once, at most `most` in all: the oldest go first, since nobody came for
 * them longest. Returns how many went.
 */
export const keepUnplaced = async (db: Db, deltas: readonly StreamDelta[], at: Date, most: number): Promise<number> => {
  if (!deltas.length) return 0
  const rows = deltas.map(delta => toRow(delta, at))
  for (let i = 0; i < rows.length; i += rowsAtOnce)
    await db
      .insertInto('stream_unplaced')
      .values(rows.slice(i, i + rowsAtOnce))
      .onConflict(conflict => conflict.column('idempotency_id').doNothing())
      .execute()
  const gone = await sql`delete from stream_unplaced where idempotency_id in (
    select idempotency_id from stream_unplaced order by received_at desc, idempotency_id offset ${most})`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}

/** The campaigns, by the marketplace's ids, of which deltas wait. */
export const unplacedCampaigns = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('stream_unplaced').select('campaign_amazon_id').distinct().execute()
  return rows.map(row => row.campaign_amazon_id)
}

/** At most so many waiting deltas of these campaigns, those first that came first. */
export const unplacedOf = async (
  db: Db,
  campaignAmazonIds: readonly string[],
  limit: number,
): Promise<StreamDelta[]> => {
  const rows = await db
    .selectFrom('stream_unplaced')
    .selectAll()
    .where('campaign_amazon_id', 'in', campaignAmazonIds)
    .orderBy('received_at')
    .orderBy('idempotency_id')
    .limit(limit)
    .execute()
  return rows.map(fromRow)
}

/** Takes deltas that were placed off those that wait. */
export const dropUnplaced = async (db: Db, deltas: readonly StreamDelta[]): Promise<void> => {
  const ids = deltas.map(delta => delta.idempotencyId)
  await sql`delete from stream_unplaced where idempotency_id = any(${ids}::text[])`.execute(db)
}

/** Since when the first delta waits of those that the same advertisers were told of the same marketplaces; null when none does. */
export const waitingSince = async (db: Db, deltas: readonly StreamDelta[]): Promise<Date | null> => {
  const { rows } = await sql<{ since: Date | null }>`select min(u.received_at) as since from stream_unplaced u
    where (u.advertiser_id, u.marketplace_code) in (select * from unnest(
      ${deltas.map(delta => delta.advertiserId)}::text[], ${deltas.map(delta => delta.marketplaceCode)}::text[]))`.execute(
    db,
  )
  return rows[0]?.since ?? null
}

/** Forgets what nobody came for; returns how many. */
export const forgetUnplaced = async (db: Db, before: Date): Promise<number> => {
  const gone = await db.deleteFrom('stream_unplaced').where('received_at', '<', before).executeTakeFirst()
  return Number(gone.numDeletedRows)
}
