import { AppError } from '#shared/errors.ts'

interface UpstreamContext {
  /** The outside service, for instance `amazon-ads`. */
  upstream: string
  operation: string
  status?: number | undefined
  /** The service's error code, if it sent one. */
  code?: string | undefined
  /** What the service sent besides its message. */
  details?: string | undefined
  requestId?: string | undefined
  /** How long the service asks us to wait; undefined if it did not say. */
  retryAfterMs?: number | undefined
}

/** A failed call to an outside service. `message` is for logs and people; code must not depend on it. */
export abstract class UpstreamError extends Error {
  declare readonly upstream: string
  declare readonly operation: string
  declare readonly status: number | undefined
  declare readonly code: string | undefined
  declare readonly details: string | undefined
  declare readonly requestId: string | undefined
  declare readonly retryAfterMs: number | undefined
  constructor(message: string, { cause, ...context }: UpstreamContext & { cause?: unknown }) {
    super(`${context.upstream} ${context.operation}: ${message}`, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    Object.assign(this, context)
  }
}

/** 401: the access token or the profile is not accepted, not even with a new token. */
export class UpstreamUnauthorized extends UpstreamError {}
/** 403: the token is valid but has no permission for this call. */
export class UpstreamForbidden extends UpstreamError {}
/** 429, or our own bucket stays empty for longer than a call may wait. Nothing happened; retry after `retryAfterMs`. */
export class UpstreamThrottled extends UpstreamError {}
/** A read failed (network, timeout or 5xx), or a write never reached the service. Nothing happened. */
export class UpstreamUnavailable extends UpstreamError {}
/** Any other 4xx: the service rejected the request, and a retry is useless. Nothing happened. */
export class UpstreamRejected extends UpstreamError {}
/** A write ended with a timeout, reset, 5xx or unreadable reply: it may have happened. Check before repeating it. */
export class AmbiguousOutcome extends UpstreamError {}
/** The reply to a read does not match the service's documentation. */
export class UpstreamMalformed extends UpstreamError {}

/** What a person can do about a service that no longer knows us, and what the service is called. */
const services: Record<string, { name: string; unauthorized: string }> = {
  stripe: {
    name: 'The payment provider',
    unauthorized: 'Payments are not set up correctly on this server. Nothing was charged.',
  },
}
const marketplace = {
  name: 'The marketplace',
  unauthorized: 'The marketplace no longer accepts our permission. Open Connections and connect the account again.',
}

/**
 * Turns a failure of an outside service into an error that the caller may see, and returns anything else unchanged. Its 401
 * becomes UPSTREAM_UNAUTHORIZED, never our own 401, which would log the user out.
 */
export function toUpstreamProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const { name, unauthorized } = services[error.upstream] ?? marketplace
  if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden)
    return new AppError('UPSTREAM_UNAUTHORIZED', unauthorized, { cause: error })
  if (error instanceof UpstreamRejected)
    return new AppError('UPSTREAM_FAILED', `${name} did not accept the request.`, { cause: error })
  const retryAfterSeconds = error.retryAfterMs === undefined ? 10 : Math.ceil(error.retryAfterMs / 1000)
  const message =
    error instanceof UpstreamThrottled
      ? `${name} asks us to slow down. Please try again in a moment.`
      : `${name} cannot be reached right now. Please try again in a moment.`
  return new AppError('UPSTREAM_UNAVAILABLE', message, { cause: error, retryAfterSeconds })
}
