import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Subscription } from '../contract.ts'
import { getSubscription } from './get-subscription.ts'
import { cancelAtPeriodEnd, cancelNow } from './sql.ts'

/**
 * Ends the subscription at the end of its period, or now; one that ended already stays as it is. Throws NOT_FOUND when
 * there is none, FORBIDDEN to viewers.
 */
export const cancelSubscription = async (ctx: Ctx, atPeriodEnd: boolean): Promise<Subscription> => {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { accountId } = ctx.actor
  const before = await getSubscription(ctx)
  if (!before.hasActiveSubscription) return before
  await ctx.db.transaction(async tx => {
    if (atPeriodEnd) await cancelAtPeriodEnd(tx, accountId, ctx.clock.now())
    else await cancelNow(tx, accountId, ctx.clock.now())
    await ctx.events.publish(tx, [accountId], 'subscription', {})
  })
  return getSubscription(ctx)
}
