import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamUnauthorized,
} from '#server/http-client/upstream-errors.ts'
import { AppError } from '#shared/errors.ts'

/** What a failed call means for a launch. */
export type Failure =
  /** It may have happened. */
  | { kind: 'UNCLEAR' }
  /** It certainly did not happen and is useless to repeat. */
  | { kind: 'REJECTED'; reason: string; message: string }
  /** It certainly did not happen; only the user can help. */
  | { kind: 'BLOCKED'; reason: string; message: string }
  /** It certainly did not happen; it may go well later. */
  | { kind: 'LATER'; reason: string; message: string; afterMs: number | undefined }

/** Reads a failure of the integration. Anything that is not the marketplace's is thrown again: a defect of ours. */
export function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AmbiguousOutcome) return { kind: 'UNCLEAR' }
  if (error instanceof UpstreamRejected) return { kind: 'REJECTED', reason: 'REQUEST_REJECTED', message }
  if (
    error instanceof UpstreamUnauthorized ||
    error instanceof UpstreamForbidden ||
    (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')
  )
    return { kind: 'BLOCKED', reason: 'UPSTREAM_UNAUTHORIZED', message }
  if (error instanceof UpstreamError)
    return { kind: 'LATER', reason: 'UPSTREAM_UNAVAILABLE', message, afterMs: error.retryAfterMs }
  if (error instanceof AppError && error.code.startsWith('UPSTREAM_'))
    return { kind: 'LATER', reason: 'UPSTREAM_UNAVAILABLE', message, afterMs: undefined }
  throw error
}
