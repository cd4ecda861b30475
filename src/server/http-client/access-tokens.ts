import { UpstreamUnauthorized } from './upstream-errors.ts'

/**
 * Resolves with a valid access token of a connection. `rejected` is a token that the service has just rejected: it is
 * replaced even if it has not expired.
 */
export type AccessTokens = (connectionId: number, rejected?: string) => Promise<string>

/** Runs `call` with the connection's token. After a 401 it runs once more with a new token. */
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
