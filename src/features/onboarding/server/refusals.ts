import { AppError } from '#shared/errors.ts'
import { ReportNotReady, TradeNotReady } from '#features/metrics/server/public.ts'
import {
  UpstreamForbidden,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnauthorized,
} from '#server/http-client/upstream-errors.ts'

/** True of a failure that only the user can end, by connecting the account again: trying again is of no use. */
export function isLockedOut(error: unknown): boolean {
  return (
    error instanceof UpstreamUnauthorized ||
    error instanceof UpstreamForbidden ||
    (error instanceof AppError && error.code === 'UPSTREAM_UNAUTHORIZED')
  )
}

/** True of a refusal of one thing (a right or a report that this seller does not have): it stays unknown, the rest goes on. */
export const isNotTold = (error: unknown): boolean =>
  error instanceof UpstreamRejected || error instanceof UpstreamForbidden

/** True when only the marketplace's time is lacking: nothing is wrong, and it is looked at again a minute later. */
export const isWaiting = (error: unknown): boolean =>
  error instanceof ReportNotReady || error instanceof TradeNotReady || error instanceof UpstreamThrottled

/** When to look again. */
export const WAIT_SECONDS = 60
