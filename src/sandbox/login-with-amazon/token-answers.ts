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

/** 400: the code or token is unknown, spent, expired, taken back or not this caller's. */
export function invalidGrant(parameter: string): TokenAnswer {
  return {
    ok: false,
    failure: {
      status: 400,
      error: 'invalid_grant',
      error_description: `The request has an invalid grant parameter : ${parameter}. User may have revoked or didn't grant the permission.`,
    },
  }
}

/** 400: a parameter is missing. */
export function invalidRequest(parameter: string): TokenAnswer {
  return {
    ok: false,
    failure: {
      status: 400,
      error: 'invalid_request',
      error_description: `The request is missing a required parameter : ${parameter}`,
    },
  }
}

/** 401: no such client, or not its secret. */
export const invalidClient: TokenAnswer = {
  ok: false,
  failure: { status: 401, error: 'invalid_client', error_description: 'Client authentication failed' },
}

/** 400: an application may not have this for itself. */
export const invalidScope: TokenAnswer = {
  ok: false,
  failure: { status: 400, error: 'invalid_scope', error_description: 'The request has an invalid scope' },
}

/** 400: a way to ask for a token that does not exist. */
export const unsupportedGrantType: TokenAnswer = {
  ok: false,
  failure: {
    status: 400,
    error: 'unsupported_grant_type',
    error_description: 'The authorization grant type is not supported by the authorization server',
  },
}
