import { type ItemOutcome, MAX_BATCH } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import { inJournal, type LaunchRun } from '../run/launch-run.ts'
import { failureOf, stopBy, wait } from '../run/stops.ts'
import { countItems, type ItemChange, type JournalItem, notMade, recordItems } from '../sql/items.ts'
import { type LaunchKey, ofLaunch, updateStep } from '../sql/launches.ts'
import { clearUp } from './clear-up.ts'
import { type PlacedItem, placedItems } from './placed-items.ts'
import type { Step } from './steps.ts'

/** What a step does next. To send: noted as being sent already. To look: sent before, with no certain answer. */
type Work = { kind: 'SEND' | 'LOOK' | 'REST'; items: readonly PlacedItem[] }

/** Notes that items are about to be sent: this is durable before the call is made. */
async function markSending(tx: Db, key: LaunchKey, items: readonly JournalItem[], at: Date): Promise<void> {
  const nos = items.map(i => i.no)
  await tx
    .updateTable('launch_item')
    .set(eb => ({ state: 'SENDING', attempts: eb('attempts', '+', 1), sent_at: at, reason: null, message: null }))
    .where(eb => eb.and(ofLaunch(key)).and('item_no', 'in', nos))
    .execute()
}

async function closeStep(tx: Db, { key }: LaunchRun, { name }: Step, orphans: readonly JournalItem[]) {
  const without = orphans.filter(i => i.state === 'PLANNED').map(i => notMade(i, 'SKIPPED', 'PARENT_MISSING'))
  await recordItems(tx, key, without)
  const counts = (await countItems(tx, key.merchantId, [key.launchId])).filter(c => c.step === name)
  const isDone = counts.map(c => c.state === 'CREATED')
  const status = isDone.includes(true) ? (isDone.includes(false) ? 'PARTIAL' : 'COMPLETED') : 'FAILED'
  await updateStep(tx, key, name, counts.length ? status : 'SKIPPED')
}

// Looking and noting happen in one transaction with what came of the work before: a launch waits for its journal often.
async function nextWork(tx: Db, run: LaunchRun, step: Step, rested: boolean): Promise<Work | null> {
  const { placed, orphans } = await placedItems(tx, run.key, step.name)
  const unclear = placed.filter(i => i.state === 'SENDING')
  if (unclear.length) return { kind: 'LOOK', items: unclear }
  // One call at a time, so that a killed process leaves no more in doubt than that call carried.
  const items = placed.filter(i => i.state === 'PLANNED').slice(0, MAX_BATCH)
  if (!items.length) {
    await closeStep(tx, run, step, orphans)
    return null
  }
  // A temporary failure gets a pause before the next attempt.
  if (!rested && items.some(i => i.attempts)) return { kind: 'REST', items }
  await markSending(tx, run.key, items, run.services.clock.now())
  return { kind: 'SEND', items }
}

function changeFor(run: LaunchRun, item: PlacedItem, outcome: ItemOutcome<unknown>): ItemChange[] {
  const { no, attempts } = item
  if (outcome.ok) return [{ no, state: 'CREATED', amazonId: outcome.id }]
  if (outcome.reason === 'OUTCOME_UNKNOWN') return []
  if (outcome.reason === 'NOT_SENT') return [{ no, state: 'PLANNED', attempts }]
  if (outcome.retryable && attempts + 1 < run.timing.maxSends) return [{ no, state: 'PLANNED' }]
  return [notMade(item, 'FAILED', outcome.reason, outcome.message)]
}

/** Sends what was noted as being sent; answers what came of it, nothing where the answer was lost. */
async function send(run: LaunchRun, step: Step, items: readonly PlacedItem[]): Promise<ItemChange[]> {
  let outcomes: ItemOutcome<unknown>[]
  try {
    outcomes = await step.send(run, items)
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'UNCLEAR') return []
    if (failure === 'REJECTED') return items.map(item => notMade(item, 'FAILED', 'REQUEST_REJECTED'))
    const unsent = items.map(({ no, attempts }): ItemChange => ({ no, state: 'PLANNED', attempts }))
    await inJournal(run, tx => recordItems(tx, run.key, unsent))
    throw failure
  }
  const pairs = items.flatMap((item, i) => (outcomes[i] ? [{ item, outcome: outcomes[i] }] : []))
  // Duplicates are ours when an earlier, unclear send made them.
  const doubles = pairs
    .filter(({ outcome }) => !outcome.ok && outcome.selector === 'duplicateValueError')
    .map(({ item }) => ({ ...item, attempts: item.attempts + 1 }))
  const idOf = doubles.length ? await step.find(run, doubles).catch(stopBy) : () => undefined
  const ours = new Map(doubles.map(item => [item.no, idOf(item)]))
  return pairs.flatMap(({ item, outcome }): ItemChange[] => {
    const amazonId = ours.get(item.no)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    return changeFor(run, item, outcome)
  })
}

/**
 * Carries one step out until nothing of it is planned or unclear. Each item is made at most once, wherever the process may have
 * been killed before. Throws Wait or Blocked, with the journal in order, when the marketplace cannot be used.
 */
export async function runStep(run: LaunchRun, step: Step, payload: unknown): Promise<void> {
  run.calls.step = step.name
  let work = await inJournal(run, async tx => {
    await step.prepare?.(tx, run.key, payload)
    const first = await nextWork(tx, run, step, true)
    if (first) await updateStep(tx, run.key, step.name, 'IN_PROGRESS')
    return first
  })
  while (work) {
    const { kind, items } = work
    if (kind === 'REST') await wait(run.timing.pollMs, run.signal)
    const changes = kind === 'REST' ? [] : await (kind === 'SEND' ? send : clearUp)(run, step, items)
    work = await inJournal(run, async tx => {
      await recordItems(tx, run.key, changes)
      return nextWork(tx, run, step, kind === 'REST')
    })
  }
}
