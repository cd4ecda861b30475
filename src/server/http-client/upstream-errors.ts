export interface UpstreamContext {
  /** The outside service, for instance `amazon-ads`. */
  upstream: string
  operation: string
  status?: number | undefined
  /** The service's error code, if it sent one. */
  code?: string | undefined
  /** What the service sent besides its message. */
  details?: string | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** A failed call to an outside service. `message` is for logs and people; code must not depend on it. */
export abstract class UpstreamError extends Error {
  readonly upstream: string
  readonly operation: string
  readonly status: number | undefined
  readonly code: string | undefined
  readonly details: string | undefined
  readonly requestId: string | undefined
  /** How long the service asks us to wait; undefined if it did not say. */
  readonly retryAfterMs: number | undefined
  constructor(message: string, context: UpstreamContext) {
    super(
      `${context.upstream} ${context.operation}: ${message}`,
      context.cause === undefined ? undefined : { cause: context.cause },
    )
    this.name = new.target.name
    this.upstream = context.upstream
    this.operation = context.operation
    this.status = context.status
    this.code = context.code
    this.details = context.details
    this.requestId = context.requestId
    this.retryAfterMs = context.retryAfterMs
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
