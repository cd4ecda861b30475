export interface UpstreamContext {
  /** Which outside service, for instance `amazon-ads`. */
  upstream: string
  operation: string
  status?: number | undefined
  /** The service's own code, where it gave one. */
  code?: string | undefined
  /** What the service added to its message, where it did. */
  details?: string | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** What every failure of the outside carries; `message` is for logs and people, never for decisions. */
export abstract class UpstreamError extends Error {
  readonly upstream: string
  readonly operation: string
  readonly status: number | undefined
  readonly code: string | undefined
  readonly details: string | undefined
  readonly requestId: string | undefined
  /** How long the service asked us to wait; undefined when it did not say. */
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

/** 401: the access token or the profile is not accepted, even after a fresh token. */
export class UpstreamUnauthorized extends UpstreamError {}
/** 403: the token is good, but this is not allowed to it. */
export class UpstreamForbidden extends UpstreamError {}
/** 429 (or our own bucket is empty for longer than a call may wait). Nothing happened; try after `retryAfterMs`. */
export class UpstreamThrottled extends UpstreamError {}
/** A read failed by network, time or 5xx, or a write never reached the service: nothing happened. */
export class UpstreamUnavailable extends UpstreamError {}
/** The service refused the request as it stands (any other 4xx); repeating it is useless. Nothing happened. */
export class UpstreamRejected extends UpstreamError {}
/** A write ended in timeout, reset, 5xx or an unreadable answer: it may have happened. Look before doing it again. */
export class AmbiguousOutcome extends UpstreamError {}
/** The answer to a read is not what the service documents. */
export class UpstreamMalformed extends UpstreamError {}
