import { AppError } from '#shared/errors.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { tenancyOf, takeTrial } from '#features/accounts/server/public.ts'
import type { Subscription } from '../contract.ts'
import { standingOf, trialEnd } from '../rules.ts'
import { getSubscription } from './get-subscription.ts'
import { changePlan, insertTrial, planExists, subscriptionRows, takeAccountTrial } from './sql.ts'

/**
 * Starts the free trial of a plan, without a card. It covers the user's merchants that had no trial before, and those
 * connected while it runs. During a trial, this changes the plan. Throws NOT_FOUND for an unknown plan, TRIAL_ALREADY_USED if
 * the user or all of the user's merchants had a trial before, FORBIDDEN for viewers.
 */
export async function startTrial(ctx: Ctx, planId: number): Promise<Subscription> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const { accountId } = ctx.actor
  const start = ctx.clock.now()
  const trial = { start, end: trialEnd(start) }
  await ctx.db.transaction(async tx => {
    if (!(await planExists(tx, planId))) throw new AppError('NOT_FOUND', 'There is no such plan.')
    if (await takeAccountTrial(tx, accountId, trial)) {
      await coverMerchants(tx, accountId, start)
      await insertTrial(tx, accountId, planId, trial)
    } else await movePlan(tx, accountId, planId, start)
    await ctx.events.publish(tx, [accountId], 'subscription', {})
  })
  return getSubscription(ctx)
}

// Read within the transaction, so that a merchant that is just being connected is not missed.
async function coverMerchants(tx: Db, accountId: number, start: Date): Promise<void> {
  const { merchantIds } = await tenancyOf(tx, accountId)
  let covered = 0
  for (const merchantId of merchantIds) if (await takeTrial(tx, merchantId, accountId, start)) covered++
  if (merchantIds.length > 0 && covered === 0)
    throw new AppError('TRIAL_ALREADY_USED', 'This seller account has had its free trial already.')
}

async function movePlan(tx: Db, accountId: number, planId: number, now: Date): Promise<void> {
  const [row] = await subscriptionRows(tx, [accountId])
  if (!row || row.planId === planId || !standingOf(row, now).isTrialActive)
    throw new AppError('TRIAL_ALREADY_USED', 'You have used your free trial already.')
  await changePlan(tx, accountId, planId, now)
}
