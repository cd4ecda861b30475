import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Marketplace } from '../../contract.ts'
import { requireMember } from '../membership-rules.ts'
import { marketplaceAnswer } from '../present.ts'
import { currentChoice, setCurrentChoice } from '../sql/current-choice.ts'
import { marketplaceIdsOf } from '../sql/merchant-marketplaces.ts'

/** The current marketplace. Throws NOT_FOUND when none is chosen or the current merchant is not in it. */
export async function getCurrentMarketplace(ctx: Ctx): Promise<Marketplace> {
  const { merchantId } = ctx.actor
  const { marketplaceId } = await currentChoice(ctx.db.system, ctx.actor.accountId)
  const known = merchantId === null ? [] : await ctx.db.tenant(merchantId, tx => marketplaceIdsOf(tx, merchantId))
  if (marketplaceId === null || !known.includes(marketplaceId))
    throw new AppError('NOT_FOUND', 'No marketplace is chosen.')
  return marketplaceAnswer(marketplaceId)
}

/** Makes a marketplace the current one. Throws NOT_FOUND without a current merchant or when it is not in it. */
export async function chooseMarketplace(ctx: Ctx, marketplaceId: number): Promise<Marketplace> {
  const { merchantId } = ctx.actor
  if (merchantId === null) throw new AppError('NOT_FOUND', 'No merchant is chosen.')
  const known = await ctx.db.tenant(merchantId, tx => marketplaceIdsOf(tx, merchantId))
  if (!known.includes(marketplaceId)) throw new AppError('NOT_FOUND', 'The merchant is not in this marketplace.')
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
