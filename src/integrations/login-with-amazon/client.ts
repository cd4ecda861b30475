import type { Clock } from '#shared/time.ts'
import { createHttpClient, type HttpLog, type HttpPolicy, type HttpRequest } from '#server/http-client/http-client.ts'
import { explainRefusal } from './mapper.ts'
import { tokenWire } from './wire.ts'

export type TokenForm = Record<string, string>

export interface TokenAnswer {
  accessToken: string
  refreshToken: string | null
  expiresAt: Date
}

/** Posts a form to the token address; answers the tokens or throws what the refusal means. */
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
    // A person waits for this one.
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
      throw explainRefusal(error)
    }
  }
}
