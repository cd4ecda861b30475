import { AppError } from '#shared/errors.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamForbidden, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import type { Grant } from '#integrations/login-with-amazon/index.ts'
import type { Participation, Seller } from '#integrations/selling-partner/index.ts'
import type { SellerConnected } from '../../connect-contract.ts'
import { announceManaged } from '../signals.ts'
import { merchantAnswer } from '../present.ts'
import { openConnection } from '../sql/connections.ts'
import { replaceParticipations } from '../sql/merchant-marketplaces.ts'
import { joinTrial, merchantById } from '../sql/merchants.ts'
import type { ConsentState } from '../sql/oauth-states.ts'
import { storeGrant } from '../tokens/seal-grant.ts'
import { merchantForSeller } from './merchant-for-seller.ts'
import { consentedCode, redeemCode, type Returned, upstreamFailure } from './redeem-code.ts'
import { redeemState } from './state.ts'

export interface SellerReturned extends Returned {
  sellingPartnerId: string | undefined
}

/**
 * Completes the consent to a seller account: redeems the code and keeps the seller, with the marketplaces it sells in, as
 * a merchant of the actor. Throws OAUTH_STATE_INVALID, OAUTH_REFUSED, OAUTH_CODE_INVALID, NO_PROFILES (it sells nowhere),
 * MERCHANT_TAKEN, RULE_VIOLATED (another seller than the one to be renewed) or an UPSTREAM code.
 */
export async function completeSellerConsent(
  ctx: Ctx,
  input: SellerReturned & { state: string },
): Promise<SellerConnected> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const consent = await redeemState(ctx, input.state, 'SELLING_PARTNER')
  return sellerConsent(ctx, consent, input)
}

/** The same, for a state that was redeemed already. */
export async function sellerConsent(
  ctx: Ctx,
  consent: ConsentState,
  returned: SellerReturned,
): Promise<SellerConnected> {
  const code = consentedCode(returned)
  const { sellingPartnerId } = returned
  if (!sellingPartnerId)
    throw new AppError('VALIDATION_FAILED', 'The selling partner id is missing.', {
      details: ['The selling partner id is missing'],
    })
  await requireSameSeller(ctx, consent, sellingPartnerId)
  const grant = await redeemCode(ctx, ctx.integrations.loginWithAmazonSellers, code)
  const participations = await askSeller(ctx, grant, consent, sellingPartnerId)
  if (!participations.length)
    throw new AppError('NO_PROFILES', 'This seller account sells in no marketplace that we know.')
  const saved = await ctx.db.transaction(tx =>
    saveSeller(ctx, tx, { consent, sellingPartnerId, grant, participations }),
  )
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

type Known = Participation & { ourId: number }

async function askSeller(ctx: Ctx, grant: Grant, { region }: ConsentState, sellerId: string): Promise<Known[]> {
  const seller = ctx.integrations.sellingPartnerOf(grant.accessToken).forSeller({ connectionId: 0, region, sellerId })
  try {
    const participations = await seller.participations()
    const knownParticipations = participations.flatMap(p => {
      const ourId = marketplaceByAmazonId(p.marketplaceId)?.id
      return ourId === undefined ? [] : [{ ...p, ourId }]
    })
    const probe = knownParticipations.find(p => p.participating) ?? knownParticipations[0]
    if (probe) await proveSeller(seller, probe.marketplaceId)
    return knownParticipations
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

interface Kept {
  consent: ConsentState
  sellingPartnerId: string
  grant: Grant
  participations: readonly Known[]
}

async function saveSeller(ctx: Ctx, tx: Db, { consent, sellingPartnerId, grant, participations }: Kept) {
  const { accountId } = ctx.actor
  const { region } = consent
  const name = participations.find(p => p.storeName)?.storeName ?? sellingPartnerId
  const merchantId = await merchantForSeller(tx, accountId, { region, sellingPartnerId, name, accountType: 'SELLER' })
  if (merchantId === null)
    throw new AppError('MERCHANT_TAKEN', 'This seller account is connected by someone else already.')
  const now = ctx.clock.now()
  await joinTrial(tx, merchantId, accountId, now)
  const connectionId = await openConnection(tx, {
    merchantId,
    kind: 'SELLING_PARTNER',
    region,
    grantedBy: accountId,
    now,
  })
  await storeGrant(ctx, tx, merchantId, connectionId, grant)
  await replaceParticipations(
    tx,
    merchantId,
    participations.map(p => ({
      marketplaceId: p.ourId,
      isParticipating: p.participating,
      hasSuspendedListings: p.suspendedListings,
    })),
  )
  await announceManaged(ctx, tx, merchantId)
  await recordAudit(tx, {
    merchantId,
    accountId,
    action: 'connection.connect',
    entity: 'connection',
    entityId: connectionId,
    after: { kind: 'SELLING_PARTNER', marketplaces: participations.map(p => p.countryCode) },
    requestId: ctx.requestId,
  })
  await ctx.events.publish(tx, [accountId], 'connections', { merchantId, connectionId })
  return { merchantId, connectionId }
}
