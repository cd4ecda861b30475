import { jwtVerify, SignJWT } from 'jose'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Actor, Authority, Services } from '#server/context.ts'
import { createBatchLoader } from '#server/db/batch-loader.ts'
import type { Db } from '#server/db/tables.ts'
import { authoritiesOf, type RoleName } from '../roles.ts'
import { lifetimes } from '../rules.ts'
import { isPrivileged, rolesOf } from './sql.ts'

const algorithm = 'HS256'
const claims = { issuer: 'tideline', audience: 'tideline-api', typ: 'at+jwt' }

const keys = new WeakMap<Config, Uint8Array>()

/** The key that signs access tokens; each process reads it once. */
export function signingKey(config: Config): Uint8Array {
  const key = keys.get(config) ?? readSecrets(config).tokenSecret
  keys.set(config, key)
  return key
}

type Needs = Pick<Services, 'config' | 'clock'>

/** An access token for 15 minutes. It contains account and session; rights are read from the database for each request. */
export function issueAccessToken(
  { config, clock }: Needs,
  session: { accountId: number; sessionId: string },
): Promise<string> {
  const nowMs = clock.now().getTime()
  return new SignJWT({ sid: session.sessionId })
    .setProtectedHeader({ alg: algorithm, typ: claims.typ })
    .setSubject(String(session.accountId))
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setIssuedAt(Math.floor(nowMs / 1000))
    .setExpirationTime(Math.floor((nowMs + lifetimes.accessTokenMs) / 1000))
    .sign(signingKey(config))
}

/** The claims of an access token; null unless we issued it and it has not expired. */
async function readAccessToken({ config, clock }: Needs, token: string) {
  try {
    const { payload } = await jwtVerify(token, signingKey(config), {
      ...claims,
      algorithms: [algorithm],
      currentDate: clock.now(),
      requiredClaims: ['sub', 'sid', 'exp'],
    })
    const { sub, sid, exp } = payload
    const accountId = Number(sub)
    if (!Number.isSafeInteger(accountId) || typeof sid !== 'string' || exp === undefined) return null
    return { accountId, sessionId: sid, expiresAtMs: exp * 1000 }
  } catch {
    return null
  }
}

interface ActiveSession {
  accountId: number
  sessionId: string
  email: string
  roles: RoleName[]
  expiresAt: Date
  /** Whose session it is, if that is not the account itself; null otherwise. */
  manager: NonNullable<Actor['managedBy']> | null
  managedUntil: Date | null
}

type Authenticated<More> = Pick<Actor, 'accountId' | 'sessionId' | 'email' | 'managedBy'> & {
  authorities: Authority[]
} & More

/** For a join: the account for which the calls of the session `s` of the account `own` act. */
function actingFor(now: Date): RawBuilder<number> {
  // Checked on every read: a role may be removed or given, or an account suspended, in the middle of the hour.
  return sql<number>`case when s.managed_until > ${now} and ${isPrivileged('own.id')} then coalesce((select t.id from account t
    where t.id = s.managed_account_id and t.status = 'ACTIVE' and t.email_verified_at is not null
      and not ${isPrivileged('t.id')}), own.id) else own.id end`
}

async function activeSessions<Columns>(
  db: Db,
  ids: readonly string[],
  now: Date,
  columns: RawBuilder<Columns>,
  accountId: RawBuilder<number> = actingFor(now),
): Promise<(ActiveSession & Columns)[]> {
  const { rows } = await sql<ActiveSession & Columns>`
    select s.id as "sessionId", a.id as "accountId", a.email, ${rolesOf('a.id')} as roles, s.expires_at as "expiresAt",
      case when a.id <> own.id then json_build_object('accountId', own.id, 'email', own.email, 'firstName', own.first_name,
        'lastName', own.last_name) end as manager, s.managed_until as "managedUntil", ${columns}
    from session s join account own on own.id = s.account_id join account a on a.id = ${accountId}
    where s.id = any(${[...ids]}::uuid[]) and s.ended_at is null and s.expires_at > ${now}
      and own.status = 'ACTIVE' and own.email_verified_at is not null`.execute(db)
  return rows
}

/**
 * The account and current authorities of a session, with further columns of the account `a`; null once it has ended. It is
 * the session's own account, also while another one is managed through it.
 */
export async function readSession<Columns extends object>(
  db: Db,
  sessionId: string,
  now: Date,
  columns: RawBuilder<Columns>,
): Promise<Authenticated<Columns> | null> {
  const [row] = await activeSessions(db, [sessionId], now, columns, sql<number>`own.id`)
  if (!row) return null
  const { roles, expiresAt: _, manager: _manager, managedUntil: _until, ...rest } = row
  return { ...rest, authorities: authoritiesOf(roles) } as unknown as Authenticated<Columns>
}

interface CachedSession<More> {
  session: Authenticated<More>
  expiresAtMs: number
  /** What it depends on, and the moment at which it was read. */
  keys: string[]
  stamp: number
}

/** What a caller of `createAuthenticator` wants to read with the session. */
interface Reading<Columns, More> {
  /** Further columns of the account `a`. */
  columns: RawBuilder<Columns>
  /** What is made of them, once for each read. */
  toMore: (columns: Columns) => More
  /** What they depend on besides the account's own rows, as keys of the invalidations. */
  keysOf: (more: More) => string[]
}

const cachedTokensBytes = 4_000_000
const cachedSessions = 5000

/**
 * The account, session and current authorities of an access token, with more; null if the token is invalid. Signatures and
 * sessions are cached: a signature until its token expires, which is checked on every call, and a session until the
 * database notifies a change of anything that it was read from. Otherwise it is one query, which simultaneous calls share.
 */
export function createAuthenticator<Columns extends object, More extends object>(
  services: Pick<Services, 'config' | 'clock' | 'db' | 'invalidations'>,
  { columns, toMore, keysOf }: Reading<Columns, More>,
): (token: string) => Promise<Authenticated<More> | null> {
  const { clock, db, invalidations } = services
  type Claims = NonNullable<Awaited<ReturnType<typeof readAccessToken>>>
  const claimsOf = new LRUCache<string, Claims>({
    maxSize: cachedTokensBytes,
    sizeCalculation: (_claims, token) => token.length + 300,
  })
  const sessions = new LRUCache<string, CachedSession<More>>({ max: cachedSessions })
  const rowOf = createBatchLoader(async (ids: readonly string[]) => {
    const rows = await activeSessions(db.system, ids, clock.now(), columns)
    return new Map(rows.map(row => [row.sessionId, row]))
  })
  const readCurrent = async (id: string): Promise<Authenticated<More> | null> => {
    // Before the read, so that a change during it counts.
    const stamp = invalidations.stamp()
    const row = await rowOf(id)
    if (!row) return null
    const { roles, expiresAt, sessionId, accountId, email, manager, managedUntil, ...rest } = row
    const more = toMore(rest as unknown as Columns)
    const caller = { sessionId, accountId, email, authorities: authoritiesOf(roles), ...more }
    const session = { ...caller, ...(manager && { managedBy: manager }) }
    const accounts = manager ? [accountId, manager.accountId] : [accountId]
    const keys = [...accounts.map(account => `account ${account}`), ...keysOf(more)]
    const until = manager && managedUntil ? managedUntil : expiresAt
    sessions.set(id, { session, expiresAtMs: Math.min(until.getTime(), expiresAt.getTime()), keys, stamp })
    return session
  }
  return async token => {
    const claims = claimsOf.get(token) ?? (await readAccessToken(services, token))
    const nowMs = clock.now().getTime()
    if (!claims || nowMs >= claims.expiresAtMs) return null
    claimsOf.set(token, claims)
    const cached = sessions.get(claims.sessionId)
    const isCurrent =
      cached !== undefined && nowMs < cached.expiresAtMs && invalidations.isCurrent(cached.keys, cached.stamp)
    const session = isCurrent ? cached.session : await readCurrent(claims.sessionId)
    const owner = session?.managedBy?.accountId ?? session?.accountId
    return owner === claims.accountId ? session : null
  }
}
