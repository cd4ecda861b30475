import { parseErrorBody } from './error-body.ts'
import { parseRetryAfter } from './retry-after.ts'
import {
  AmbiguousOutcome,
  type UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from '../upstream-errors.ts'

export interface Attempt {
  upstream: string
  operation: string
  effect: 'read' | 'write'
}

/** The service's id of the request, whichever header it uses. */
export const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-amz-rid') ?? headers.get('x-amzn-requestid') ?? headers.get('x-request-id') ?? undefined

/** The error for a reply that is not a success; its class says what the caller can do. */
export function classifyReply(attempt: Attempt, reply: Response, text: string, now: Date): UpstreamError {
  const { code, message, details } = parseErrorBody(text)
  const context = {
    upstream: attempt.upstream,
    operation: attempt.operation,
    status: reply.status,
    code,
    details,
    requestId: requestIdOf(reply.headers),
    retryAfterMs: parseRetryAfter(reply.headers.get('retry-after'), now),
  }
  const summary = `${reply.status} ${message}`
  if (reply.status === 401) return new UpstreamUnauthorized(summary, context)
  if (reply.status === 403) return new UpstreamForbidden(summary, context)
  if (reply.status === 429) return new UpstreamThrottled(summary, context)
  if (reply.status < 500) return new UpstreamRejected(summary, context)
  return attempt.effect === 'write' ? new AmbiguousOutcome(summary, context) : new UpstreamUnavailable(summary, context)
}

/** The error for a missing or interrupted reply; its class says what the caller can do. */
export function classifyFailure(attempt: Attempt, error: unknown): UpstreamError {
  const context = { upstream: attempt.upstream, operation: attempt.operation, cause: error }
  const message = describeFailure(error)
  if (attempt.effect === 'write' && !wasNeverSent(error)) return new AmbiguousOutcome(message, context)
  return new UpstreamUnavailable(message, context)
}

// With these codes the connection was never made, so the service cannot have seen the request.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** True if a failed fetch certainly never reached the service. */
const wasNeverSent = (error: unknown): boolean => codesOf(error).some(code => neverConnected.has(code))

/** A short description of a failed fetch for logs: its error codes, or else its message. */
function describeFailure(error: unknown): string {
  const codes = codesOf(error)
  if (codes.length) return codes.join(', ')
  return error instanceof Error ? (error.name === 'TimeoutError' ? 'timed out' : error.message) : 'unknown failure'
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  // A host with several addresses fails with one error per address.
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...code, ...inner, ...codesOf(error.cause)]
}
