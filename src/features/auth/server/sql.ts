import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import { defaultRegion, type Region } from '#shared/region-format.ts'
import type { RoleName } from '../roles.ts'
import { hashSecret } from './secret-token.ts'

const secrets = [
  'id',
  'email',
  'first_name as firstName',
  'password_hash as passwordHash',
  'email_verified_at as emailVerifiedAt',
  'status',
  'locale',
  'timezone',
  'erase_at as erasedAt',
] as const

/** The account of an address (in lower case), with its password hash; undefined if there is none. */
export function accountByEmail(db: Db, email: string) {
  return db.selectFrom('account').select(secrets).where(sql`lower(email)`, '=', email).executeTakeFirst()
}
export type AccountSecrets = NonNullable<Awaited<ReturnType<typeof accountByEmail>>>

/** The same by id. */
export function accountSecretsById(db: Db, accountId: number): Promise<AccountSecrets | undefined> {
  return db.selectFrom('account').select(secrets).where('id', '=', accountId).executeTakeFirst()
}

/** How a user reads numbers and days; the default format for an account that is gone. */
export async function regionOf(db: Db, accountId: number): Promise<Region> {
  const columns = ['locale', 'timezone as timeZone'] as const
  const row = await db.selectFrom('account').select(columns).where('id', '=', accountId).executeTakeFirst()
  return row ?? defaultRegion
}

/** Marks the address as verified, unless it is already. */
export async function markVerified(db: Db, accountId: number, now: Date): Promise<void> {
  const changes = { email_verified_at: now, updated_at: now }
  await db
    .updateTable('account')
    .set(changes)
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/** For a select list: the role names of an account as an array. */
export const rolesOf = (accountId: string) =>
  sql<RoleName[]>`array(select r.role from account_role r where r.account_id = ${sql.ref(accountId)} order by r.role)`

/** For a condition: true if an account administers the product or manages users; nobody acts for such an account. */
export const isPrivileged = (accountId: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from account_role p where p.account_id = ${sql.ref(accountId)}
    and p.role in ('CAMPAIGN_MANAGER', 'ADMIN'))`

/** Uses a token and returns its account; null if it is unknown, replaced, used, expired or for another purpose. */
export async function takeToken(
  db: Db,
  purpose: Row<'auth_token'>['purpose'],
  token: string,
  now: Date,
): Promise<number | null> {
  const row = await db
    .deleteFrom('auth_token')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning('account_id')
    .executeTakeFirst()
  return row?.account_id ?? null
}

/** True if the account has logged in before, as far as that is remembered. */
export const hasSessions = async (db: Db, accountId: number): Promise<boolean> =>
  (await db.selectFrom('session').select('id').where('account_id', '=', accountId).limit(1).executeTakeFirst()) !==
  undefined

/** Inserts a session with its first refresh token. */
export async function insertSession(
  db: Db,
  session: { id: string; accountId: number; tokenHash: string; now: Date; expiresAt: Date; userAgent: string },
): Promise<void> {
  await sql`
    with begun as (
      insert into session (id, account_id, created_at, last_used_at, expires_at, user_agent)
      values (${session.id}, ${session.accountId}, ${session.now}, ${session.now}, ${session.expiresAt}, ${session.userAgent.slice(0, 400)}) returning id
    )
    insert into refresh_token (token_hash, session_id, issued_at) select ${session.tokenHash}, id, ${session.now} from begun`.execute(
    db,
  )
}

/** The owners of refresh tokens, and when and by which client they were used; only for active sessions and accounts. */
export function refreshTokenStates(db: Db, tokenHashes: readonly string[], now: Date) {
  return db
    .selectFrom('refresh_token as t')
    .innerJoin('session as s', 's.id', 't.session_id')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['t.token_hash as hash', 't.used_at as usedAt', 't.used_by as usedBy'])
    .select(['s.id as sessionId', 'a.id as accountId', 'a.email'])
    .where('t.token_hash', 'in', tokenHashes)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', now)
    .where('a.status', '=', 'ACTIVE')
    .execute()
}

// The aliases must not hide columns of the surrounding query.
/** For a condition: true if the session in this column and its account are active. */
export function isSessionActive(sessionId: string, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select from session live_session join account live_account on live_account.id = live_session.account_id
    where live_session.id = ${sql.ref(sessionId)} and live_session.ended_at is null and live_session.expires_at > ${now}
      and live_account.status = 'ACTIVE')`
}

/** Ends one session. */
export async function endSession(
  db: Db,
  sessionId: string,
  reason: NonNullable<Row<'session'>['end_reason']>,
  now: Date,
): Promise<void> {
  const changes = { ended_at: now, end_reason: reason }
  await db.updateTable('session').set(changes).where('id', '=', sessionId).where('ended_at', 'is', null).execute()
}

/** From now on, and until then, the calls of the session act for this account. */
export async function setManaged(
  db: Db,
  sessionId: string,
  managed: { accountId: number; until: Date },
): Promise<void> {
  const changes = { managed_account_id: managed.accountId, managed_until: managed.until }
  await db.updateTable('session').set(changes).where('id', '=', sessionId).execute()
}

/** The calls of these sessions act for their own account again. Returns the accounts for which they acted. */
export async function clearManaged(db: Db, sessions: { id: string } | { ownerId: number }): Promise<number[]> {
  const { rows } = await sql<{ accountId: number }>`update session s set managed_account_id = null, managed_until = null
    from (select id, managed_account_id from session where managed_account_id is not null and
      ${'id' in sessions ? sql`id = ${sessions.id}` : sql`account_id = ${sessions.ownerId}`} for update) as before
    where s.id = before.id returning before.managed_account_id as "accountId"`.execute(db)
  return rows.map(row => row.accountId)
}

/** Until when the calls of a session act for another account; null if they do not. */
export async function managedUntil(db: Db, sessionId: string): Promise<Date | null> {
  const row = await db.selectFrom('session').select('managed_until').where('id', '=', sessionId).executeTakeFirst()
  return row?.managed_until ?? null
}
