import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Merchant } from '../../contract.ts'
import { requireMember } from '../membership-rules.ts'
import { merchantAnswer } from '../present.ts'
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
