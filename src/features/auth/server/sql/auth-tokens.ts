import type { Db, Row } from '#server/db/tables.ts'

type TokenPurpose = Row<'auth_token'>['purpose']

/** Stores a token for an account and purpose; it replaces an older one. */
export async function replaceToken(
  db: Db,
  token: { accountId: number; purpose: TokenPurpose; hash: string; now: Date; expiresAt: Date },
): Promise<void> {
  const values = { token_hash: token.hash, created_at: token.now, expires_at: token.expiresAt }
  await db
    .insertInto('auth_token')
    .values({ account_id: token.accountId, purpose: token.purpose, ...values })
    .onConflict(conflict => conflict.columns(['account_id', 'purpose']).doUpdateSet(values))
    .execute()
}

/** Uses a token and returns its account; null if it is unknown, replaced, used, expired or for another purpose. */
export async function takeToken(db: Db, purpose: TokenPurpose, hash: string, now: Date): Promise<number | null> {
  const row = await db
    .deleteFrom('auth_token')
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id ?? null
}

/** Invalidates all links sent to an account. */
export async function deleteTokensOf(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('auth_token').where('account_id', '=', accountId).execute()
}

/** Deletes expired tokens and counters. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('auth_token').where('expires_at', '<', now).execute()
  await db.deleteFrom('auth_attempt').where('expire', '<', now.getTime()).execute()
}
