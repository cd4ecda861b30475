import { AppError } from '#shared/errors.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import { UpstreamForbidden, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { Seller } from '#integrations/selling-partner/index.ts'
import type { CallbackInput, SellerConnected } from '../../connect-contract.ts'
import { merchantAnswer } from '../present.ts'
import { merchantById } from '../sql/merchants.ts'
import { connectSeller } from './connect-seller.ts'
import { consentedCode, type ConsentState, redeemCode, upstreamFailure } from './redeem-code.ts'

export async function sellerConsent(ctx: Ctx, consent: ConsentState, input: CallbackInput): Promise<SellerConnected> {
  const code = consentedCode(input.spapi_oauth_code, input.error)
  const { selling_partner_id: sellingPartnerId } = input
  if (!sellingPartnerId)
    throw new AppError('VALIDATION_FAILED', 'The selling partner id is missing.', {
      details: ['The selling partner id is missing'],
    })
  await requireSameSeller(ctx, consent, sellingPartnerId)
  const grant = await redeemCode(ctx, ctx.integrations.loginWithAmazonSellers, code)
  const { region } = consent
  const ofToken = ctx.integrations.sellingPartnerOf(grant.accessToken)
  const participations = await participationsOf(
    ofToken.forSeller({ connectionId: 0, region, sellerId: sellingPartnerId }),
  )
  if (!participations.length)
    throw new AppError('NO_PROFILES', 'This seller account sells in no marketplace that we know.')
  const name = participations.find(p => p.storeName)?.storeName ?? sellingPartnerId
  const saved = await ctx.db.transaction(tx =>
    connectSeller(
      ctx,
      tx,
      { region, sellingPartnerId, name, accountType: 'SELLER' },
      {
        kind: 'SELLING_PARTNER',
        grant,
        audited: { marketplaces: participations.map(p => p.countryCode) },
        save: async merchant_id => {
          await tx.deleteFrom('merchant_marketplace').where('merchant_id', '=', merchant_id).execute()
          const rows = participations.map(p => ({
            merchant_id,
            marketplace_id: p.ourId,
            is_participating: p.participating,
            has_suspended_listings: p.suspendedListings,
          }))
          await tx.insertInto('merchant_marketplace').values(rows).execute()
        },
      },
    ),
  )
  if (!saved) throw new AppError('MERCHANT_TAKEN', 'This seller account is connected by someone else already.')
  const row = await ctx.db.tenant(saved.merchantId, tx => merchantById(tx, saved.merchantId))
  if (!row) throw new AppError('NOT_FOUND', 'There is no such merchant.')
  return { connectionId: saved.connectionId, kind: 'SELLING_PARTNER', merchant: merchantAnswer(row) }
}

async function requireSameSeller(ctx: Ctx, { merchantId, region }: ConsentState, sellingPartnerId: string) {
  if (merchantId === null) return
  const merchant = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
  if (merchant?.sellingPartnerId !== sellingPartnerId || merchant.region !== region)
    throw new AppError('RULE_VIOLATED', 'This is another seller account than the one to be connected.')
}

/** Where the seller sells, of the marketplaces that we know. Throws OAUTH_CODE_INVALID or an UPSTREAM code. */
async function participationsOf(seller: Seller) {
  try {
    const participations = (await seller.participations()).flatMap(p => {
      const ourId = marketplaceByAmazonId(p.marketplaceId)?.id
      return ourId === undefined ? [] : [{ ...p, ourId }]
    })
    const probe = participations.find(p => p.participating) ?? participations[0]
    if (probe) await proveSeller(seller, probe.marketplaceId)
    return participations
  } catch (error) {
    throw upstreamFailure(error)
  }
}

/**
 * The seller's id comes by way of the browser, the token does not: reading one page of that seller's listings proves
 * that both belong together. Otherwise anyone could hold another's seller in his own name.
 */
async function proveSeller(seller: Seller, marketplaceId: string): Promise<void> {
  try {
    await seller.listings(marketplaceId).next()
  } catch (error) {
    if (!(error instanceof UpstreamForbidden || error instanceof UpstreamRejected)) throw error
    throw new AppError('OAUTH_CODE_INVALID', 'The permission was given for another seller account.', { cause: error })
  }
}
