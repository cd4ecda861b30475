import { parseErrorBody } from './error-body.ts'
import { describeFailure, wasNeverSent } from './network-failure.ts'
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

/** The request's id at the service, whichever header it uses. */
export const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('x-amz-rid') ?? headers.get('x-amzn-requestid') ?? headers.get('x-request-id') ?? undefined

/** Turns a reply that is no success into the error that tells the caller what to do. */
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
  const words = `${reply.status} ${message}`
  if (reply.status === 401) return new UpstreamUnauthorized(words, context)
  if (reply.status === 403) return new UpstreamForbidden(words, context)
  if (reply.status === 429) return new UpstreamThrottled(words, context)
  if (reply.status < 500) return new UpstreamRejected(words, context)
  return attempt.effect === 'write' ? new AmbiguousOutcome(words, context) : new UpstreamUnavailable(words, context)
}

/** Turns a failed exchange (no reply, or one that broke off) into the error that tells the caller what to do. */
export function classifyFailure(attempt: Attempt, error: unknown): UpstreamError {
  const context = { upstream: attempt.upstream, operation: attempt.operation, cause: error }
  const words = describeFailure(error)
  if (attempt.effect === 'write' && !wasNeverSent(error)) return new AmbiguousOutcome(words, context)
  return new UpstreamUnavailable(words, context)
}
