import { UpstreamUnauthorized } from './upstream-errors.ts'

/** A valid access token of a connection; another one than `rejected`, which the service has just rejected. */
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
