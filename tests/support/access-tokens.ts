import type { AccessTokens } from '#server/http-client/access-tokens.ts'
import type { Clock } from '#shared/time.ts'

interface AccessToken {
  accessToken: string
  expiresAt: Date
}

/**
 * Access tokens in memory, for tests without a database. A token is refreshed `marginMs` before it expires and when it was
 * rejected, by one call at a time per connection. Errors of `refresh` reach every caller and are not cached.
 */
export function createAccessTokens(options: {
  refresh: (connectionId: number) => Promise<AccessToken>
  clock: Clock
  marginMs?: number
}): AccessTokens {
  const { refresh, clock, marginMs = 5 * 60_000 } = options
  const cached = new Map<number, AccessToken>()
  const running = new Map<number, Promise<AccessToken>>()

  const renew = (connectionId: number): Promise<AccessToken> => {
    const current = running.get(connectionId)
    if (current) return current
    const started = refresh(connectionId)
      .then(token => {
        cached.set(connectionId, token)
        return token
      })
      .finally(() => running.delete(connectionId))
    running.set(connectionId, started)
    return started
  }

  return async (connectionId, rejected) => {
    const token = cached.get(connectionId)
    const usable =
      token && token.accessToken !== rejected && token.expiresAt.getTime() - marginMs > clock.now().getTime()
    return usable ? token.accessToken : (await renew(connectionId)).accessToken
  }
}
