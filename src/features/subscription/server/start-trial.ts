import { AppError } from '#shared/errors.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import { useTrial } from '#features/accounts/server/public.ts'
import type { Subscription } from '../contract.ts'
import { trialEnd } from '../rules.ts'
import { getSubscription } from './get-subscription.ts'
import { insertTrial, planExists, useAccountTrial } from './sql.ts'

/**
 * Starts the free trial of a plan; no card is asked for. Throws NOT_FOUND for an unknown plan, TRIAL_ALREADY_USED when the
 * user or one of the user's merchants had a trial before, FORBIDDEN to viewers.
 */
export const startTrial = async (ctx: Ctx, planId: number): Promise<Subscription> => {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { accountId, merchantIds } = ctx.actor
  const start = ctx.clock.now()
  const trial = { start, end: trialEnd(start) }
  await ctx.db.transaction(async tx => {
    if (!(await planExists(tx, planId))) throw new AppError('NOT_FOUND', 'There is no such plan.')
    if (!(await useAccountTrial(tx, accountId, trial)))
      throw new AppError('TRIAL_ALREADY_USED', 'You have used your free trial already.')
    for (const merchantId of merchantIds)
      if (!(await useTrial(tx, merchantId, start)))
        throw new AppError('TRIAL_ALREADY_USED', 'This seller account has had its free trial already.')
    await insertTrial(tx, accountId, planId, trial)
    await ctx.events.publish(tx, [accountId], 'subscription', {})
  })
  return getSubscription(ctx)
}
