import { AppError } from '#shared/errors.ts'
import { marketplaceByAmazonId, marketplaceByKey, type RegionKey, regions } from '#shared/marketplaces.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import type { Profile as AdsProfile } from '#integrations/amazon-ads/index.ts'
import type { Grant } from '#integrations/login-with-amazon/index.ts'
import type { AdsConnected } from '../../connect-contract.ts'
import { announceManaged } from '../signals.ts'
import { profileAnswer } from '../present.ts'
import { openConnection } from '../sql/connections.ts'
import { joinTrial, merchantById } from '../sql/merchants.ts'
import type { ConsentState } from '../sql/oauth-states.ts'
import { type NewProfile, profileRows, saveProfiles } from '../sql/profiles.ts'
import { storeGrant } from '../tokens/seal-grant.ts'
import { merchantForSeller } from './merchant-for-seller.ts'
import { consentedCode, redeemCode, type Returned, upstreamFailure } from './redeem-code.ts'
import { redeemState } from './state.ts'

interface SellersProfiles {
  region: RegionKey
  sellingPartnerId: string
  accountType: 'SELLER' | 'VENDOR'
  profiles: NewProfile[]
}

/**
 * Completes the consent to advertising accounts: redeems the code, asks every region for the accounts behind it and
 * keeps each with the merchant of its seller (made from it where there is none). Throws OAUTH_STATE_INVALID,
 * OAUTH_REFUSED, OAUTH_CODE_INVALID, NO_PROFILES, MERCHANT_TAKEN (all of them belong to others) or an UPSTREAM code.
 */
export async function completeAdsConsent(ctx: Ctx, input: Returned & { state: string }): Promise<AdsConnected> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const consent = await redeemState(ctx, input.state, 'AMAZON_ADS')
  return adsConsent(ctx, consent, input)
}

/** The same, for a state that was redeemed already. */
export async function adsConsent(ctx: Ctx, consent: ConsentState, returned: Returned): Promise<AdsConnected> {
  const code = consentedCode(returned)
  const grant = await redeemCode(ctx, ctx.integrations.loginWithAmazon, code)
  const sellersFound = bySeller(await profilesBehind(ctx, grant.accessToken))
  const sellers = consent.merchantId === null ? sellersFound : await ofMerchant(ctx, consent.merchantId, sellersFound)
  if (!sellers.length) throw noProfiles(sellersFound.length > 0)
  const saved = await ctx.db.transaction(tx => saveSellers(ctx, tx, grant, sellers))
  const [first] = saved.connected
  if (!first)
    throw new AppError('MERCHANT_TAKEN', 'These accounts are connected by someone else already.', {
      details: saved.taken,
    })
  const merchantIds = saved.connected.map(c => c.merchantId)
  const rows = await ctx.db.tenant(merchantIds, tx => profileRows(tx, merchantIds).execute())
  return { connectionId: first.id, kind: 'AMAZON_ADS', profiles: rows.map(profileAnswer), taken: saved.taken }
}

const noProfiles = (someoneElses: boolean) =>
  new AppError(
    'NO_PROFILES',
    someoneElses
      ? 'None of these advertising accounts belongs to this merchant.'
      : 'There is no advertising account behind this log-in.',
  )

// A token works in all regions, the accounts live in one each. A region that does not know us holds none of them.
async function profilesBehind(ctx: Ctx, accessToken: string): Promise<AdsProfile[]> {
  const ads = ctx.integrations.amazonAdsOf(accessToken)
  const results = await Promise.allSettled(regions.map(region => ads.listProfiles(0, region.key)))
  const failed = results.flatMap(answer => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  const isRefusal = (e: unknown) => e instanceof UpstreamUnauthorized || e instanceof UpstreamForbidden
  const refusals = failed.filter(isRefusal)
  const worse = failed.find(e => !isRefusal(e)) ?? (refusals.length === regions.length ? refusals[0] : undefined)
  if (worse) throw upstreamFailure(worse)
  return results.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
}

function bySeller(profiles: readonly AdsProfile[]): SellersProfiles[] {
  const sellers = new Map<string, SellersProfiles>()
  for (const profile of profiles) {
    const marketplace = marketplaceByAmazonId(profile.marketplaceId) ?? marketplaceByKey(profile.countryCode)
    // An agency's own profile can make no calls, and we cannot manage a country that we do not know.
    if (profile.accountType === 'AGENCY' || !marketplace) continue
    const key = `${profile.region}/${profile.accountId}`
    const seller = sellers.get(key) ?? {
      region: profile.region,
      sellingPartnerId: profile.accountId,
      accountType: profile.accountType,
      profiles: [],
    }
    seller.profiles.push({
      amazonProfileId: profile.profileId,
      region: profile.region,
      marketplaceId: marketplace.id,
      countryCode: marketplace.key,
      currency: profile.currency,
      timezone: profile.timezone,
      accountName: profile.accountName,
      accountType: profile.accountType,
      accountSubType: profile.accountSubType,
      validPaymentMethod: profile.validPaymentMethod,
      dailyBudgetMicros: profile.dailyBudgetMicros,
    })
    sellers.set(key, seller)
  }
  // In one order for all, so that two consents at once wait for each other and never in a circle.
  return [...sellers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, seller]) => seller)
}

async function ofMerchant(ctx: Ctx, merchantId: number, sellers: readonly SellersProfiles[]) {
  const merchant = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
  return sellers.filter(s => s.sellingPartnerId === merchant?.sellingPartnerId && s.region === merchant.region)
}

async function saveSellers(ctx: Ctx, tx: Db, grant: Grant, sellers: readonly SellersProfiles[]) {
  const { accountId } = ctx.actor
  const now = ctx.clock.now()
  const connected: { merchantId: number; id: number }[] = []
  const taken: string[] = []
  for (const seller of sellers) {
    const name = seller.profiles[0]?.accountName ?? seller.sellingPartnerId
    const merchantId = await merchantForSeller(tx, accountId, { ...seller, name })
    if (merchantId === null) {
      taken.push(name)
      continue
    }
    await joinTrial(tx, merchantId, accountId, now)
    const { region } = seller
    const id = await openConnection(tx, { merchantId, kind: 'AMAZON_ADS', region, grantedBy: accountId, now })
    await storeGrant(ctx, tx, merchantId, id, grant)
    await saveProfiles(tx, merchantId, id, seller.profiles, now)
    await announceManaged(ctx, tx, merchantId)
    await recordAudit(tx, {
      merchantId,
      accountId,
      action: 'connection.connect',
      entity: 'connection',
      entityId: id,
      after: { kind: 'AMAZON_ADS', profiles: seller.profiles.map(p => p.amazonProfileId) },
      requestId: ctx.requestId,
    })
    await ctx.events.publish(tx, [accountId], 'connections', { merchantId, connectionId: id })
    connected.push({ merchantId, id })
  }
  return { connected, taken }
}
