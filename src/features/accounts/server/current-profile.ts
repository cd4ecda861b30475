import { AppError } from '#shared/errors.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { factsOf } from './present.ts'
import { type ProfileRow, profileRows } from './sql/profiles.ts'

/** An advertising account as the other features use it. */
export interface Profile {
  merchantId: number
  profileId: number
  amazonProfileId: string
  connectionId: number
  region: RegionKey
  /** Our number of the marketplace. */
  marketplaceId: number
  marketplaceAmazonId: string
  countryCode: string
  currency: string
  /** IANA name; days of this account are days there. */
  timezone: string
  accountName: string
  accountType: 'seller' | 'vendor'
  /** The selling partner's id. */
  sellerId: string | null
  /** Null while the seller account itself is not connected. */
  sellingPartnerConnectionId: number | null
  campaignPrefix: string | null
}

function profileOf(row: ProfileRow): Profile {
  return {
    merchantId: row.merchantId,
    profileId: row.id,
    amazonProfileId: row.amazonProfileId,
    connectionId: row.connectionId,
    region: row.region,
    marketplaceId: row.marketplaceId,
    marketplaceAmazonId: factsOf(row.marketplaceId).amazonId,
    countryCode: row.countryCode,
    currency: row.currency,
    timezone: row.timezone,
    accountName: row.accountName,
    accountType: row.accountType === 'VENDOR' ? 'vendor' : 'seller',
    sellerId: row.sellingPartnerId,
    sellingPartnerConnectionId: row.sellingPartnerConnectionId,
    campaignPrefix: row.campaignPrefix,
  }
}

/**
 * The managed advertising account of the current merchant in the current marketplace. Throws RULE_VIOLATED when either
 * is not chosen, the merchant has none there, or the caller means another.
 */
export async function currentProfile(ctx: Ctx): Promise<Profile> {
  return ctx.db.reading(requireMerchant(ctx), tx => currentProfileIn(tx, ctx))
}

/** The same, within a transaction of the current merchant. */
export async function currentProfileIn(tx: Db, ctx: Ctx): Promise<Profile> {
  const merchantId = requireMerchant(ctx)
  const { marketplaceId } = ctx.actor
  if (marketplaceId === null) throw new AppError('RULE_VIOLATED', 'Choose a marketplace first.')
  // Chosen once for all devices of a user: a page that was open meanwhile still shows, and means, the one before.
  if (ctx.shop !== null && ctx.shop !== `${merchantId}/${marketplaceId}`)
    throw new AppError(
      'RULE_VIOLATED',
      'You work in another account or marketplace by now, as chosen on another page or device. Choose this one again.',
    )
  const row = await profileRows(tx, [merchantId])
    .where('p.marketplace_id', '=', marketplaceId)
    .where('p.is_managed', '=', true)
    .executeTakeFirst()
  if (!row) throw new AppError('RULE_VIOLATED', 'Connect an advertising account for this marketplace first.')
  return profileOf(row)
}

/**
 * Reads of the advertising account that the caller works with, all in one transaction. Throws RULE_VIOLATED when no
 * merchant or marketplace is chosen.
 */
export async function readAccount<T>(ctx: Ctx, read: (tx: Db, profile: Profile) => Promise<T>): Promise<T> {
  return ctx.db.reading(requireMerchant(ctx), async tx => read(tx, await currentProfileIn(tx, ctx)))
}

/** One advertising account of a merchant, managed or not. Throws NOT_FOUND when the merchant has none of this id. */
export async function profileById(tx: Db, merchantId: number, profileId: number): Promise<Profile> {
  const row = await profileRows(tx, [merchantId]).where('p.id', '=', profileId).executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', 'There is no such advertising account.')
  return profileOf(row)
}

/** The managed advertising accounts of a merchant, by country. */
export async function profilesOf(tx: Db, merchantId: number): Promise<Profile[]> {
  const rows = await profileRows(tx, [merchantId]).where('p.is_managed', '=', true).execute()
  return rows.map(profileOf)
}
