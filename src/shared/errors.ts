/** Every error code of the API, with its HTTP status. A published code never changes its meaning. */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  TOKEN_INVALID: 400,
  OAUTH_STATE_INVALID: 400,
  OAUTH_CODE_INVALID: 400,
  OAUTH_REFUSED: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  SUBSCRIPTION_REQUIRED: 402,
  FORBIDDEN: 403,
  EMAIL_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  VERSION_CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  TRIAL_ALREADY_USED: 409,
  MERCHANT_TAKEN: 409,
  /** Managing has begun or ended since the caller looked: nothing was done, for nobody. */
  MANAGING_CHANGED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RULE_VIOLATED: 422,
  NO_PROFILES: 422,
  PRODUCT_NOT_ELIGIBLE: 422,
  /** The client is older than what the call means today: nothing was done, and the new version of the client can do it. */
  CLIENT_OUTDATED: 426,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UPSTREAM_FAILED: 502,
  UPSTREAM_UNAUTHORIZED: 502,
  UPSTREAM_UNAVAILABLE: 503,
  SHUTTING_DOWN: 503,
  /** Nothing was done: the call can be sent again. */
  UNAVAILABLE: 503,
  /** It may have been done: check before sending the call again. */
  OUTCOME_UNKNOWN: 503,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof errorStatus

/** The body of every error response. */
export interface Problem {
  errorCode: ErrorCode
  message: string
  details: string[]
  requestId: string
}

/** Additional data of some errors; `fields` has one sentence per field. */
export type ProblemExtra = Record<string, unknown> & { fields?: Record<string, string> }

/**
 * An error that the caller sees. `details` has one sentence per field or item; `extra` is merged into the response (for
 * instance `current` of a version conflict); `retryAfterSeconds` becomes the Retry-After header.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: string[]
  readonly extra: ProblemExtra
  readonly retryAfterSeconds: number | undefined
  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: string[]; extra?: ProblemExtra; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? []
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}
