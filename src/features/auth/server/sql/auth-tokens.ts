import type { Db, Row } from '#server/db/tables.ts'

type TokenPurpose = Row<'auth_token'>['purpose']

/** Keeps a token of an account for a purpose; an older one for the same is void from now on. */
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

/** Uses a token up, once; its account, or null when it is unknown, replaced, used, expired or for something else. */
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

/** Voids every link of an account that is under way. */
export async function voidTokens(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom('auth_token').where('account_id', '=', accountId).execute()
}

/** Removes what nobody can use any longer. */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('auth_token').where('expires_at', '<', now).execute()
  await db.deleteFrom('auth_attempt').where('expire', '<', now.getTime()).execute()
}
