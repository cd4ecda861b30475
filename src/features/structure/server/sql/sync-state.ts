import { sql } from 'kysely'
import type { Database } from '#server/db/open-database.ts'
import type { Db } from '#server/db/tables.ts'
import type { Owner } from './entity-sql.ts'

/** Notes that the mirror of an account has every change of before a moment. A moment before the noted one changes nothing. */
export async function noteSynchronized(db: Database, { merchantId, profileId }: Owner, at: Date): Promise<void> {
  // No answer shows it: as the owner of the tables, so that cached answers of the merchant stay.
  await db.transaction(async tx => {
    await sql`insert into structure_sync (merchant_id, profile_id, synchronized_at) values (${merchantId}, ${profileId}, ${at})
      on conflict (merchant_id, profile_id) do update
        set synchronized_at = greatest(structure_sync.synchronized_at, excluded.synchronized_at)`.execute(tx)
  })
}

/** Up to when the mirror of an account has every change; null before its first import. */
export async function synchronizedAt(tx: Db, { merchantId, profileId }: Owner): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`select synchronized_at as at from structure_sync
    where merchant_id = ${merchantId} and profile_id = ${profileId}`.execute(tx)
  return rows[0]?.at ?? null
}

/** Of all merchants: the accounts that were synchronized before a moment at last. For jobs only. */
export async function dueSynchronizations(system: Db, before: Date): Promise<Owner[]> {
  const { rows } = await sql<Owner>`select merchant_id as "merchantId", profile_id as "profileId" from structure_sync
    where synchronized_at < ${before} order by merchant_id, profile_id`.execute(system)
  return rows
}

/** The ad types of campaigns by the marketplace's ids; of those that are not mirrored yet there is none. */
export async function adTypesByCampaign(
  tx: Db,
  { merchantId, profileId }: Owner,
  amazonIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ amazonId: string; adType: string }>`select amazon_id as "amazonId", ad_type as "adType"
    from campaign where merchant_id = ${merchantId} and profile_id = ${profileId} and amazon_id = any(${amazonIds}::text[])`.execute(
    tx,
  )
  return new Map(rows.map(row => [row.amazonId, row.adType]))
}
