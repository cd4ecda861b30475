import { AppError } from '#shared/errors.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import {
  AmbiguousOutcome,
  UpstreamError,
  UpstreamRejected,
  UpstreamThrottled,
  UpstreamUnavailable,
} from '#server/http-client/upstream-errors.ts'
import { type Grant, GrantRevoked, type LoginWithAmazon } from '#integrations/login-with-amazon/index.ts'
import type { ConnectionKind } from '../../contract.ts'

export interface ConsentState {
  kind: ConnectionKind
  region: RegionKey
  /** The merchant that the consent is for; null when any will do. */
  merchantId: number | null
}

/** What came back from the consent page as a code. Throws OAUTH_REFUSED when the user refused. */
export function consentedCode(code: string | undefined, error: string | undefined): string {
  if (error) throw new AppError('OAUTH_REFUSED', 'The permission was not given, so nothing was connected.')
  if (!code) throw new AppError('VALIDATION_FAILED', 'The code is missing.', { details: ['The code is missing'] })
  return code
}

/**
 * Redeems a code. Throws OAUTH_CODE_INVALID when it is spent, expired or may be spent (the user must consent again),
 * UPSTREAM_UNAVAILABLE when the marketplace cannot be reached, UPSTREAM_FAILED when it refuses us ourselves.
 */
export async function redeemCode(ctx: Ctx, login: LoginWithAmazon, code: string): Promise<Grant> {
  try {
    return await login.exchangeCode({ code, redirectUri: `${ctx.config.publicUrl}/callback` })
  } catch (error) {
    const spent =
      error instanceof GrantRevoked || error instanceof AmbiguousOutcome || error instanceof UpstreamRejected
    if (spent) throw new AppError('OAUTH_CODE_INVALID', 'The permission expired before it arrived.', { cause: error })
    throw upstreamFailure(error)
  }
}

/** Turns a failure of the marketplace into an error for the user; leaves other errors unchanged. */
export function upstreamFailure(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  const passing = error instanceof UpstreamUnavailable || error instanceof UpstreamThrottled
  return passing
    ? new AppError('UPSTREAM_UNAVAILABLE', 'The marketplace does not answer. Please try again in a moment.', {
        cause: error,
      })
    : new AppError('UPSTREAM_FAILED', 'The marketplace refused the request.', { cause: error })
}
