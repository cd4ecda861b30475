import { AppError } from '#shared/errors.ts'
import { hasUnitPrecision, toMicros } from '#shared/money.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { currentProfile, requireOwner } from '#features/accounts/server/public.ts'
import type { InventoryProduct } from '../contract.ts'
import { presentProduct } from './present-product.ts'
import { rowById, saveCogs } from './sql/inventory-rows.ts'

/**
 * Sets what one unit of a product costs the seller, in the product's currency. Throws NOT_FOUND when the current merchant
 * has no such product, VALIDATION_FAILED when the amount is finer than the currency, FORBIDDEN to viewers.
 */
export async function setCogs(
  ctx: Ctx,
  { productId, cogs }: { productId: number; cogs: number },
): Promise<InventoryProduct> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  const { merchantId } = profile
  await requireOwner(ctx, merchantId)
  return ctx.db.tenant(merchantId, async tx => {
    const before = await rowById(tx, merchantId, productId)
    if (!before) throw new AppError('NOT_FOUND', 'There is no such product.')
    const currency = before.currency ?? profile.currency
    const cogsMicros = toMicros(cogs)
    if (!hasUnitPrecision(cogsMicros, currency))
      throw new AppError('VALIDATION_FAILED', 'The cost is not valid.', {
        details: [`cogs: ${currency} has no such small amounts`],
      })
    await saveCogs(tx, merchantId, productId, cogsMicros, ctx.clock.now())
    const after = presentProduct({ ...before, cogsMicros }, currency, ctx.config.IMAGE_HOSTS)
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      action: 'product.set-cogs',
      entity: 'product',
      entityId: productId,
      before: { cogsMicros: before.cogsMicros },
      after: { cogsMicros },
      requestId: ctx.requestId,
    })
    return after
  })
}
