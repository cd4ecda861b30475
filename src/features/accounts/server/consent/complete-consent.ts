import type { Ctx } from '#server/context.ts'
import type { AdsConnected, CallbackInput, SellerConnected } from '../../connect-contract.ts'
import { adsConsent } from './ads-consent.ts'
import { sellerConsent } from './seller-consent.ts'
import { redeemState } from './state.ts'

/**
 * Completes the consent to advertising accounts: redeems the code, asks every region for the accounts behind it and
 * keeps each with the merchant of its seller (made from it where there is none). Throws OAUTH_STATE_INVALID,
 * OAUTH_REFUSED, OAUTH_CODE_INVALID, NO_PROFILES, MERCHANT_TAKEN (all of them belong to others) or an UPSTREAM code.
 */
export async function completeAdsConsent(ctx: Ctx, input: CallbackInput): Promise<AdsConnected> {
  return adsConsent(ctx, await redeemState(ctx, input.state, 'AMAZON_ADS'), input)
}

/**
 * Completes the consent to a seller account: redeems the code and keeps the seller, with the marketplaces it sells in, as
 * a merchant of the actor. Throws OAUTH_STATE_INVALID, OAUTH_REFUSED, OAUTH_CODE_INVALID, NO_PROFILES (it sells nowhere),
 * MERCHANT_TAKEN, RULE_VIOLATED (another seller than the one to be renewed) or an UPSTREAM code.
 */
export async function completeSellerConsent(ctx: Ctx, input: CallbackInput): Promise<SellerConnected> {
  return sellerConsent(ctx, await redeemState(ctx, input.state, 'SELLING_PARTNER'), input)
}

/** Completes whichever consent the state was issued for. Throws as the two do. */
export async function completeConsent(ctx: Ctx, input: CallbackInput): Promise<AdsConnected | SellerConnected> {
  const consent = await redeemState(ctx, input.state, null)
  return consent.kind === 'AMAZON_ADS' ? adsConsent(ctx, consent, input) : sellerConsent(ctx, consent, input)
}
