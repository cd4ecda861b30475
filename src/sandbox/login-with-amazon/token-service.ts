import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '#shared/time.ts'

/** What somebody allowed an application to do. */
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

/** What a valid access token gives access to. */
export interface Access {
  grantId: string
  clientId: string
  email: string | null
  scope: string
  /** As the login stands now: who was invited away loses access at once. */
  sellerIds: string[]
}

export interface IssueCode {
  /** E-mail of the login that consents. */
  login: string
  sellerId?: string | null
  scope: string
  /** Null: the code is not bound to an address (Selling Partner consent without redirect_uri). */
  redirectUri: string | null
  clientId: string
  codeChallenge?: { value: string; method: 'plain' | 'S256' } | null
}

export interface TokenReply {
  access_token: string
  refresh_token?: string
  token_type: 'bearer'
  expires_in: number
}

export interface TokenError {
  status: 400 | 401
  error: string
  error_description: string
}

export type TokenAnswer = { ok: true; reply: TokenReply } | { ok: false; failure: TokenError }

interface Code extends IssueCode {
  code: string
  expiresAt: number
}

export interface TokenState {
  codes: Code[]
  grants: Grant[]
  accessTokens: { token: string; grantId: string; expiresAt: number }[]
}

/** The token service behind every consent of the sandbox. Tokens are good in all regions. */
export interface TokenService {
  /** A code for five minutes and a single use. */
  issueCode(consent: IssueCode): string
  /** Answers the token endpoint's form. */
  token(form: Record<string, string>): TokenAnswer
  /** What the token gives access to; null when unknown, expired or taken back. */
  check(accessToken: string): Access | null
  knowsClient(clientId: string): boolean
  /** Takes back, for good, the grant behind an access or refresh token. */
  revoke(token: string): void
  /** Takes back every grant of a login. */
  revokeLogin(email: string): void
  grants(): Grant[]
  dump(): TokenState
  restore(state: TokenState): void
  reset(): void
}

interface Options {
  clock: Clock
  /** Secret by client id. */
  clients: ReadonlyMap<string, string>
  sellerIdsOf: (email: string) => string[]
  /** Called after each change. */
  changed: () => void
}

const CODE_MS = 5 * 60_000
const TOKEN_SECONDS = 3600

const invalidGrant = (parameter: string): TokenAnswer => ({
  ok: false,
  failure: {
    status: 400,
    error: 'invalid_grant',
    error_description: `The request has an invalid grant parameter : ${parameter}. User may have revoked or didn't grant the permission.`,
  },
})
const invalidRequest = (parameter: string): TokenAnswer => ({
  ok: false,
  failure: {
    status: 400,
    error: 'invalid_request',
    error_description: `The request is missing a required parameter : ${parameter}`,
  },
})
const invalidClient: TokenAnswer = {
  ok: false,
  failure: { status: 401, error: 'invalid_client', error_description: 'Client authentication failed' },
}

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')

const answersChallenge = (code: Code, verifier: string | undefined): boolean => {
  if (!code.codeChallenge) return true
  if (!verifier) return false
  const { method, value } = code.codeChallenge
  return value === (method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url'))
}

/** A token service that has granted nothing yet. */
export const createTokenService = ({ clock, clients, sellerIdsOf, changed }: Options): TokenService => {
  let codes = new Map<string, Code>()
  let grants = new Map<string, Grant>()
  let accessTokens = new Map<string, { grantId: string; expiresAt: number }>()

  const now = (): number => clock.now().getTime()
  const forgetExpired = (): void => {
    for (const [code, { expiresAt }] of codes) if (expiresAt <= now()) codes.delete(code)
    for (const [token, { expiresAt }] of accessTokens) if (expiresAt <= now()) accessTokens.delete(token)
  }
  const addGrant = (grant: Omit<Grant, 'grantId' | 'revoked'>): Grant => {
    const added = { ...grant, grantId: randomText(12), revoked: false }
    grants.set(added.grantId, added)
    return added
  }
  const answer = (grant: Grant): TokenAnswer => {
    forgetExpired()
    const token = `Atza|${randomText(150)}`
    accessTokens.set(token, { grantId: grant.grantId, expiresAt: now() + TOKEN_SECONDS * 1000 })
    changed()
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

  const byCode = (form: Record<string, string>): TokenAnswer => {
    const code = codes.get(form.code ?? '')
    // A code is spent by the attempt, whether it succeeds or not.
    if (code) codes.delete(code.code)
    changed()
    if (!code || code.expiresAt <= now() || code.clientId !== form.client_id) return invalidGrant('authorization_code')
    if (code.redirectUri !== null && form.redirect_uri !== code.redirectUri) return invalidGrant('redirect_uri')
    if (!answersChallenge(code, form.code_verifier)) return invalidGrant('code_verifier')
    return answer(
      addGrant({
        clientId: code.clientId,
        email: code.login,
        sellerId: code.sellerId ?? null,
        scope: code.scope,
        refreshToken: `Atzr|${randomText(180)}`,
      }),
    )
  }
  const byRefreshToken = (form: Record<string, string>): TokenAnswer => {
    const grant = [...grants.values()].find(one => one.refreshToken === form.refresh_token)
    if (!grant || grant.revoked || grant.clientId !== form.client_id) return invalidGrant('refresh_token')
    return answer(grant)
  }
  const forItself = (form: Record<string, string>): TokenAnswer => {
    if (!form.scope) return invalidRequest('scope')
    return answer(
      addGrant({
        clientId: form.client_id ?? '',
        email: null,
        sellerId: null,
        scope: form.scope,
        refreshToken: null,
      }),
    )
  }

  const grantOf = (token: string): Grant | undefined =>
    grants.get(accessTokens.get(token)?.grantId ?? '') ??
    [...grants.values()].find(grant => grant.refreshToken === token)
  const takeBack = (grant: Grant): void => {
    grant.revoked = true
    for (const [token, { grantId }] of accessTokens) if (grantId === grant.grantId) accessTokens.delete(token)
    changed()
  }

  return {
    issueCode(consent) {
      const code = `AN${randomText(15)}`
      codes.set(code, { ...consent, code, expiresAt: now() + CODE_MS })
      changed()
      return code
    },
    token(form) {
      if (!form.grant_type) return invalidRequest('grant_type')
      const secret = clients.get(form.client_id ?? '')
      if (secret === undefined || secret !== form.client_secret) return invalidClient
      if (form.grant_type === 'authorization_code') return form.code ? byCode(form) : invalidRequest('code')
      if (form.grant_type === 'refresh_token')
        return form.refresh_token ? byRefreshToken(form) : invalidRequest('refresh_token')
      if (form.grant_type === 'client_credentials') return forItself(form)
      return {
        ok: false,
        failure: {
          status: 400,
          error: 'unsupported_grant_type',
          error_description: 'The authorization grant type is not supported by the authorization server',
        },
      }
    },
    check(accessToken) {
      const held = accessTokens.get(accessToken)
      const grant = grants.get(held?.grantId ?? '')
      if (!held || !grant || grant.revoked || held.expiresAt <= now()) return null
      const { grantId, clientId, email, sellerId, scope } = grant
      const sellerIds = email ? sellerIdsOf(email) : []
      return {
        grantId,
        clientId,
        email,
        scope,
        sellerIds: sellerId === null ? sellerIds : sellerIds.filter(id => id === sellerId),
      }
    },
    knowsClient: clientId => clients.has(clientId),
    revoke(token) {
      const grant = grantOf(token)
      if (grant) takeBack(grant)
    },
    revokeLogin(email) {
      for (const grant of grants.values()) if (grant.email === email) takeBack(grant)
    },
    grants: () => [...grants.values()],
    dump: () => ({
      codes: [...codes.values()],
      grants: [...grants.values()],
      accessTokens: [...accessTokens].map(([token, held]) => ({ token, ...held })),
    }),
    restore(state) {
      codes = new Map(state.codes.map(code => [code.code, code]))
      grants = new Map(state.grants.map(grant => [grant.grantId, grant]))
      accessTokens = new Map(state.accessTokens.map(({ token, ...held }) => [token, held]))
    },
    reset() {
      codes = new Map()
      grants = new Map()
      accessTokens = new Map()
    },
  }
}
