import { LRUCache } from 'lru-cache'
import { AppError } from '#shared/errors.ts'
import type { ProfileAds } from '#integrations/amazon-ads/index.ts'
import { type Ctx, requireMerchant, type Services } from '#server/context.ts'
import type { Database } from '#server/db/open-database.ts'
import type { Invalidations } from '#server/db/invalidations.ts'
import type { Db } from '#server/db/tables.ts'
import type { AmazonProfile } from '../contract.ts'
import { factsOf, profileAnswer } from './present.ts'
import { anyOf } from './sql/merchants.ts'
import { managedProfiles, type ProfileRow, profileRows } from './sql/profiles.ts'

/** An advertising account as the other features use it. Its days are days in its time zone. */
export interface Profile extends Omit<ProfileRow, 'id' | 'accountType' | 'sellingPartnerId'> {
  profileId: number
  marketplaceAmazonId: string
  accountType: 'seller' | 'vendor'
  /** The selling partner's id. */
  sellerId: string
}

function profileOf({ id, accountType, sellingPartnerId, ...row }: ProfileRow): Profile {
  return {
    ...row,
    profileId: id,
    marketplaceAmazonId: factsOf(row.marketplaceId).amazonId,
    accountType: accountType === 'VENDOR' ? 'vendor' : 'seller',
    sellerId: sellingPartnerId,
  }
}

/** The managed advertising account of the current shop. Throws RULE_VIOLATED if there is none or another is meant. */
export async function currentProfile(ctx: Ctx): Promise<Profile> {
  return readAccount(ctx, (_tx, profile) => Promise.resolve(profile))
}

/** The same, within a transaction of the current merchant. */
export async function currentProfileIn(tx: Db, ctx: Ctx): Promise<Profile> {
  const { merchantId, marketplaceId } = currentShop(ctx)
  const row = await managedProfiles(tx, [merchantId]).where('p.marketplace_id', '=', marketplaceId).executeTakeFirst()
  if (!row) throw new AppError('RULE_VIOLATED', 'Connect an advertising account for this marketplace first.')
  return profileOf(row)
}

function currentShop(ctx: Ctx): { merchantId: number; marketplaceId: number } {
  const merchantId = requireMerchant(ctx)
  const { marketplaceId } = ctx.actor
  if (marketplaceId === null) throw new AppError('RULE_VIOLATED', 'Choose a marketplace first.')
  // Chosen once for all devices of a user: a page that was open meanwhile still shows, and means, the one before.
  if (ctx.shop !== null && ctx.shop !== `${merchantId}/${marketplaceId}`)
    throw new AppError(
      'RULE_VIOLATED',
      'You work in another account or marketplace by now, as chosen on another page or device. Choose this one again.',
    )
  return { merchantId, marketplaceId }
}

interface CachedProfile {
  profile: Profile
  /** The moment at which it was read. */
  stamp: number
}
const maxCached = 5000
// For each database that a process has open.
const cachedProfiles = new WeakMap<Invalidations, LRUCache<string, CachedProfile>>()

/**
 * Reads of the current advertising account, all on one connection. Throws like currentProfile. The account itself is cached
 * until the database notifies a change of the merchant's rows.
 */
export async function readAccount<T>(ctx: Ctx, read: (tx: Db, profile: Profile) => Promise<T>): Promise<T> {
  const { merchantId, marketplaceId } = currentShop(ctx)
  const { invalidations } = ctx
  const cache = cachedProfiles.get(invalidations) ?? new LRUCache<string, CachedProfile>({ max: maxCached })
  cachedProfiles.set(invalidations, cache)
  const key = `${merchantId}/${marketplaceId}`
  const cached = cache.get(key)
  const isCurrent = cached !== undefined && invalidations.isCurrent([`merchant ${merchantId}`], cached.stamp)
  return ctx.db.reading(merchantId, async tx => {
    if (isCurrent) return read(tx, cached.profile)
    const stamp = invalidations.stamp()
    const profile = await currentProfileIn(tx, ctx)
    cache.set(key, { profile, stamp })
    return read(tx, profile)
  })
}

/** One advertising account of a merchant, managed or not. Throws NOT_FOUND when the merchant has none of this id. */
export async function profileById(tx: Db, merchantId: number, profileId: number): Promise<Profile> {
  const row = await profileRows(tx, [merchantId]).where('p.id', '=', profileId).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', 'There is no such advertising account.')
  return profileOf(row)
}

/** The managed advertising accounts of one or some merchants, by country. */
export async function profilesOf(tx: Db, merchantIds: number | readonly number[]): Promise<Profile[]> {
  return (await managedProfiles(tx, [merchantIds].flat()).execute()).map(profileOf)
}

/** The advertising API as this advertising account. */
export function adsOf(
  { amazonAds }: Pick<Services['integrations'], 'amazonAds'>,
  { connectionId, region, amazonProfileId }: Pick<Profile, 'connectionId' | 'region' | 'amazonProfileId'>,
): ProfileAds {
  return amazonAds.forProfile({ connectionId, region, profileId: amazonProfileId })
}

/** What an account owns, and since when. */
export interface Holdings {
  merchants: { merchantId: number; since: Date }[]
  /** The advertising accounts under management. */
  profiles: {
    merchantId: number
    profileId: number
    accountName: string
    countryCode: string
    currency: string
    timezone: string
    /** Percent; null takes the plan's. */
    adSpendPercentage: number | null
    since: Date
  }[]
}

/** The connected merchants that an account owns, and their managed advertising accounts, by id. */
export async function holdingsOf(db: Database, accountId: number): Promise<Holdings> {
  const owned = await connectedMerchants(db.system, [accountId]).where('role', '=', 'OWNER').execute()
  const merchantIds = owned.map(one => one.merchantId)
  const profiles = await db.reading(merchantIds, tx =>
    tx
      .selectFrom('ads_profile')
      .select(['merchant_id as merchantId', 'id as profileId', 'account_name as accountName'])
      .select(['country_code as countryCode', 'currency', 'timezone', 'ad_spend_percentage as adSpendPercentage'])
      .select(eb => eb.fn.coalesce('managed_at', 'created_at').as('since'))
      .where('merchant_id', '=', anyOf(merchantIds))
      .where('is_managed', '=', true)
      .orderBy('merchant_id')
      .orderBy('id')
      .execute(),
  )
  const merchants = owned.map(({ merchantId, since }) => {
    // A merchant that was brought back counts from then on, when its accounts came under management again.
    const managed = profiles.filter(p => p.merchantId === merchantId).map(p => p.since.getTime())
    return { merchantId, since: managed.length ? new Date(Math.min(...managed)) : since }
  })
  return { merchants, profiles }
}

/** Every advertising account of each account's merchants, managed or not, as the contract has them. */
export async function amazonProfilesByAccount(
  db: Database,
  accountIds: readonly number[],
): Promise<Map<number, AmazonProfile[]>> {
  const members = await connectedMerchants(db.system, accountIds).execute()
  const merchantIds = [...new Set(members.map(row => row.merchantId))]
  const rows = merchantIds.length ? await db.reading(merchantIds, tx => profileRows(tx, merchantIds).execute()) : []
  const byMerchant = Map.groupBy(rows, row => row.merchantId)
  const profiles = new Map<number, AmazonProfile[]>()
  for (const { accountId, merchantId } of members) {
    const more = (byMerchant.get(merchantId) ?? []).map(profileAnswer)
    profiles.set(accountId, [...(profiles.get(accountId) ?? []), ...more])
  }
  return profiles
}

/** The same for one account. */
export async function amazonProfilesOf(db: Database, accountId: number): Promise<AmazonProfile[]> {
  return (await amazonProfilesByAccount(db, [accountId])).get(accountId) ?? []
}

function connectedMerchants(db: Db, accountIds: readonly number[]) {
  return db
    .selectFrom('membership')
    .select(['account_id as accountId', 'merchant_id as merchantId', 'created_at as since'])
    .where('account_id', '=', anyOf(accountIds))
    .where('ended_at', 'is', null)
    .orderBy('merchant_id')
}
