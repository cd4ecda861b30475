import { AppError } from '#shared/errors.ts'
import { type LaunchPlan, type PlanProduct } from '../../plan/launch-plan.ts'
import { itemsOfPlan } from '../../plan/launch-items.ts'
import type { CreatePayload } from '../../launch-schema.ts'
import { NOTHING_TO_TARGET, planLaunch } from '../../plan/plan-launch.ts'
import { gatherAdvice } from '../gather-advice.ts'
import { marketOf } from '../market-of.ts'
import { insertItems } from '../sql/items.ts'
import { updateLaunch, updateStep } from '../sql/launches.ts'
import { failureOf } from './failure-of.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'
import { Blocked, Wait } from './stops.ts'

/**
 * Takes the recommendations in and writes the plan and all its items, once: a plan that stands is never made anew.
 * Throws Wait or Blocked when the marketplace cannot be asked, RULE_VIOLATED when there is nothing to make.
 */
export const resolvePlan = async (
  run: LaunchRun,
  payload: CreatePayload,
  products: readonly PlanProduct[],
): Promise<LaunchPlan> => {
  run.calls.step = 'RECOMMENDATIONS'
  await inJournal(run, tx => updateStep(tx, run.key, 'RECOMMENDATIONS', { status: 'IN_PROGRESS' }))
  const advice = await gatherAdvice(run.services, run.profile, payload).catch((error: unknown) => {
    const failure = failureOf(error)
    if (failure.kind === 'BLOCKED') throw new Blocked(error)
    throw new Wait(failure.kind === 'LATER' ? failure.afterMs : undefined, error)
  })
  const plan = planLaunch({ payload, market: marketOf(run.profile), products, advice })
  if (!plan.campaigns.length) throw new AppError('RULE_VIOLATED', NOTHING_TO_TARGET, { details: [NOTHING_TO_TARGET] })
  await inJournal(run, async tx => {
    await updateLaunch(tx, run.key, { plan })
    await insertItems(tx, run.key, itemsOfPlan(plan))
    await updateStep(tx, run.key, 'RECOMMENDATIONS', { status: 'COMPLETED' })
  })
  return plan
}
