import type { Clock } from '#shared/time.ts'
import { UpstreamUnauthorized } from '../upstream-errors.ts'

export interface AccessToken {
  accessToken: string
  expiresAt: Date
}

/**
 * Answers a valid access token of a connection. `rejected` names a token that was just refused, so that a fresh one is
 * fetched even if it has not expired.
 */
export type AccessTokens = (connectionId: number, rejected?: string) => Promise<string>

/**
 * Keeps access tokens in memory: refreshed `marginMs` (five minutes) before their end and when rejected, by one call at
 * a time a connection however many wait for it. What `refresh` throws reaches every waiter and is not remembered.
 */
export function createAccessTokens(options: {
  refresh: (connectionId: number) => Promise<AccessToken>
  clock: Clock
  marginMs?: number
}): AccessTokens {
  const { refresh, clock, marginMs = 5 * 60_000 } = options
  const known = new Map<number, AccessToken>()
  const underway = new Map<number, Promise<AccessToken>>()

  const renew = (connectionId: number): Promise<AccessToken> => {
    const running = underway.get(connectionId)
    if (running) return running
    const started = refresh(connectionId)
      .then(token => {
        known.set(connectionId, token)
        return token
      })
      .finally(() => underway.delete(connectionId))
    underway.set(connectionId, started)
    return started
  }

  return async (connectionId, rejected) => {
    const token = known.get(connectionId)
    const usable =
      token && token.accessToken !== rejected && token.expiresAt.getTime() - marginMs > clock.now().getTime()
    return usable ? token.accessToken : (await renew(connectionId)).accessToken
  }
}

/** Runs `call` with the connection's token; a 401 is answered once with a fresh token, a second 401 is thrown. */
export async function withAccessToken<T>(
  tokens: AccessTokens,
  connectionId: number,
  call: (accessToken: string) => Promise<T>,
): Promise<T> {
  const token = await tokens(connectionId)
  try {
    return await call(token)
  } catch (error) {
    if (!(error instanceof UpstreamUnauthorized)) throw error
    const fresh = await tokens(connectionId, token)
    if (fresh === token) throw error
    return call(fresh)
  }
}
