import { AppError } from '#shared/errors.ts'
import { UpstreamForbidden, UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'

/** True of a failure that only the user can end, by connecting the account again: trying again is of no use. */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof UpstreamUnauthorized ||
  error instanceof UpstreamForbidden ||
  (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')

/** True of a refusal of one thing (a right or a report that this seller does not have): it stays unknown, the rest goes on. */
export const isNotTold = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden
