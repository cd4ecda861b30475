import type { Db, Row } from '#server/db/tables.ts'

/** The account's merchants that are connected, by id, with its role in each. */
export function membershipsOf(
  db: Db,
  accountId: number,
): Promise<{ merchantId: number; role: Row<'membership'>['role'] }[]> {
  return db
    .selectFrom('membership')
    .select(['merchant_id as merchantId', 'role'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .orderBy('merchant_id')
    .execute()
}

/** The connected merchants that an account owns, by id, and since when. */
export function ownerships(db: Db, accountId: number): Promise<{ merchantId: number; since: Date }[]> {
  return db
    .selectFrom('membership')
    .select(['merchant_id as merchantId', 'created_at as since'])
    .where('account_id', '=', accountId)
    .where('role', '=', 'OWNER')
    .where('ended_at', 'is', null)
    .orderBy('merchant_id')
    .execute()
}

/** The account's role in a merchant, `ended` ones included; undefined when it never belonged to it. */
export function membership(db: Db, accountId: number, merchantId: number) {
  return db
    .selectFrom('membership')
    .select(['role', 'ended_at as endedAt'])
    .where('account_id', '=', accountId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst()
}

/** The accounts that belong to a merchant. */
export async function accountsOf(db: Db, merchantId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('account_id')
    .where('merchant_id', '=', merchantId)
    .where('ended_at', 'is', null)
    .orderBy('account_id')
    .execute()
  return rows.map(row => row.account_id)
}

/** Makes the account the merchant's owner. */
export async function addOwner(db: Db, accountId: number, merchantId: number): Promise<void> {
  await db
    .insertInto('membership')
    .values({ account_id: accountId, merchant_id: merchantId, role: 'OWNER', ended_at: null })
    .execute()
}

/** Ends every membership of a merchant at a moment, or with null lets the ended ones go on. */
export async function endMemberships(db: Db, merchantId: number, endedAt: Date | null): Promise<void> {
  await db.updateTable('membership').set({ ended_at: endedAt }).where('merchant_id', '=', merchantId).execute()
}
