import type { FastifyRequest } from 'fastify'

export interface Spoken {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** How a vendor says that something went wrong, in its own format. */
export interface VendorVoice {
  throttled(): Spoken
  failed(status: number): Spoken
  expiredToken(): Spoken
  /** Takes the grant back for good that the request stands on, and says so. */
  revokedGrant(request: FastifyRequest): Spoken
}

const errors = (status: number, code: string, message: string, details = ''): Spoken => ({
  status,
  body: { errors: [{ code, message, details }] },
})

/** Why the Selling Partner API refuses a token, as it says in `details`. */
export const tokenDetails = {
  missing: 'Access token is missing in the request header.',
  expired: 'The access token you provided has expired.',
  invalid: 'The access token you provided is revoked, malformed or invalid.',
}

/** The Selling Partner API's 403. The message is always the same; what is wrong, if it is said at all, is in `details`. */
export const accessDenied = (details = ''): Spoken =>
  errors(403, 'Unauthorized', 'Access to requested resource is denied.', details)

/** The words of the Selling Partner API, which also serve where a vendor has none of its own. */
export const plainVoice = (revoke: (accessToken: string) => void): VendorVoice => ({
  throttled: () => errors(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.'),
  failed: status => errors(status, 'InternalFailure', 'We encountered an internal error. Please try again.'),
  expiredToken: () => accessDenied(tokenDetails.expired),
  revokedGrant(request) {
    const token = request.headers['x-amz-access-token']
    if (typeof token === 'string') revoke(token)
    return accessDenied(tokenDetails.invalid)
  },
})
