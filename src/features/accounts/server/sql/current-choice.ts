import type { Db } from '#server/db/tables.ts'

/** What the account works with now; nulls where nothing is chosen. */
export async function currentChoice(
  db: Db,
  accountId: number,
): Promise<{ merchantId: number | null; marketplaceId: number | null }> {
  const row = await db
    .selectFrom('account')
    .select(['current_merchant_id as merchantId', 'current_marketplace_id as marketplaceId'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row ?? { merchantId: null, marketplaceId: null }
}

/** Chooses merchant and marketplace for the account. */
export async function setCurrentChoice(
  db: Db,
  accountId: number,
  choice: { merchantId: number | null; marketplaceId: number | null },
): Promise<void> {
  await db
    .updateTable('account')
    .set({ current_merchant_id: choice.merchantId, current_marketplace_id: choice.marketplaceId })
    .where('id', '=', accountId)
    .execute()
}

/** Nobody works with this merchant any longer. */
export async function forgetCurrentMerchant(db: Db, merchantId: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ current_merchant_id: null, current_marketplace_id: null })
    .where('current_merchant_id', '=', merchantId)
    .execute()
}
