import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '#shared/time.ts'

export type TokenAnswer =
  | {
      ok: true
      reply: { access_token: string; refresh_token?: string; token_type: 'bearer'; expires_in: number }
    }
  | { ok: false; failure: { status: 400 | 401; error: string; error_description: string } }

export const failed = (status: 400 | 401, error: string, error_description: string): TokenAnswer => ({
  ok: false,
  failure: { status, error, error_description },
})

/** How the real endpoint words that a code or token is unknown, used, expired, revoked or another client's. */
export const invalidGrantText = (parameter: string): string =>
  `The request has an invalid grant parameter : ${parameter}. User may have revoked or didn't grant the permission.`

const invalidGrant = (parameter: string): TokenAnswer => failed(400, 'invalid_grant', invalidGrantText(parameter))
const missing = (parameter: string): TokenAnswer =>
  failed(400, 'invalid_request', `The request is missing a required parameter : ${parameter}`)

/** One call that a restricted token allows. Braces in the path match anything. */
export interface RestrictedResource {
  method: string
  path: string
}

/** What a person allowed an application to do. */
export interface Grant {
  grantId: string
  clientId: string
  /** Null for an application that acts for itself (client credentials). */
  email: string | null
  /** The one seller it is for (Selling Partner consent); null: all sellers of the login. */
  sellerId: string | null
  scope: string
  refreshToken: string | null
  revoked: boolean
}

export interface Access extends Pick<Grant, 'grantId' | 'clientId' | 'email' | 'scope'> {
  /** The login's current sellers: a person who loses a seller's account loses access at once. */
  sellerIds: string[]
  /** The only calls that it allows; null: all. */
  restricted: RestrictedResource[] | null
}

interface AccessToken {
  grantId: string
  expiresAt: number
  restricted?: RestrictedResource[]
}

export interface IssueCode {
  login: string
  sellerId?: string | null
  scope: string
  /** Null: the code is not bound to an address (Selling Partner consent without redirect_uri). */
  redirectUri: string | null
  clientId: string
  codeChallenge?: { value: string; method: 'plain' | 'S256' } | null
}

interface Code extends IssueCode {
  code: string
  expiresAt: number
}

export interface TokenState {
  codes: Code[]
  grants: Grant[]
  accessTokens: ({ token: string } & AccessToken)[]
}

interface Options {
  clock: Clock
  clients: ReadonlyMap<string, string>
  sellerIdsOf: (email: string) => string[]
  changed: () => void
}

const CODE_MS = 5 * 60_000
export const TOKEN_SECONDS = 3600
/** How long an expired token is distinguished from an unknown one. */
const RETENTION_MS = 86_400_000
/** What an application may do without any seller's consent. */
const grantlessScopes = new Set(['sellingpartnerapi::notifications', 'sellingpartnerapi::client_credential:rotation'])

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')

function matchesChallenge(code: Code, verifier: string | undefined): boolean {
  if (!code.codeChallenge) return true
  if (!verifier) return false
  const { method, value } = code.codeChallenge
  return value === (method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'))
}

/** The token service behind every consent of the emulator. Tokens are valid in all regions. */
export class TokenService {
  private readonly options: Options
  private codes = new Map<string, Code>()
  private grantsById = new Map<string, Grant>()
  private accessTokens = new Map<string, AccessToken>()

  constructor(options: Options) {
    this.options = options
  }

  /** A code that is valid for five minutes and one use. */
  issueCode(consent: IssueCode): string {
    const code = `AN${randomText(15)}`
    this.codes.set(code, { ...consent, code, expiresAt: this.now() + CODE_MS })
    this.options.changed()
    return code
  }

  token(form: Record<string, string>): TokenAnswer {
    if (!form.grant_type) return missing('grant_type')
    const secret = this.options.clients.get(form.client_id ?? '')
    if (secret === undefined || secret !== form.client_secret)
      return failed(401, 'invalid_client', 'Client authentication failed')
    if (form.grant_type === 'authorization_code') return form.code ? this.byCode(form) : missing('code')
    if (form.grant_type === 'refresh_token')
      return form.refresh_token ? this.byRefreshToken(form) : missing('refresh_token')
    if (form.grant_type === 'client_credentials') return this.byClientCredentials(form)
    const problem = 'The authorization grant type is not supported by the authorization server'
    return failed(400, 'unsupported_grant_type', problem)
  }

  /** What the token gives access to; null when it is unknown, expired or revoked. */
  check(accessToken: string): Access | null {
    const stored = this.accessTokens.get(accessToken)
    const grant = this.grantsById.get(stored?.grantId ?? '')
    if (!stored || !grant || grant.revoked || stored.expiresAt <= this.now()) return null
    const { grantId, clientId, email, sellerId, scope } = grant
    const sellerIds = email ? this.options.sellerIdsOf(email) : []
    const accessible = sellerId === null ? sellerIds : sellerIds.filter(id => id === sellerId)
    return { grantId, clientId, email, scope, sellerIds: accessible, restricted: stored.restricted ?? null }
  }

  /** True for a token that expired within the last day. */
  hasExpired(accessToken: string): boolean {
    const stored = this.accessTokens.get(accessToken)
    return stored !== undefined && stored.expiresAt <= this.now()
  }

  /** A token of the same grant, for an hour, that allows only these calls. Throws when there is no such grant. */
  restrict(grantId: string, resources: RestrictedResource[]): string {
    if (!this.grantsById.has(grantId)) throw new Error(`no grant ${grantId}`)
    return this.addToken(`Atz.sprdt|${randomText(150)}`, { grantId, restricted: resources })
  }

  /** Revokes the grant of an access or refresh token permanently. */
  revoke(token: string): void {
    const grant =
      this.grantsById.get(this.accessTokens.get(token)?.grantId ?? '') ??
      this.grants().find(one => one.refreshToken === token)
    if (grant) this.revokeGrant(grant)
  }

  revokeLogin(email: string): void {
    for (const grant of this.grants()) if (grant.email === email) this.revokeGrant(grant)
  }

  grants(): Grant[] {
    return [...this.grantsById.values()]
  }

  dump(): TokenState {
    return {
      codes: [...this.codes.values()],
      grants: this.grants(),
      accessTokens: [...this.accessTokens].map(([token, details]) => ({ token, ...details })),
    }
  }

  restore(state: TokenState): void {
    this.codes = new Map(state.codes.map(code => [code.code, code]))
    this.grantsById = new Map(state.grants.map(grant => [grant.grantId, grant]))
    this.accessTokens = new Map(state.accessTokens.map(({ token, ...details }) => [token, details]))
  }

  reset(): void {
    this.restore({ codes: [], grants: [], accessTokens: [] })
  }

  private now(): number {
    return this.options.clock.now().getTime()
  }

  private byCode(form: Record<string, string>): TokenAnswer {
    const code = this.codes.get(form.code ?? '')
    // An attempt uses up the code, whether it succeeds or not.
    if (code) this.codes.delete(code.code)
    this.options.changed()
    if (!code || code.expiresAt <= this.now() || code.clientId !== form.client_id)
      return invalidGrant('authorization_code')
    if (code.redirectUri !== null && form.redirect_uri !== code.redirectUri) return invalidGrant('redirect_uri')
    if (!matchesChallenge(code, form.code_verifier)) return invalidGrant('code_verifier')
    const { clientId, login: email, sellerId = null, scope } = code
    return this.grant({ clientId, email, sellerId, scope, refreshToken: `Atzr|${randomText(180)}` })
  }

  private byRefreshToken(form: Record<string, string>): TokenAnswer {
    const grant = this.grants().find(one => one.refreshToken === form.refresh_token)
    if (!grant || grant.revoked || grant.clientId !== form.client_id) return invalidGrant('refresh_token')
    return this.issueAccessToken(grant)
  }

  private byClientCredentials(form: Record<string, string>): TokenAnswer {
    if (!form.scope) return missing('scope')
    if (!form.scope.split(' ').every(scope => grantlessScopes.has(scope)))
      return failed(400, 'invalid_scope', 'The request has an invalid scope')
    const clientId = form.client_id ?? ''
    return this.grant({ clientId, email: null, sellerId: null, scope: form.scope, refreshToken: null })
  }

  private grant(grantDetails: Omit<Grant, 'grantId' | 'revoked'>): TokenAnswer {
    const grant = { ...grantDetails, grantId: randomText(12), revoked: false }
    this.grantsById.set(grant.grantId, grant)
    return this.issueAccessToken(grant)
  }

  private issueAccessToken(grant: Grant): TokenAnswer {
    const token = this.addToken(`Atza|${randomText(150)}`, { grantId: grant.grantId })
    return {
      ok: true,
      reply: {
        access_token: token,
        ...(grant.refreshToken && { refresh_token: grant.refreshToken }),
        token_type: 'bearer',
        expires_in: TOKEN_SECONDS,
      },
    }
  }

  private addToken(token: string, details: Omit<AccessToken, 'expiresAt'>): string {
    this.deleteExpired()
    this.accessTokens.set(token, { ...details, expiresAt: this.now() + TOKEN_SECONDS * 1000 })
    this.options.changed()
    return token
  }

  private deleteExpired(): void {
    const now = this.now()
    for (const [code, { expiresAt }] of this.codes) if (expiresAt <= now) this.codes.delete(code)
    for (const [token, { expiresAt }] of this.accessTokens)
      if (expiresAt + RETENTION_MS <= now) this.accessTokens.delete(token)
  }

  private revokeGrant(grant: Grant): void {
    grant.revoked = true
    for (const [token, { grantId }] of this.accessTokens) if (grantId === grant.grantId) this.accessTokens.delete(token)
    this.options.changed()
  }
}
