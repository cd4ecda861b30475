import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import { marketplaceById, type RegionKey, regions } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import type { AdsConnected, CallbackInput, SellerConnected } from '../../connect-contract.ts'
import type { ConnectionKind } from '../../contract.ts'
import { requireOwner } from '../merchants.ts'
import { connectionsOf, merchantById } from '../sql/merchants.ts'
import { adsConsent } from './ads-consent.ts'
import type { ConsentState } from './redeem-code.ts'
import { sellerConsent } from './seller-consent.ts'

interface ConsentRequest {
  regionId: number
  /** The merchant that the consent must be for; any when absent. */
  merchantId?: number | undefined
  /** Which country's console the person signs in to; the region's first when absent. */
  marketplaceId?: number | undefined
}

/**
 * Where to send the browser for a consent. The state in it is single use, bound to the actor, the kind and the region,
 * and lives ten minutes. Throws NOT_FOUND for an unknown region or a merchant that is not the user's, RULE_VIOLATED when
 * the merchant is of another region or the marketplace has no console, FORBIDDEN where the user only views the merchant.
 */
export async function beginConsent(ctx: Ctx, kind: ConnectionKind, request: ConsentRequest): Promise<{ url: string }> {
  const region = regions.find(r => r.id === request.regionId)
  if (!region) throw new AppError('NOT_FOUND', 'There is no such region.')
  const { merchantId } = request
  if (merchantId !== undefined) {
    await requireOwner(ctx, merchantId)
    const merchant = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
    if (merchant?.region !== region.key) throw new AppError('RULE_VIOLATED', 'The merchant is in another region.')
  }
  const key = consoleOf(region.key, request.marketplaceId)
  requireSetUp(ctx, kind)
  const state = await issueState(ctx, { kind, region: region.key, merchantId: merchantId ?? null })
  const redirectUri = `${ctx.config.publicUrl}/callback`
  const { loginWithAmazon, sellingPartner } = ctx.integrations
  const url =
    kind === 'AMAZON_ADS'
      ? loginWithAmazon.authorizeUrl({ region: region.key, state, redirectUri })
      : sellingPartner.consentUrl({ marketplaceKey: key, state, redirectUri })
  return { url }
}

/** Where to send the browser to authorise a connection again. Throws NOT_FOUND, and FORBIDDEN to viewers. */
export async function beginReconnect(ctx: Ctx, connectionId: number): Promise<{ url: string }> {
  const { merchantIds } = ctx.actor
  const all = await ctx.db.tenant(merchantIds, tx => connectionsOf(tx, merchantIds))
  const connection = all.find(c => c.id === connectionId)
  const region = regions.find(r => r.key === connection?.region)
  if (!connection || !region) throw new AppError('NOT_FOUND', 'There is no such connection.')
  return beginConsent(ctx, connection.kind, { regionId: region.id, merchantId: connection.merchantId })
}

// The consoles of a region's first country let the sellers of most of its other countries in as well.
const firstConsole: Record<RegionKey, string> = { NA: 'US', EU: 'UK', FE: 'JP' }

function consoleOf(region: RegionKey, marketplaceId: number | undefined): string {
  if (marketplaceId === undefined) return firstConsole[region]
  const facts = marketplaceById(marketplaceId)
  if (facts?.region !== region) throw new AppError('NOT_FOUND', 'There is no such marketplace in this region.')
  if (!facts.sellerCentralUrl) throw new AppError('RULE_VIOLATED', 'This marketplace has no console of its own yet.')
  return facts.key
}

function requireSetUp({ config }: Ctx, kind: ConnectionKind): void {
  const missing =
    kind === 'AMAZON_ADS'
      ? !config.ADS_CLIENT_ID || !config.ADS_CLIENT_SECRET
      : !config.SP_APPLICATION_ID || !config.SP_CLIENT_ID || !config.SP_CLIENT_SECRET
  if (missing) throw new AppError('UPSTREAM_UNAVAILABLE', 'Connecting accounts is not set up on this server.')
}

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

const livesMs = 10 * 60_000
const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex')

/** Creates a state of 256 bits for a consent of the actor; only its hash is stored, for ten minutes. */
async function issueState({ db, actor, clock }: Ctx, consent: ConsentState): Promise<string> {
  const { accountId } = actor
  const state = randomBytes(32).toString('base64url')
  const now = clock.now()
  const expired = db.system.deleteFrom('oauth_state').where('account_id', '=', accountId)
  await expired.where('expires_at', '<', now).execute()
  await db.system
    .insertInto('oauth_state')
    .values({
      state_hash: hashOf(state),
      account_id: accountId,
      kind: consent.kind,
      region: consent.region,
      merchant_id: consent.merchantId,
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
      used_at: null,
    })
    .execute()
  return state
}

/** Uses a state up. Throws OAUTH_STATE_INVALID with the same words for whatever is wrong with it. */
async function redeemState(ctx: Ctx, state: string, kind: ConnectionKind | null): Promise<ConsentState> {
  const now = ctx.clock.now()
  const consent = await ctx.db.system
    .updateTable('oauth_state')
    .set({ used_at: now })
    .where('state_hash', '=', hashOf(state))
    .where('account_id', '=', ctx.actor.accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(kind !== null, query => query.where('kind', '=', kind as ConnectionKind))
    .returning(['kind', 'region', 'merchant_id as merchantId'])
    .executeTakeFirst()
  if (!consent)
    throw new AppError('OAUTH_STATE_INVALID', 'This connection was not started here, or it was completed already.')
  return consent
}
