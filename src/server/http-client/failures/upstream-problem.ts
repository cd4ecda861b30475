import { AppError } from '#shared/errors.ts'
import {
  UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
} from '../upstream-errors.ts'

/**
 * Turns a failure of the marketplace into an error that the caller may see, and returns anything else unchanged. The
 * marketplace's 401 becomes UPSTREAM_UNAUTHORIZED, never our own 401, which would log the user out.
 */
export function toUpstreamProblem(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  if (error instanceof UpstreamUnauthorized || error instanceof UpstreamForbidden)
    return new AppError(
      'UPSTREAM_UNAUTHORIZED',
      'The marketplace no longer accepts our permission. Open Connections and connect the account again.',
      { cause: error },
    )
  if (error instanceof UpstreamRejected)
    return new AppError('UPSTREAM_FAILED', 'The marketplace did not accept the request.', { cause: error })
  const retryAfterSeconds = error.retryAfterMs === undefined ? 10 : Math.ceil(error.retryAfterMs / 1000)
  const message =
    error instanceof UpstreamThrottled
      ? 'The marketplace asks us to slow down. Please try again in a moment.'
      : 'The marketplace cannot be reached right now. Please try again in a moment.'
  return new AppError('UPSTREAM_UNAVAILABLE', message, { cause: error, retryAfterSeconds })
}
