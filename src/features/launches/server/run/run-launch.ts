import * as v from 'valibot'
import { profileById } from '#features/accounts/server/public.ts'
import type { JobRun, Services } from '#server/context.ts'
import { createLease, LeaseLost } from '#server/db/lease.ts'
import { AppError } from '#shared/errors.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import { createPayload, type CreatePayload } from '../../launch-schema.ts'
import { factsOfProducts } from '../product-facts.ts'
import { type LaunchKey, launchById, markStopped, updateLaunch, updateStep } from '../sql/launches.ts'
import { runStep } from '../steps/run-step.ts'
import { steps, campaignStep } from '../steps/steps.ts'
import { finishLaunch } from './finish-launch.ts'
import { inJournal, type LaunchRun, openRun, type Timing } from './launch-run.ts'
import { saveStructure } from './save-structure.ts'
import { Blocked, UndoRequested, Wait, wait, stopBy, failureOf } from './stops.ts'
import type { PlanProduct } from '../../plan/launch-plan.ts'
import { sql } from 'kysely'
import { itemsOfPlan } from '../../plan/launch-items.ts'
import { NOTHING_TO_TARGET, planLaunch } from '../../plan/plan-launch.ts'
import { marketOf } from '../check-launch.ts'
import { gatherAdvice } from '../gather-advice.ts'
import { releaseNames } from '../launch-names.ts'
import { type ItemChange, itemsOf, type JournalItem, recordItems } from '../sql/items.ts'
import { clearUp, restBeforeLook } from '../steps/clear-up.ts'
import { type PlacedItem, placedItems } from '../steps/placed-items.ts'

/**
 * A campaign may be missing from lists for up to two minutes; one that was made is usually there at the first look, and
 * only of one that is not need so much time pass before it is made again.
 */
export const usualTiming: Timing = { quietMs: 120_000, pollMs: 1_000, leaseMs: 6_000, maxSends: 3 }

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
  for (const step of steps) await runStep(run, step, launch.payload)
  await saveStructure(run)
}

async function undo(run: LaunchRun): Promise<void> {
  run.undoing = true
  run.calls.step = 'UNDO'
  await undoCreated(run)
  await finishLaunch(run)
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
  await inJournal({ ...run, undoing: true }, tx =>
    updateLaunch(tx, run.key, { waits: waits + 1, waiting_until: until }),
  )
  return { again: true, afterSeconds }
}

// Only the user can go on from here: by a retry, or by asking for the undo again.
async function endHere(run: LaunchRun, reason: string, message = launchRejectionMessage(reason)): Promise<RunResult> {
  // Writes to the journal also while an undo is requested.
  const stopped = { ...run, undoing: true }
  await inJournal(stopped, async tx => {
    await markStopped(tx, run.key, reason, message)
    if (run.undoing) await updateLaunch(tx, run.key, { undo: 'PARTIAL' })
  })
  await finishLaunch(stopped)
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

/**
 * Runs or undoes a launch from wherever it is; safe to call any number of times and in several processes.
 * Rejects, with the journal in order, on a defect of ours or when the process shuts down.
 */
export async function runLaunch(
  services: Services,
  key: LaunchKey,
  { signal }: Pick<JobRun, 'signal'>,
  timing: Timing = usualTiming,
): Promise<RunResult> {
  const { db } = services
  const launch = await db.reading(key.merchantId, tx => launchById(tx, key))
  if (!launch || (launch.finished_at && launch.undo !== 'PENDING')) return DONE
  const lease = createLease({
    table: 'launch',
    key: { merchant_id: key.merchantId, id: key.launchId },
    until: 'lease_until',
    holder: 'lease_token',
    seconds: timing.leaseMs / 1000,
    transact: work => db.tenant(key.merchantId, work),
  })
  // For as long as a dead holder's lease lasts; a living one keeps it.
  const patience = Date.now() + timing.leaseMs * 2
  while (!(await lease.take())) {
    if (Date.now() > patience) return { again: true, afterSeconds: FIRST_WAIT_S }
    await wait(Math.min(1000, timing.leaseMs / 4), signal)
  }
  const profile = await db.reading(key.merchantId, tx => profileById(tx, key.merchantId, launch.profile_id))
  const run = await openRun({ services, key, profile, timing, lease, signal })
  const stopRenewing = lease.keepRenewing(services.log, signal)
  try {
    return await runWithLease(run)
  } catch (error) {
    if (error instanceof LeaseLost) return DONE
    throw error
  } finally {
    stopRenewing()
    if (!signal.aborted) await lease.release()
  }
}

/**
 * Gathers the recommendations and writes the plan and all its items, once: an existing plan is never made again.
 * Throws Wait or Blocked when the marketplace cannot be reached, RULE_VIOLATED when there is nothing to make.
 */
async function resolvePlan(run: LaunchRun, payload: CreatePayload, products: readonly PlanProduct[]): Promise<void> {
  const { key, profile, services } = run
  run.calls.step = 'RECOMMENDATIONS'
  await inJournal(run, tx => updateStep(tx, key, 'RECOMMENDATIONS', 'IN_PROGRESS'))
  const advice = await gatherAdvice(services, profile, payload).catch(stopBy)
  const plan = planLaunch({ payload, market: marketOf(profile), products, advice })
  if (!plan.campaigns.length) throw new AppError('RULE_VIOLATED', NOTHING_TO_TARGET, { details: [NOTHING_TO_TARGET] })
  const items = itemsOfPlan(plan)
  await inJournal(run, async tx => {
    await updateLaunch(tx, key, { plan: sql`${JSON.stringify(plan)}::jsonb` })
    await sql`
      insert into launch_item (merchant_id, launch_id, item_no, step, key, parent_key, label, content)
      select ${key.merchantId}::bigint, ${key.launchId}::bigint, u.no, u.step, u.key, u.parent_key, u.label, u.content::jsonb
      from unnest(${items.map((_, i) => i)}::int[], ${items.map(i => i.step)}::text[], ${items.map(i => i.key)}::text[],
        ${items.map(i => i.parentKey)}::text[], ${items.map(i => i.label)}::text[], ${items.map(i => JSON.stringify(i.content))}::text[])
        as u(no, step, key, parent_key, label, content)
      on conflict (merchant_id, launch_id, item_no) do nothing`.execute(tx)
    await updateStep(tx, key, 'RECOMMENDATIONS', 'COMPLETED')
  })
}

// A campaign with an unclear outcome must be found or ruled out first, or it would survive the undo.
async function settledCampaigns(run: LaunchRun): Promise<PlacedItem[]> {
  const { services, key } = run
  for (;;) {
    const { placed } = await services.db.reading(key.merchantId, tx => placedItems(tx, key, campaignStep.name))
    const unclear = placed.filter(i => i.state === 'SENDING')
    if (!unclear.length) return placed
    const changes = await clearUp(run, campaignStep, unclear)
    await inJournal(run, tx => recordItems(tx, key, changes))
  }
}

const ROUNDS = 3

/**
 * Archives campaigns; answers those that are archived in the end, by looking and not by believing. What may have been
 * archived, and is not shown so yet, is looked for until the quiet is over.
 */
async function archive(run: LaunchRun, ids: readonly string[]): Promise<Set<string>> {
  const { timing, services } = run
  // What an answer said is archived, or may be since none came.
  let pending = new Set<string>()
  let lastSent = 0
  run.looks = 0
  for (let round = 0; ids.length; ) {
    const listed = await run.ads.campaigns.all({ ids, states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
    const live = listed.filter(c => c.state !== 'ARCHIVED').map(c => c.campaignId)
    const quietLeftMs = lastSent + timing.quietMs - services.clock.now().getTime()
    const mayShowLater = quietLeftMs > 0 && live.some(id => pending.has(id))
    if (!live.length || (round === ROUNDS && !mayShowLater))
      return new Set(listed.filter(c => c.state === 'ARCHIVED').map(c => c.campaignId))
    if (round === ROUNDS) {
      await restBeforeLook(run, quietLeftMs)
      continue
    }
    round++
    lastSent = services.clock.now().getTime()
    pending = new Set(await sendArchive(run, live))
  }
  return pending
}

/** Asks for campaigns to be archived; answers those that are then, or may be. */
async function sendArchive(run: LaunchRun, ids: readonly string[]): Promise<readonly string[]> {
  try {
    const outcomes = await run.ads.campaigns.archive(ids)
    return ids.filter((_, i) => outcomes[i]?.ok || outcomes[i]?.reason === 'OUTCOME_UNKNOWN')
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'UNCLEAR') return ids
    if (failure === 'REJECTED') return []
    throw error
  }
}

/**
 * Undoes a launch: every campaign it created is archived, and with it all that is in it. Throws Wait or Blocked when
 * the marketplace cannot be used; what is archived stays so.
 */
async function undoCreated(run: LaunchRun): Promise<void> {
  const campaigns = await settledCampaigns(run)
  const ids = campaigns.flatMap(i => (i.state === 'CREATED' && i.amazonId ? [i.amazonId] : []))
  const archived = await archive(run, ids).catch(stopBy)
  const isWhole = ids.every(id => archived.has(id))
  await inJournal(run, async tx => {
    const items = await itemsOf(tx, run.key)
    const byKey = new Map(items.map(i => [i.key, i]))
    const campaignOf = (item: JournalItem): JournalItem => {
      const parent = item.parentKey ? byKey.get(item.parentKey) : undefined
      return parent ? campaignOf(parent) : item
    }
    const gone = items.filter(i => i.state === 'CREATED' && archived.has(campaignOf(i).amazonId ?? ''))
    const changes = gone.map(({ no }): ItemChange => ({ no, state: 'ARCHIVED' }))
    await recordItems(tx, run.key, changes)
    await updateLaunch(tx, run.key, { undo: isWhole ? 'DONE' : 'PARTIAL' })
    if (isWhole) await releaseNames(tx, run.key)
  })
  await saveStructure(run)
}
