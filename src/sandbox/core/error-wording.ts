import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface ErrorReply {
  status: number
  /** Text is sent as it is, anything else as JSON. */
  body: unknown
  /** Besides the media type, which is JSON unless it is set here. */
  headers?: Record<string, string>
}

export interface ErrorWording {
  throttled(request: FastifyRequest): ErrorReply
  failed(request: FastifyRequest, status: number): ErrorReply
  expiredToken(request: FastifyRequest): ErrorReply
  /** Revokes the grant that the request uses, and answers accordingly. */
  revokedGrant(request: FastifyRequest, revoke: (token: string) => void): ErrorReply
  /** Whether a throttle has a Retry-After header when the fault does not say. */
  statesRetryAfter?: boolean
}

export function sendError(reply: FastifyReply, { status, body, headers = {} }: ErrorReply): FastifyReply {
  return reply
    .code(status)
    .type('application/json')
    .headers(headers)
    .send(typeof body === 'string' ? body : JSON.stringify(body))
}

function errors(status: number, code: string, message: string, details?: string): ErrorReply {
  return {
    status,
    body: { errors: [{ code, message, ...(details !== undefined && { details }) }] },
    headers: { 'x-amzn-requestid': randomUUID() },
  }
}

/** Why the Selling Partner API rejects a token, for `details`. */
export const tokenDetails = {
  missing: 'Access token is missing in the request header.',
  expired: 'The access token you provided has expired.',
  invalid: 'The access token you provided is revoked, malformed or invalid.',
}

const DENIED = 'Access to requested resource is denied.'
/** The Selling Partner API's 403. The message is always the same; the reason, if there is one, is in `details`. */
export const accessDenied = (details = ''): ErrorReply => errors(403, 'Unauthorized', DENIED, details)

/** The Selling Partner API's answer to an unknown path or method: its gateway has no other. */
export function noSuchPath(): ErrorReply {
  const spoken = errors(403, 'MissingAuthenticationToken', DENIED)
  return { ...spoken, headers: { ...spoken.headers, 'x-amzn-errortype': 'MissingAuthenticationTokenException' } }
}

const failures: Record<number, [code: string, message: string]> = {
  400: ['InvalidInput', 'Invalid Input'],
  404: ['NotFound', 'The requested resource was not found.'],
  413: ['RequestTooLarge', 'The request size exceeded the maximum accepted size.'],
  415: ['UnsupportedMediaType', 'The request payload is in an unsupported format.'],
  429: ['QuotaExceeded', 'You exceeded your quota for the requested resource.'],
  503: ['ServiceUnavailable', 'Service is temporarily unavailable. Please try again.'],
}

function failed(status: number): ErrorReply {
  if (status === 401 || status === 403) return { ...accessDenied(), status }
  const [code, message] = failures[status] ?? [
    status < 500 ? 'InvalidInput' : 'InternalFailure',
    status < 500 ? 'Invalid Input' : 'We encountered an internal error. Please try again.',
  ]
  return errors(status, code, message, '')
}

/** The error wording of the Selling Partner API, also used for vendors without their own. */
export const sellingPartnerWording: ErrorWording = {
  throttled: () => failed(429),
  failed: (_request, status) => failed(status),
  expiredToken: () => accessDenied(tokenDetails.expired),
  revokedGrant(request, revoke) {
    const token = request.headers['x-amz-access-token']
    if (typeof token === 'string') revoke(token)
    return accessDenied(tokenDetails.invalid)
  },
}

export function storageFailure(status: number, code: string, message: string): ErrorReply {
  const requestId = randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>`,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId },
  }
}

export const noSuchKey = (): ErrorReply => storageFailure(404, 'NoSuchKey', 'The specified key does not exist.')

function storageFailed(status: number): ErrorReply {
  if (status === 404) return noSuchKey()
  if (status === 403) return storageFailure(403, 'AccessDenied', 'Access Denied')
  if (status === 503) return storageFailure(503, 'SlowDown', 'Please reduce your request rate.')
  if (status < 500) return storageFailure(status, 'InvalidRequest', 'Invalid request')
  return storageFailure(status, 'InternalError', 'We encountered an internal error. Please try again.')
}

/** How the file storage words its errors. It has neither tokens nor grants, and throttles by 503. */
export const storageWording: ErrorWording = {
  throttled: () => storageFailed(503),
  failed: (_request, status) => storageFailed(status),
  expiredToken: () => storageFailure(403, 'AccessDenied', 'Request has expired'),
  revokedGrant: () => storageFailed(403),
}
