import { type Ctx, requireAuthority } from '#server/context.ts'
import type { AdsConnected, CallbackInput, SellerConnected } from '../../connect-contract.ts'
import { adsConsent } from './complete-ads-consent.ts'
import { sellerConsent } from './complete-seller-consent.ts'
import { redeemState } from './state.ts'

/** Completes whichever consent the state was issued for. Throws as the two do. */
export async function completeConsent(ctx: Ctx, input: CallbackInput): Promise<AdsConnected | SellerConnected> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const consent = await redeemState(ctx, input.state, null)
  return consent.kind === 'AMAZON_ADS'
    ? adsConsent(ctx, consent, { code: input.code, error: input.error })
    : sellerConsent(ctx, consent, {
        code: input.spapi_oauth_code,
        error: input.error,
        sellingPartnerId: input.selling_partner_id,
      })
}
