import { AppError } from '#shared/errors.ts'
import {
  UpstreamError,
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
} from '../upstream-errors.ts'

/**
 * A failure of the marketplace as the caller may be told it; anything else as it is. The marketplace's own 401 becomes
 * UPSTREAM_UNAUTHORIZED, never our 401, which would sign the user out.
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
