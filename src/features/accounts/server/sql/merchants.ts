import { sql } from 'kysely'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'

export interface MerchantRow {
  merchantId: number
  name: string
  accountType: 'SELLER' | 'VENDOR'
  region: RegionKey
  sellingPartnerId: string
  disconnectedAt: Date | null
}

const columns = [
  'merchant_id as merchantId',
  'name',
  'account_type as accountType',
  'region',
  'selling_partner_id as sellingPartnerId',
  'disconnected_at as disconnectedAt',
] as const

/** These merchants, by name; unknown ids are left out. */
export function merchantsByIds(db: Db, merchantIds: readonly number[]): Promise<MerchantRow[]> {
  return db
    .selectFrom('merchant')
    .select(columns)
    .where('merchant_id', '=', sql<number>`any(${[...merchantIds]}::bigint[])`)
    .orderBy('name')
    .orderBy('merchant_id')
    .execute()
}

/** One merchant; undefined when there is none. */
export function merchantById(db: Db, merchantId: number): Promise<MerchantRow | undefined> {
  return db.selectFrom('merchant').select(columns).where('merchant_id', '=', merchantId).executeTakeFirst()
}

/** Adds a merchant; returns its id. */
export async function insertMerchant(
  db: Db,
  merchant: Pick<MerchantRow, 'name' | 'accountType' | 'region' | 'sellingPartnerId'>,
): Promise<number> {
  const row = await db
    .insertInto('merchant')
    .values({
      name: merchant.name,
      account_type: merchant.accountType,
      region: merchant.region,
      selling_partner_id: merchant.sellingPartnerId,
    })
    .returning('merchant_id')
    .executeTakeFirstOrThrow()
  await raiseVersion(db, row.merchant_id)
  return row.merchant_id
}

/** Gives a merchant its name. */
export async function renameMerchant(db: Db, merchantId: number, name: string): Promise<void> {
  await db.updateTable('merchant').set({ name }).where('merchant_id', '=', merchantId).execute()
  await raiseVersion(db, merchantId)
}

/** Marks a merchant as disconnected, with the day until which its data is retained; nulls restore it. */
export async function markDisconnected(
  db: Db,
  merchantId: number,
  at: { disconnectedAt: Date; dataKeptUntil: Date } | null,
): Promise<void> {
  await db
    .updateTable('merchant')
    .set({ disconnected_at: at?.disconnectedAt ?? null, data_kept_until: at?.dataKeptUntil ?? null })
    .where('merchant_id', '=', merchantId)
    .execute()
  await raiseVersion(db, merchantId)
}

/**
 * Uses up the one trial of the seller that a merchant holds, for the trial of this account; false when it was used
 * already. It stays used, also when the seller belongs to someone else later.
 */
export async function takeTrial(db: Db, merchantId: number, accountId: number, at: Date): Promise<boolean> {
  const result = await db
    .updateTable('seller_claim')
    .set({ trial_used_at: at, trial_account_id: accountId })
    .where('merchant_id', '=', merchantId)
    .where('trial_used_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Uses up the trial of the seller that a merchant holds when the account that connects it is on trial just now. One that
 * was used already stays with the account that used it.
 */
export async function joinTrial(db: Db, merchantId: number, accountId: number, now: Date): Promise<void> {
  // A trial that starts at this moment either sees the new merchant or is seen here.
  const account = await db
    .selectFrom('account')
    .select(['trial_started_at', 'trial_ends_at'])
    .where('id', '=', accountId)
    .forShare()
    .executeTakeFirst()
  if (account?.trial_started_at && account.trial_ends_at && account.trial_ends_at > now)
    await takeTrial(db, merchantId, accountId, account.trial_started_at)
}

/** Which merchant holds a seller; undefined when nobody does. Others who ask wait for the end of the transaction. */
export async function claimOf(db: Db, region: RegionKey, sellingPartnerId: string): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`seller:${region}:${sellingPartnerId}`}, 0))`.execute(db)
  const row = await db
    .selectFrom('seller_claim')
    .select('merchant_id')
    .where('region', '=', region)
    .where('selling_partner_id', '=', sellingPartnerId)
    .executeTakeFirst()
  return row?.merchant_id
}

/** Assigns a seller to a merchant and removes it from its previous one. */
export async function claimSeller(
  db: Db,
  region: RegionKey,
  sellingPartnerId: string,
  merchantId: number,
): Promise<void> {
  await db
    .insertInto('seller_claim')
    .values({
      region,
      selling_partner_id: sellingPartnerId,
      merchant_id: merchantId,
      trial_used_at: null,
      trial_account_id: null,
    })
    .onConflict(conflict => conflict.columns(['region', 'selling_partner_id']).doUpdateSet({ merchant_id: merchantId }))
    .execute()
}
