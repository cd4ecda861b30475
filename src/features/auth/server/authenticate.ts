import { jwtVerify, SignJWT } from 'jose'
import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Authority, Services } from '#server/context.ts'
import { createBatchLoader } from '#server/db/batch-loader.ts'
import { authoritiesOf, type RoleName } from '../roles.ts'
import { lifetimes } from '../rules.ts'
import { rolesOf } from './sql.ts'

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
}

/**
 * The account, session and current authorities of an access token, with further `columns` of the account `a`; null if the
 * token is invalid. One query, which simultaneous calls share. Each signature is verified once, because that takes longer
 * than the rest of a small request; the expiry is checked on every call.
 */
export function createAuthenticator<More extends object>(
  services: Pick<Services, 'config' | 'clock' | 'db'>,
  columns: RawBuilder<More>,
): (token: string) => Promise<(Omit<ActiveSession & More, 'roles'> & { authorities: Authority[] }) | null> {
  const { clock, db } = services
  const cache = new LRUCache<string, NonNullable<Awaited<ReturnType<typeof readAccessToken>>>>({ max: 10_000 })
  const sessionOf = createBatchLoader(async (ids: readonly string[]) => {
    const { rows } = await sql<ActiveSession & More>`
      select s.id as "sessionId", a.id as "accountId", a.email, ${rolesOf('a.id')} as roles, ${columns}
      from session s join account a on a.id = s.account_id
      where s.id = any(${[...ids]}::uuid[]) and s.ended_at is null and s.expires_at > ${clock.now()}
        and a.status = 'ACTIVE' and a.email_verified_at is not null`.execute(db.system)
    return new Map(rows.map(row => [row.sessionId, row]))
  })
  return async token => {
    const read = cache.get(token) ?? (await readAccessToken(services, token))
    if (!read || clock.now().getTime() >= read.expiresAtMs) return null
    cache.set(token, read)
    const session = await sessionOf(read.sessionId)
    if (session?.accountId !== read.accountId) return null
    const { roles, ...rest } = session
    return { ...rest, authorities: authoritiesOf(roles) }
  }
}
