import type { RegionKey } from '#shared/marketplaces.ts'
import type { Clock } from '#shared/time.ts'
import type { HttpLog, HttpPolicy } from '#server/http-client/http-client.ts'
import { createTokenClient, type TokenForm } from './client.ts'

export { ClientRejected, GrantRevoked } from './grant-errors.ts'

export interface LoginWithAmazonOptions {
  /** The consent page, one a region; left out where only tokens are exchanged (the Selling Partner API). */
  authorizeUrls?: Record<RegionKey, string>
  tokenUrl: string
  clientId: string
  clientSecret: string
  clock: Clock
  log: HttpLog
  fetch?: typeof fetch
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

/** The door to Login with Amazon, for one client id. */
export function createLoginWithAmazon(options: LoginWithAmazonOptions): LoginWithAmazon {
  const { authorizeUrls, clientId, clientSecret } = options
  const ask = createTokenClient(options)
  const own = { client_id: clientId, client_secret: clientSecret }
  return {
    authorizeUrl: ({ region, state, redirectUri, scope = ADVERTISING_SCOPE }) => {
      if (!authorizeUrls) throw new RangeError('this client has no consent pages')
      const url = new URL(authorizeUrls[region])
      const query = { client_id: clientId, scope, response_type: 'code', redirect_uri: redirectUri, state }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },
    exchangeCode: async ({ code, redirectUri }) => {
      const form: TokenForm = {
        grant_type: 'authorization_code',
        code,
        ...(redirectUri && { redirect_uri: redirectUri }),
        ...own,
      }
      // A code is spent by its first use, so this is never repeated blindly.
      const grant = await ask('exchange code', form, 'write')
      if (!grant.refreshToken) throw new TypeError('a code was answered without a refresh token')
      return { ...grant, refreshToken: grant.refreshToken }
    },
    refresh: async refreshToken => {
      const grant = await ask(
        'refresh token',
        { grant_type: 'refresh_token', refresh_token: refreshToken, ...own },
        'read',
      )
      return { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
    },
  }
}
