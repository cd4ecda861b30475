import { jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { Config } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Services } from '#server/context.ts'
import { lifetimes } from '../../rules.ts'

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

export interface TokenClaims {
  accountId: number
  /** The session's id. */
  id: string
  expiresAtMs: number
}

/** The claims of an access token; null unless we issued it and it has not expired. */
export async function readAccessToken({ config, clock }: Needs, token: string): Promise<TokenClaims | null> {
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
    return { accountId, id: sid, expiresAtMs: exp * 1000 }
  } catch {
    return null
  }
}

/**
 * Reads access tokens and verifies each signature once, because that takes longer than the rest of a small request. The
 * expiry is checked on every call. Whether the session is active is for the database to say.
 */
export function createTokenReader(needs: Needs): (token: string) => Promise<TokenClaims | null> {
  const cache = new LRUCache<string, TokenClaims>({ max: 10_000 })
  return async token => {
    const cached = cache.get(token)
    if (cached) return needs.clock.now().getTime() < cached.expiresAtMs ? cached : null
    const claims = await readAccessToken(needs, token)
    if (claims) cache.set(token, claims)
    return claims
  }
}
