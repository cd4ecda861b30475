import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { claimOf } from './merchants.ts'

/** The merchants whose data need not be kept any longer, those that wait longest first. */
export async function merchantsToPurge(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('merchant')
    .select('merchant_id')
    .where('disconnected_at', 'is not', null)
    .where('data_kept_until', '<=', now)
    .orderBy('data_kept_until')
    .execute()
  return rows.map(row => row.merchant_id)
}

/**
 * Ends every tie of a user to a disconnected merchant, so that no consent brings it back; consents for its seller wait
 * meanwhile. False when it was brought back before.
 */
export async function closeForGood(tx: Db, merchantId: number, now: Date): Promise<boolean> {
  const merchant = await tx
    .selectFrom('merchant')
    .select(['region', 'selling_partner_id as sellingPartnerId'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
  if (!merchant) return false
  await claimOf(tx, merchant.region, merchant.sellingPartnerId)
  const { rows } = await sql`select 1 from merchant where merchant_id = ${merchantId}
    and disconnected_at is not null and data_kept_until <= ${now} for update`.execute(tx)
  if (!rows.length) return false
  await tx.deleteFrom('membership').where('merchant_id', '=', merchantId).execute()
  return true
}

/** Deletes a merchant whose data is gone. */
export async function deleteMerchant(tx: Db, merchantId: number): Promise<void> {
  await tx.deleteFrom('merchant').where('merchant_id', '=', merchantId).execute()
}
