import { jwtVerify, SignJWT } from 'jose'
import type { Config } from '#server/config/config.ts'
import { readSecrets } from '#server/config/secrets.ts'
import type { Services } from '#server/context.ts'
import { lifetimes } from '../../rules.ts'

const algorithm = 'HS256'
const claims = { issuer: 'tideline', audience: 'tideline-api', typ: 'at+jwt' }

const keys = new WeakMap<Config, Uint8Array>()

/** The key that signs access tokens, read once a process. */
export const signingKey = (config: Config): Uint8Array => {
  const key = keys.get(config) ?? readSecrets(config).tokenSecret
  keys.set(config, key)
  return key
}

type Needs = Pick<Services, 'config' | 'clock'>

/** An access token for 15 minutes. It names account and session; rights are read from the database at each request. */
export const issueAccessToken = (
  { config, clock }: Needs,
  session: { accountId: number; sessionId: string },
): Promise<string> => {
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

/** Account and session of an access token; null unless it is ours, of this kind and in time. */
export const readAccessToken = async (
  { config, clock }: Needs,
  token: string,
): Promise<{ accountId: number; id: string } | null> => {
  try {
    const { payload } = await jwtVerify(token, signingKey(config), {
      ...claims,
      algorithms: [algorithm],
      currentDate: clock.now(),
      requiredClaims: ['sub', 'sid', 'exp'],
    })
    const accountId = Number(payload.sub)
    return Number.isSafeInteger(accountId) && typeof payload.sid === 'string' ? { accountId, id: payload.sid } : null
  } catch {
    return null
  }
}
