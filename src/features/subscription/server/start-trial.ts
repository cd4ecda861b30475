import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { tenancyOf, takeTrial } from '#features/accounts/server/public.ts'
import type { Subscription } from '../contract.ts'
import { standingOf, trialEnd } from '../rules.ts'
import { getSubscription } from './get-subscription.ts'
import { setPhase } from './phases.ts'
import { isBilled, storedSubscription } from './subscription-rows.ts'

/**
 * Starts the free trial of a plan, without a card. It covers the user's merchants that had no trial before, and those
 * connected while it runs. During a trial, this changes the plan. Throws NOT_FOUND for an unknown plan, TRIAL_ALREADY_USED if
 * the user or all of the user's merchants had a trial before, CONFLICT with a paid subscription.
 */
export async function startTrial(ctx: Ctx, planId: number): Promise<Subscription> {
  const { accountId } = ctx.actor
  const now = ctx.clock.now()
  await ctx.db.transaction(async tx => {
    const plan = await tx.selectFrom('plan').select('id').where('id', '=', planId).executeTakeFirst()
    if (!plan) throw new AppError('NOT_FOUND', 'There is no such plan.')
    if (await takeAccountTrial(tx, accountId, now)) {
      await coverMerchants(tx, accountId, now)
      await insertTrial(tx, accountId, planId, now)
    } else await movePlan(tx, accountId, planId, now)
    await ctx.events.publish(tx, [accountId], 'subscription', {})
  })
  return getSubscription(ctx)
}

/** Records the trial with the account; false if the account had one before. */
async function takeAccountTrial(tx: Db, accountId: number, start: Date): Promise<boolean> {
  const result = await tx
    .updateTable('account')
    .set({ has_used_trial: true, trial_started_at: start, trial_ends_at: trialEnd(start) })
    .where('id', '=', accountId)
    .where('has_used_trial', '=', false)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

// Read within the transaction, so that a merchant that is just being connected is not missed.
async function coverMerchants(tx: Db, accountId: number, start: Date): Promise<void> {
  const { merchantIds } = await tenancyOf(tx, accountId)
  let covered = 0
  for (const merchantId of merchantIds) if (await takeTrial(tx, merchantId, accountId, start)) covered++
  if (merchantIds.length > 0 && covered === 0)
    throw new AppError(
      'TRIAL_ALREADY_USED',
      'Another Tideline account already used the free trial of this seller account. Subscribe to a plan to work with it, or connect another seller account.',
    )
}

async function insertTrial(tx: Db, accountId: number, planId: number, start: Date): Promise<void> {
  await tx
    .insertInto('subscription')
    .values({
      account_id: accountId,
      plan_id: planId,
      status: 'trialing',
      trial_started_at: start,
      trial_ends_at: trialEnd(start),
      period_ends_at: trialEnd(start),
      canceled_at: null,
      past_due_since: null,
      plan_since: start,
      created_at: start,
      updated_at: start,
    })
    .execute()
  await setPhase(tx, accountId, { planId, isPaid: false }, start)
}

/** Changes the plan; its limits count from now. */
async function movePlan(tx: Db, accountId: number, planId: number, now: Date): Promise<void> {
  const row = await storedSubscription(tx, accountId)
  if (row && isBilled(row))
    throw new AppError('CONFLICT', 'You have a paid subscription already. You can change its plan.')
  if (!row || row.planId === planId || !standingOf(row, now).isTrialActive)
    throw new AppError('TRIAL_ALREADY_USED', 'You have already used your free trial.')
  await tx
    .updateTable('subscription')
    .set({ plan_id: planId, plan_since: now, updated_at: now })
    .where('account_id', '=', accountId)
    .execute()
  await setPhase(tx, accountId, { planId, isPaid: false }, now)
}
