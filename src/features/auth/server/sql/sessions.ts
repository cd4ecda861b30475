import { type RawBuilder, sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import type { RoleName } from '../../roles.ts'
import { rolesOf } from './accounts.ts'

type EndReason = NonNullable<Row<'session'>['end_reason']>

/** Inserts a session with its first refresh token. */
export async function insertSession(
  db: Db,
  session: { id: string; accountId: number; tokenHash: string; now: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    with begun as (
      insert into session (id, account_id, created_at, expires_at)
      values (${session.id}, ${session.accountId}, ${session.now}, ${session.expiresAt}) returning id
    )
    insert into refresh_token (token_hash, session_id, issued_at) select ${session.tokenHash}, id, ${session.now} from begun`.execute(
    db,
  )
}

export interface TokenOwner {
  sessionId: string
  accountId: number
  email: string
}

/**
 * Uses a refresh token and inserts its successor, in one statement: of simultaneous calls exactly one succeeds. Undefined if
 * the token is unknown or used, or if its session or account is not active.
 */
export async function rotateRefreshToken(
  db: Db,
  tokens: { hash: string; nextHash: string; usedBy: string },
  now: Date,
): Promise<TokenOwner | undefined> {
  const { rows } = await sql<TokenOwner>`
    with owner as (
      select s.id as session_id, a.id as account_id, a.email
      from refresh_token t join session s on s.id = t.session_id join account a on a.id = s.account_id
      where t.token_hash = ${tokens.hash} and s.ended_at is null and s.expires_at > ${now} and a.status = 'ACTIVE'
    ), used as (
      update refresh_token t set used_at = ${now}, used_by = ${tokens.usedBy} from owner o
      where t.token_hash = ${tokens.hash} and t.session_id = o.session_id and t.used_at is null
      returning o.session_id, o.account_id, o.email
    ), issued as (
      insert into refresh_token (token_hash, session_id, issued_at) select ${tokens.nextHash}, session_id, ${now} from used
    )
    select session_id as "sessionId", account_id as "accountId", email from used`.execute(db)
  return rows[0]
}

/** The owners of refresh tokens, and when and by which client they were used; only for active sessions and accounts. */
export function refreshTokenStates(db: Db, tokenHashes: readonly string[], now: Date) {
  return db
    .selectFrom('refresh_token as t')
    .innerJoin('session as s', 's.id', 't.session_id')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select([
      't.token_hash as hash',
      't.used_at as usedAt',
      't.used_by as usedBy',
      's.id as sessionId',
      'a.id as accountId',
      'a.email',
    ])
    .where('t.token_hash', 'in', tokenHashes)
    .where('s.ended_at', 'is', null)
    .where('s.expires_at', '>', now)
    .where('a.status', '=', 'ACTIVE')
    .execute()
}

export interface ActiveSession {
  accountId: number
  sessionId: string
  email: string
  roles: RoleName[]
}

/**
 * The active ones among these sessions, with account, current roles and further columns of the account `a`, in one query.
 */
export async function activeSessions<More>(
  db: Db,
  ids: readonly string[],
  now: Date,
  columns: RawBuilder<More>,
): Promise<Map<string, ActiveSession & More>> {
  const { rows } = await sql<ActiveSession & More>`
    select s.id as "sessionId", a.id as "accountId", a.email, ${rolesOf('a.id')} as roles, ${columns}
    from session s join account a on a.id = s.account_id
    where s.id = any(${[...ids]}::uuid[]) and s.ended_at is null and s.expires_at > ${now}
      and a.status = 'ACTIVE' and a.email_verified_at is not null`.execute(db)
  return new Map(rows.map(row => [row.sessionId, row]))
}

// The aliases must not hide columns of the surrounding query.
/** For a condition: true if the session in this column and its account are active. */
export function isSessionActive(sessionId: string, now: Date): RawBuilder<boolean> {
  return sql<boolean>`exists (select from session live_session join account live_account on live_account.id = live_session.account_id
    where live_session.id = ${sql.ref(sessionId)} and live_session.ended_at is null and live_session.expires_at > ${now}
      and live_account.status = 'ACTIVE')`
}

/** Ends one session. */
export async function endSession(db: Db, sessionId: string, reason: EndReason, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: now, end_reason: reason })
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends all sessions of an account, except the one to keep. */
export async function endSessionsOf(
  db: Db,
  accountId: number,
  reason: EndReason,
  options: { now: Date; keep?: string },
): Promise<void> {
  let ending = db
    .updateTable('session')
    .set({ ended_at: options.now, end_reason: reason })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
  if (options.keep !== undefined) ending = ending.where('id', '!=', options.keep)
  await ending.execute()
}

/** Deletes the sessions that ended before a moment, with their tokens; returns how many. */
export async function deleteSessionsBefore(db: Db, before: Date): Promise<number> {
  const result = await db
    .deleteFrom('session')
    .where(where => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
