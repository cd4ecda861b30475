import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { accountsOf } from '#features/accounts/server/public.ts'
import { subscriptionOf } from './subscription-of.ts'

/**
 * Throws SUBSCRIPTION_REQUIRED unless the actor's subscription gives access, or that of someone else who belongs to the
 * current merchant: who was invited needs none of his own.
 */
export const requireAccess = async (ctx: Ctx): Promise<void> => {
  const { accountId, merchantId } = ctx.actor
  const others = merchantId === null ? [] : await accountsOf(ctx.db.system, merchantId)
  for (const account of [accountId, ...others.filter(other => other !== accountId)]) {
    const found = await subscriptionOf(ctx.db.system, account, ctx.clock.now())
    if (found?.hasAccess) return
  }
  throw new AppError('SUBSCRIPTION_REQUIRED', 'This needs a subscription.')
}
