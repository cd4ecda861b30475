import { AppError } from '#shared/errors.ts'
import { ReportNotReady, TradeNotReady } from '#features/metrics/server/public.ts'
import {
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
} from '#server/http-client/upstream-errors.ts'

/** True for an error that only the user can fix, by connecting the account again. A retry is useless. */
export function isLockedOut(error: unknown): boolean {
  return (
    error instanceof UpstreamUnauthorized ||
    error instanceof UpstreamForbidden ||
    (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')
  )
}

/** True if the marketplace rejects one thing, such as a report that this seller has no right to. The rest continues. */
export const isNotTold = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden

/** True if the marketplace needs more time. Nothing is wrong, and the job runs again a minute later. */
export const isWaiting = (error: unknown): boolean =>
  error instanceof ReportNotReady || error instanceof TradeNotReady || error instanceof UpstreamThrottled

/** When to try again. */
export const WAIT_SECONDS = 60
