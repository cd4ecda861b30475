import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Subscription } from '../contract.ts'
import { standingOf } from '../rules.ts'
import { getSubscription, ownSubscription } from './get-subscription.ts'
import { cancelAtPeriodEnd, cancelNow } from './sql.ts'

/**
 * Ends the subscription at the end of its period, or now. One that has ended stays unchanged. Throws NOT_FOUND if there is
 * none, FORBIDDEN for viewers.
 */
export async function cancelSubscription(ctx: Ctx, atPeriodEnd: boolean): Promise<Subscription> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { accountId } = ctx.actor
  const before = standingOf(await ownSubscription(ctx), ctx.clock.now())
  if (!before.hasActiveSubscription) return getSubscription(ctx)
  await ctx.db.transaction(async tx => {
    if (atPeriodEnd) await cancelAtPeriodEnd(tx, accountId, ctx.clock.now())
    else await cancelNow(tx, accountId, ctx.clock.now())
    await ctx.events.publish(tx, [accountId], 'subscription', {})
  })
  return getSubscription(ctx)
}
