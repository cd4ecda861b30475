import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Services } from '#server/context.ts'
import { lifetimes } from '../../rules.ts'

const algorithm = 'HS256'
const claims = { issuer: 'tideline', audience: 'tideline-api', typ: 'at+jwt' }

const keys = new WeakMap<Config, Uint8Array>()

/** The key that signs access tokens, read once a process. */
export function signingKey(config: Config): Uint8Array {
  const key = keys.get(config) ?? readSecrets(config).tokenSecret
  keys.set(config, key)
  return key
}

type Needs = Pick<Services, 'config' | 'clock'>

/** An access token for 15 minutes. It names account and session; rights are read from the database at each request. */
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

/** What an access token says; null unless it is ours, of this kind and in time. */
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

const remembered = 10_000

/**
 * Reads access tokens, each signature once: checking it takes longer than all else of a small answer. That a token is
 * still in time is looked at on every call; that its session is in force is the database's to say.
 */
export function createTokenReader(needs: Needs): (token: string) => Promise<TokenClaims | null> {
  const known = new Map<string, TokenClaims>()
  return async token => {
    const seen = known.get(token)
    if (seen && needs.clock.now().getTime() < seen.expiresAtMs) return seen
    known.delete(token)
    const claims = seen ? null : await readAccessToken(needs, token)
    if (!claims) return null
    const oldest = known.size >= remembered ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
    known.set(token, claims)
    return claims
  }
}
