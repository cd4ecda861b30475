import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Subscription } from '../contract.ts'
import { subscriptionOf } from './subscription-of.ts'

/** The actor's subscription as it stands. Throws NOT_FOUND when there never was one. */
export const getSubscription = async (ctx: Ctx): Promise<Subscription> => {
  const found = await subscriptionOf(ctx.db.system, ctx.actor.accountId, ctx.clock.now())
  if (!found) throw new AppError('NOT_FOUND', 'There is no subscription yet.')
  return found
}
