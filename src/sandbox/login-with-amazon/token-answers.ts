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

function failed(status: TokenError['status'], error: string, error_description: string): TokenAnswer {
  return {
    ok: false,
    failure: { status, error, error_description },
  }
}

/** The code or token is unknown, used, expired, revoked or another client's. */
export function invalidGrant(parameter: string): TokenAnswer {
  return failed(
    400,
    'invalid_grant',
    `The request has an invalid grant parameter : ${parameter}. User may have revoked or didn't grant the permission.`,
  )
}

/** A parameter is missing. */
export const invalidRequest = (parameter: string): TokenAnswer =>
  failed(400, 'invalid_request', `The request is missing a required parameter : ${parameter}`)

/** The request has a media type that the endpoint does not accept. */
export const wrongContentType = failed(
  400,
  'invalid_request',
  'The content type must be application/x-www-form-urlencoded',
)

/** No such client, or a wrong secret. */
export const invalidClient = failed(401, 'invalid_client', 'Client authentication failed')

/** An application may not have this scope without a consent. */
export const invalidScope = failed(400, 'invalid_scope', 'The request has an invalid scope')

export const unsupportedGrantType = failed(
  400,
  'unsupported_grant_type',
  'The authorization grant type is not supported by the authorization server',
)
