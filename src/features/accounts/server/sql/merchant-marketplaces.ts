import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'

export interface Participation {
  marketplaceId: number
  isParticipating: boolean
  hasSuspendedListings: boolean
}

/** Replaces the marketplaces in which the merchant sells. */
export async function replaceParticipations(db: Db, merchantId: number, rows: readonly Participation[]): Promise<void> {
  await db.deleteFrom('merchant_marketplace').where('merchant_id', '=', merchantId).execute()
  await raiseVersion(db, merchantId)
  if (!rows.length) return
  await db
    .insertInto('merchant_marketplace')
    .values(
      rows.map(row => ({
        merchant_id: merchantId,
        marketplace_id: row.marketplaceId,
        is_participating: row.isParticipating,
        has_suspended_listings: row.hasSuspendedListings,
      })),
    )
    .execute()
}

/** Our numbers of the marketplaces where the merchant sells. */
export async function participationsOf(db: Db, merchantId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('merchant_marketplace')
    .select('marketplace_id')
    .where('merchant_id', '=', merchantId)
    .where('is_participating', '=', true)
    .orderBy('marketplace_id')
    .execute()
  return rows.map(row => row.marketplace_id)
}

/** Our numbers of all the merchant's marketplaces: where it sells and where it has an advertising account. */
export async function marketplaceIdsOf(db: Db, merchantId: number): Promise<number[]> {
  const { rows } = await sql<{ marketplace_id: number }>`
    select marketplace_id from merchant_marketplace where merchant_id = ${merchantId} and is_participating
    union
    select marketplace_id from ads_profile where merchant_id = ${merchantId}
    order by marketplace_id`.execute(db)
  return rows.map(row => row.marketplace_id)
}
