import type { Clock } from '#shared/time.ts'
import { createHttpClient, type HttpLog, type HttpPolicy, type HttpRequest } from '#server/http-client/http-client.ts'
import { z } from 'zod'
import { UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { ClientRejected, GrantRevoked } from './grant-errors.ts'

export type TokenForm = Record<string, string>

export interface TokenAnswer {
  accessToken: string
  refreshToken: string | null
  expiresAt: Date
}

/** Posts a form to the token URL and returns the tokens. Throws GrantRevoked or ClientRejected if it was rejected. */
export function createTokenClient(options: {
  tokenUrl: string
  clock: Clock
  log: HttpLog
  fetch?: typeof fetch
  policy?: Partial<HttpPolicy>
}) {
  const { tokenUrl, clock, log, fetch, policy } = options
  const http = createHttpClient({
    upstream: 'login-with-amazon',
    log,
    clock,
    ...(fetch && { fetch }),
    // A person is waiting for it.
    policy: { timeoutMs: 10_000, firstDelayMs: 500, maxDelayMs: 2_000, ...policy },
  })
  return async (operation: string, form: TokenForm, effect: HttpRequest['effect']): Promise<TokenAnswer> => {
    try {
      const { body } = await http.sendJson(
        {
          operation,
          method: 'POST',
          url: tokenUrl,
          headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' },
          body: new URLSearchParams(form).toString(),
          effect,
        },
        tokenWire,
      )
      return {
        accessToken: body.access_token,
        refreshToken: body.refresh_token ?? null,
        expiresAt: new Date(clock.now().getTime() + body.expires_in * 1000),
      }
    } catch (error) {
      throw toGrantError(error)
    }
  }
}

const tokenWire = z.object({
  access_token: z.string().min(1),
  /** Missing in some replies to a refresh: then the old one stays valid. */
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
})

/** The specific error for a rejected grant; any other error unchanged. */
function toGrantError(error: unknown): unknown {
  if (!(error instanceof UpstreamRejected || error instanceof UpstreamUnauthorized)) return error
  const context = {
    upstream: error.upstream,
    operation: error.operation,
    status: error.status,
    code: error.code,
    requestId: error.requestId,
    cause: error,
  }
  if (error.code === 'invalid_grant') return new GrantRevoked(error.message, context)
  if (error.code === 'invalid_client' || error.code === 'unauthorized_client')
    return new ClientRejected(error.message, context)
  return error
}
