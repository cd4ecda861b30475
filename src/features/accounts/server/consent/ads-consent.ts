import { AppError } from '#shared/errors.ts'
import { marketplaceByAmazonId, marketplaceByKey, type RegionKey, regions } from '#shared/marketplaces.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import { UpstreamForbidden, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import type { Profile as AdsProfile } from '#integrations/amazon-ads/index.ts'
import type { AdsConnected, CallbackInput } from '../../connect-contract.ts'
import { profileAnswer } from '../present.ts'
import { merchantById } from '../sql/merchants.ts'
import { profileRows } from '../sql/profiles.ts'
import { connectSeller } from './connect-seller.ts'
import { consentedCode, type ConsentState, redeemCode, upstreamFailure } from './redeem-code.ts'

export async function adsConsent(ctx: Ctx, consent: ConsentState, input: CallbackInput): Promise<AdsConnected> {
  const grant = await redeemCode(ctx, ctx.integrations.loginWithAmazon, consentedCode(input.code, input.error))
  const found = bySeller(await profilesBehind(ctx, grant.accessToken))
  const sellers = consent.merchantId === null ? found : await ofMerchant(ctx, consent.merchantId, found)
  if (!sellers.length)
    throw new AppError(
      'NO_PROFILES',
      found.length
        ? 'None of these advertising accounts belongs to this merchant.'
        : 'There is no advertising account behind this log-in.',
    )
  const taken: string[] = []
  const connected = await ctx.db.transaction(async tx => {
    const connections: { merchantId: number; connectionId: number }[] = []
    for (const { profiles, ...seller } of sellers) {
      const name = profiles[0]?.accountName ?? seller.sellingPartnerId
      const connection = await connectSeller(
        ctx,
        tx,
        { ...seller, name },
        {
          kind: 'AMAZON_ADS',
          grant,
          audited: { profiles: profiles.map(p => p.profileId) },
          save: (merchantId, connectionId) => saveProfiles(tx, merchantId, connectionId, profiles, ctx.clock.now()),
        },
      )
      if (connection) connections.push(connection)
      else taken.push(name)
    }
    return connections
  })
  const [first] = connected
  if (!first)
    throw new AppError('MERCHANT_TAKEN', 'These accounts are connected by someone else already.', { details: taken })
  const merchantIds = connected.map(c => c.merchantId)
  const rows = await ctx.db.tenant(merchantIds, tx => profileRows(tx, merchantIds).execute())
  return { connectionId: first.connectionId, kind: 'AMAZON_ADS', profiles: rows.map(profileAnswer), taken }
}

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

type OurProfile = AdsProfile & { ourMarketplace: { id: number; key: string } }

interface SellersProfiles {
  region: RegionKey
  sellingPartnerId: string
  accountType: 'SELLER' | 'VENDOR'
  profiles: OurProfile[]
}

function bySeller(profiles: readonly AdsProfile[]): SellersProfiles[] {
  const sellers = new Map<string, SellersProfiles>()
  for (const profile of profiles) {
    const { region, accountId: sellingPartnerId, accountType } = profile
    const ourMarketplace = marketplaceByAmazonId(profile.marketplaceId) ?? marketplaceByKey(profile.countryCode)
    // An agency's own profile can make no calls, and we cannot manage a country that we do not know.
    if (accountType === 'AGENCY' || !ourMarketplace) continue
    const key = `${region}/${sellingPartnerId}`
    const seller = sellers.get(key) ?? { region, sellingPartnerId, accountType, profiles: [] }
    seller.profiles.push({ ...profile, ourMarketplace })
    sellers.set(key, seller)
  }
  // In one order for all, so that two consents at once wait for each other and never in a circle.
  return [...sellers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, seller]) => seller)
}

async function ofMerchant(ctx: Ctx, merchantId: number, sellers: readonly SellersProfiles[]) {
  const merchant = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
  return sellers.filter(s => s.sellingPartnerId === merchant?.sellingPartnerId && s.region === merchant.region)
}

/** Adds the profiles of a merchant and updates existing ones; leaves unchanged whether they are managed. */
async function saveProfiles(
  tx: Db,
  merchantId: number,
  connectionId: number,
  profiles: readonly OurProfile[],
  now: Date,
): Promise<void> {
  const rows = profiles.map(profile => ({
    merchant_id: merchantId,
    connection_id: connectionId,
    amazon_profile_id: profile.profileId,
    region: profile.region,
    marketplace_id: profile.ourMarketplace.id,
    country_code: profile.ourMarketplace.key,
    currency: profile.currency,
    timezone: profile.timezone,
    account_name: profile.accountName,
    account_type: profile.accountType as 'SELLER' | 'VENDOR',
    account_sub_type: profile.accountSubType,
    valid_payment_method: profile.validPaymentMethod,
    daily_budget_micros: profile.dailyBudgetMicros,
    updated_at: now,
    created_at: now,
  }))
  await tx
    .insertInto('ads_profile')
    .values(rows)
    .onConflict(conflict =>
      conflict.columns(['merchant_id', 'amazon_profile_id']).doUpdateSet(eb => ({
        connection_id: eb.ref('excluded.connection_id'),
        country_code: eb.ref('excluded.country_code'),
        currency: eb.ref('excluded.currency'),
        timezone: eb.ref('excluded.timezone'),
        account_name: eb.ref('excluded.account_name'),
        account_sub_type: eb.ref('excluded.account_sub_type'),
        valid_payment_method: eb.ref('excluded.valid_payment_method'),
        daily_budget_micros: eb.ref('excluded.daily_budget_micros'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute()
  await raiseVersion(tx, merchantId)
}
