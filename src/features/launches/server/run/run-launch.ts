import * as v from 'valibot'
import { profileById } from '#features/accounts/server/public.ts'
import type { JobRun, Services } from '#server/context.ts'
import { createLease, type Lease, LeaseLost } from '#server/db/lease.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { createPayload } from '../../launch-schema.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import { factsOfProducts } from '../product-facts.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { launchById, stepsOf, updateLaunch, updateStep } from '../sql/launches.ts'
import { campaignStep, enableStep } from '../steps/campaign-steps.ts'
import { finishLaunch } from './finish-launch.ts'
import {
  adGroupStep,
  autoTargetStep,
  keywordStep,
  negativeKeywordStep,
  productAdStep,
  productTargetStep,
} from '../steps/group-steps.ts'
import { holdBack, skipNegatives } from './hold-back.ts'
import { inJournal, type LaunchRun, openRun } from './launch-run.ts'
import { resolvePlan } from '../gather-advice.ts'
import { runStep } from '../steps/run-step.ts'
import { saveStructure } from './save-structure.ts'
import { Blocked, UndoRequested, Wait } from './stops.ts'
import { type Timing, usualTiming } from './launch-run.ts'
import { undoCreated } from './undo-created.ts'
import { wait } from './stops.ts'

/** How a run of a launch ended: at its end, or to go on after some seconds. */
export type RunResult = { again: false } | { again: true; afterSeconds: number }

const DONE: RunResult = { again: false }

async function runSteps(run: LaunchRun): Promise<void> {
  const { key, services } = run
  const launch = await inJournal(run, async tx => {
    await updateLaunch(tx, key, { status: 'IN_PROGRESS', waiting_until: null })
    return launchById(tx, key)
  })
  if (!launch) return
  if (launch.plan === null) {
    const payload = v.parse(createPayload, launch.payload)
    const products = await services.db.reading(key.merchantId, tx => factsOfProducts(tx, run.profile, payload))
    await resolvePlan(run, payload, products)
  }
  for (const driver of [campaignStep, adGroupStep, productAdStep, keywordStep, autoTargetStep, productTargetStep])
    await runStep(run, driver)
  await runStep(run, negativeKeywordStep, tx => skipNegatives(tx, key, launch.payload))
  await runStep(run, enableStep, tx => holdBack(tx, key))
  await saveStructure(run)
}

async function undo(run: LaunchRun): Promise<void> {
  run.undoing = true
  run.calls.step = 'UNDO'
  await undoCreated(run)
  await finishLaunch(run)
}

// Writes to the journal also while an undo is requested.
const inStoppedJournal = <T>(run: LaunchRun, write: (tx: Db) => Promise<T>): Promise<T> =>
  inJournal({ ...run, undoing: true }, write)

// Marks the step at which the launch stopped, so that people see why.
function noteStop(run: LaunchRun, reason: string, message = launchRejectionMessage(reason)): Promise<void> {
  return inStoppedJournal(run, async tx => {
    const steps = await stepsOf(tx, run.key.merchantId, [run.key.launchId])
    const at = steps.find(s => s.status === 'IN_PROGRESS') ?? steps.find(s => s.status === 'PENDING')
    if (at) await updateStep(tx, run.key, at.name, { status: 'FAILED', reason, message })
  })
}

// 10 s, 20 s ... 5 minutes; for a day in all.
const FIRST_WAIT_S = 10
const MAX_WAIT_S = 300
const MAX_WAITS = 290

async function restUntilLater(run: LaunchRun, stop: Wait): Promise<RunResult> {
  const launch = await run.services.db.reading(run.key.merchantId, tx => launchById(tx, run.key))
  const waits = launch?.waits ?? 0
  if (waits >= MAX_WAITS) return endHere(run, 'UPSTREAM_UNAVAILABLE')
  const backoff = Math.min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** Math.min(waits, 8))
  const afterSeconds = Math.ceil(Math.max(backoff, (stop.afterMs ?? 0) / 1000))
  const until = new Date(run.services.clock.now().getTime() + afterSeconds * 1000)
  await inStoppedJournal(run, tx => updateLaunch(tx, run.key, { waits: waits + 1, waiting_until: until }))
  return { again: true, afterSeconds }
}

// Only the user can go on from here: by a retry, or by asking for the undo again.
async function endHere(run: LaunchRun, reason: string, message?: string): Promise<RunResult> {
  await noteStop(run, reason, message)
  if (run.undoing) await inJournal(run, tx => updateLaunch(tx, run.key, { undo: 'PARTIAL' }))
  await finishLaunch({ ...run, undoing: true })
  return DONE
}

// The undo may be requested as late as between the last step and the end.
async function runToEnd(run: LaunchRun): Promise<void> {
  try {
    await runSteps(run)
    await finishLaunch(run)
  } catch (error) {
    if (!(error instanceof UndoRequested)) throw error
    await undo(run)
  }
}

async function runWithLease(run: LaunchRun): Promise<RunResult> {
  try {
    const launch = await run.services.db.reading(run.key.merchantId, tx => launchById(tx, run.key))
    await (launch?.undo === 'PENDING' ? undo : runToEnd)(run)
    return DONE
  } catch (error) {
    if (error instanceof Wait) return restUntilLater(run, error)
    // The product may have become ineligible, or left the inventory, since the launch was accepted.
    if (error instanceof AppError && (error.code === 'PRODUCT_NOT_ELIGIBLE' || error.code === 'RULE_VIOLATED'))
      return endHere(run, error.code, error.details.join(' '))
    if (error instanceof Blocked) return endHere(run, 'UPSTREAM_UNAUTHORIZED')
    throw error
  }
}

/** Takes the launch's lease, waiting for as long as a dead holder's lease lasts; false while its holder lives. */
async function take(lease: Lease, { leaseMs }: Timing, signal: AbortSignal): Promise<boolean> {
  const until = Date.now() + leaseMs * 2
  while (!(await lease.take())) {
    if (Date.now() > until) return false
    await wait(Math.min(1000, leaseMs / 4), signal)
  }
  return true
}

/**
 * Runs or undoes a launch from wherever it is; safe to call any number of times and in several processes.
 * Rejects, with the journal in order, on a defect of ours or when the process shuts down.
 */
export async function runLaunch(
  services: Services,
  key: LaunchKey,
  job: Pick<JobRun, 'signal'>,
  timing: Timing = usualTiming,
): Promise<RunResult> {
  const launch = await services.db.reading(key.merchantId, tx => launchById(tx, key))
  if (!launch || (launch.finished_at && launch.undo !== 'PENDING')) return DONE
  const lease = createLease({
    table: 'launch',
    key: { merchant_id: key.merchantId, id: key.launchId },
    until: 'lease_until',
    holder: 'lease_token',
    seconds: timing.leaseMs / 1000,
    transact: work => services.db.tenant(key.merchantId, work),
  })
  if (!(await take(lease, timing, job.signal))) return { again: true, afterSeconds: FIRST_WAIT_S }
  const profile = await services.db.reading(key.merchantId, tx => profileById(tx, key.merchantId, launch.profile_id))
  const run = await openRun({ services, key, profile, timing, lease, job })
  const stopRenewing = lease.keepRenewing(services.log, job.signal)
  try {
    return await runWithLease(run)
  } catch (error) {
    if (error instanceof LeaseLost) return DONE
    throw error
  } finally {
    stopRenewing()
    if (!job.signal.aborted) await lease.release()
  }
}
