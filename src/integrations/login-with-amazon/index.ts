import { z } from 'zod'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import { createHttpClient, type HttpLog, type HttpPolicy, type HttpRequest } from '#server/http-client/http-client.ts'
import { UpstreamError, UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'

/** The person took the permission back, or the code was used, expired or meant for another address. */
export class GrantRevoked extends UpstreamError {}
/** Our own client id or secret is rejected. No user can fix this; the operator must be alerted. */
export class ClientRejected extends UpstreamError {}

interface LoginWithAmazonOptions {
  /** The consent page, one a region; left out where only tokens are exchanged (the Selling Partner API). */
  authorizeUrls?: Record<RegionKey, string>
  tokenUrl: string
  clientId: string
  clientSecret: string
  clock: Clock
  log: HttpLog
  policy?: Partial<HttpPolicy>
}

export interface Grant {
  accessToken: string
  /** Lives until the person takes the permission back. */
  refreshToken: string
  expiresAt: Date
}

export interface LoginWithAmazon {
  /** Where to send the browser. The scope is the advertising one unless given. Throws RangeError without consent pages. */
  authorizeUrl(input: { region: RegionKey; state: string; redirectUri: string; scope?: string }): string
  /**
   * Redeems a code, once, within its five minutes. Rejects with GrantRevoked (spent, expired, other address),
   * ClientRejected, AmbiguousOutcome (the code may be spent: the person must consent again) or another upstream error.
   */
  exchangeCode(input: { code: string; redirectUri?: string }): Promise<Grant>
  /** A fresh access token. Rejects with GrantRevoked when the permission was revoked, or ClientRejected. */
  refresh(refreshToken: string): Promise<Grant>
}

const ADVERTISING_SCOPE = 'advertising::campaign_management'

const tokenWire = z.object({
  access_token: z.string().min(1),
  /** Missing in some replies to a refresh: then the old one stays valid. */
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
})

/** The door to Login with Amazon, for one client id. */
export function createLoginWithAmazon(options: LoginWithAmazonOptions): LoginWithAmazon {
  const { authorizeUrls, tokenUrl, clientId, clientSecret, log, clock } = options
  // A person is waiting for it.
  const policy = { timeoutMs: 10_000, firstDelayMs: 500, maxDelayMs: 2_000, ...options.policy }
  const http = createHttpClient({ upstream: 'login-with-amazon', log, clock, policy })
  const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', accept: 'application/json' }
  const ask = async (operation: string, form: Record<string, string>, effect: HttpRequest['effect']) => {
    const body = new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString()
    const request = { operation, method: 'POST', url: tokenUrl, headers, body, effect } as const
    const reply = await http.sendJson(request, tokenWire).catch((error: unknown) => {
      throw toGrantError(error)
    })
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = reply.body
    return { accessToken, refreshToken, expiresAt: new Date(clock.now().getTime() + seconds * 1000) }
  }
  return {
    authorizeUrl: ({ region, state, redirectUri, scope = ADVERTISING_SCOPE }) => {
      if (!authorizeUrls) throw new RangeError('this client has no consent pages')
      const url = new URL(authorizeUrls[region])
      const query = { client_id: clientId, scope, response_type: 'code', redirect_uri: redirectUri, state }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    exchangeCode: async ({ code, redirectUri }) => {
      const form = { grant_type: 'authorization_code', code, ...(redirectUri && { redirect_uri: redirectUri }) }
      // A code is spent by its first use, so this is never repeated blindly.
      const { refreshToken, ...grant } = await ask('exchange code', form, 'write')
      if (!refreshToken) throw new TypeError('a code was answered without a refresh token')
      return { ...grant, refreshToken }
    },
    refresh: async refreshToken => {
      const grant = await ask('refresh token', { grant_type: 'refresh_token', refresh_token: refreshToken }, 'read')
      return { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
    },
  }
}

/** The specific error for a rejected grant; any other error unchanged. */
function toGrantError(error: unknown): unknown {
  if (!(error instanceof UpstreamRejected || error instanceof UpstreamUnauthorized)) return error
  const { upstream, operation, status, code, requestId } = error
  const context = { upstream, operation, status, code, requestId, cause: error }
  if (code === 'invalid_grant') return new GrantRevoked(error.message, context)
  if (code === 'invalid_client' || code === 'unauthorized_client') return new ClientRejected(error.message, context)
  return error
}
