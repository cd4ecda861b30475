import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Merchant, AmazonProfile, Marketplace } from '../../contract.ts'
import { requireMember } from '../membership-rules.ts'
import { merchantAnswer, profileAnswer, marketplaceAnswer } from '../present.ts'
import { currentChoice, setCurrentChoice } from '../sql/current-choice.ts'
import { marketplaceIdsOf } from '../sql/merchant-marketplaces.ts'
import { merchantById } from '../sql/merchants.ts'
import { profileRows } from '../sql/profiles.ts'

/** The current merchant. Throws NOT_FOUND when none is chosen or the user left it. */
export async function getCurrentMerchant(ctx: Ctx): Promise<Merchant> {
  const { merchantId } = ctx.actor
  if (merchantId === null) throw new AppError('NOT_FOUND', 'No merchant is chosen.')
  return merchantOf(ctx, merchantId)
}

/**
 * Makes a merchant the current one. The marketplace stays where the merchant is in it too; else its first managed
 * advertising account, or its first marketplace, decides. Throws NOT_FOUND when the merchant is not the user's.
 */
export async function chooseMerchant(ctx: Ctx, merchantId: number): Promise<Merchant> {
  await requireMember(ctx, merchantId)
  const { marketplaces, managed } = await ctx.db.tenant(merchantId, async tx => {
    const rows = await profileRows(tx, [merchantId]).where('p.is_managed', '=', true).execute()
    return { marketplaces: await marketplaceIdsOf(tx, merchantId), managed: rows.map(row => row.marketplaceId) }
  })
  const { marketplaceId } = await currentChoice(ctx.db.system, ctx.actor.accountId)
  const stays = marketplaceId !== null && (managed.length ? managed : marketplaces).includes(marketplaceId)
  await setCurrentChoice(ctx.db.system, ctx.actor.accountId, {
    merchantId,
    marketplaceId: stays ? marketplaceId : (managed[0] ?? marketplaces[0] ?? null),
  })
  return merchantOf(ctx, merchantId)
}

async function merchantOf(ctx: Ctx, merchantId: number): Promise<Merchant> {
  const row = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
  if (!row) throw new AppError('NOT_FOUND', 'There is no such merchant.')
  return merchantAnswer(row)
}

/** Makes merchant and marketplace of an advertising account the current ones. Throws NOT_FOUND when it is not the user's. */
export async function selectProfile(ctx: Ctx, amazonProfileId: string): Promise<AmazonProfile> {
  const { merchantIds } = ctx.actor
  const rows = await ctx.db.tenant(merchantIds, tx =>
    profileRows(tx, merchantIds).where('p.amazon_profile_id', '=', amazonProfileId).execute(),
  )
  const row = rows.find(r => r.isManaged) ?? rows[0]
  if (!row) throw new AppError('NOT_FOUND', 'There is no such advertising account.')
  await setCurrentChoice(ctx.db.system, ctx.actor.accountId, {
    merchantId: row.merchantId,
    marketplaceId: row.marketplaceId,
  })
  return profileAnswer(row)
}

/** The current marketplace. Throws NOT_FOUND when none is chosen or the current merchant is not in it. */
export async function getCurrentMarketplace(ctx: Ctx): Promise<Marketplace> {
  const { merchantId } = ctx.actor
  const { marketplaceId } = await currentChoice(ctx.db.system, ctx.actor.accountId)
  const marketplaceIds =
    merchantId === null ? [] : await ctx.db.tenant(merchantId, tx => marketplaceIdsOf(tx, merchantId))
  if (marketplaceId === null || !marketplaceIds.includes(marketplaceId))
    throw new AppError('NOT_FOUND', 'No marketplace is chosen.')
  return marketplaceAnswer(marketplaceId)
}

/** Makes a marketplace the current one. Throws NOT_FOUND without a current merchant or when it is not in it. */
export async function chooseMarketplace(ctx: Ctx, marketplaceId: number): Promise<Marketplace> {
  const { merchantId } = ctx.actor
  if (merchantId === null) throw new AppError('NOT_FOUND', 'No merchant is chosen.')
  const marketplaceIds = await ctx.db.tenant(merchantId, tx => marketplaceIdsOf(tx, merchantId))
  if (!marketplaceIds.includes(marketplaceId))
    throw new AppError('NOT_FOUND', 'The merchant is not in this marketplace.')
  await setCurrentChoice(ctx.db.system, ctx.actor.accountId, { merchantId, marketplaceId })
  return marketplaceAnswer(marketplaceId)
}

/** The marketplaces of the current merchant. Throws NOT_FOUND when none is chosen. */
export async function listMarketplaces(ctx: Ctx): Promise<Marketplace[]> {
  if (ctx.actor.merchantId === null) throw new AppError('NOT_FOUND', 'No merchant is chosen.')
  return listMarketplacesOf(ctx, ctx.actor.merchantId)
}

/** The marketplaces of a merchant: where it sells and where it advertises. Throws NOT_FOUND when it is not the user's. */
export async function listMarketplacesOf(ctx: Ctx, merchantId: number): Promise<Marketplace[]> {
  await requireMember(ctx, merchantId)
  const ids = await ctx.db.tenant(merchantId, tx => marketplaceIdsOf(tx, merchantId))
  return ids.map(marketplaceAnswer)
}
