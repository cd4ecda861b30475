import { type ItemOutcome, MAX_BATCH } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import { countItems, type ItemChange, type JournalItem, markSending, recordItems } from '../sql/items.ts'
import { updateStep } from '../sql/launches.ts'
import { clearUp, look } from './clear-up.ts'
import { failureOf } from '../run/failure-of.ts'
import { inJournal, type LaunchRun, pause } from '../run/launch-run.ts'
import { placedItems, rejected, skipped } from './placed-items.ts'
import { Blocked, Wait } from '../run/stops.ts'
import type { PlacedItem, StepDriver } from './step-driver.ts'

/** What a step does next. To send: noted as being sent already. To look: sent before, with no certain answer. */
type Work = { kind: 'SEND' | 'LOOK' | 'REST'; items: readonly PlacedItem[] }
/** Writes down what came of a piece of work. */
type Write = (tx: Db) => Promise<void>

async function closeStep(tx: Db, { key }: LaunchRun, { name }: StepDriver, orphans: readonly JournalItem[]) {
  const without = orphans.filter(i => i.state === 'PLANNED')
  await recordItems(
    tx,
    key,
    without.map(i => skipped(i, 'PARENT_MISSING')),
  )
  const counts = (await countItems(tx, key.merchantId, [key.launchId])).filter(c => c.step === name)
  const sum = (all: typeof counts) => all.reduce((total, { count }) => total + count, 0)
  const total = sum(counts)
  const done = sum(counts.filter(c => c.state === 'CREATED'))
  const status = total === 0 ? 'SKIPPED' : done === total ? 'COMPLETED' : done ? 'PARTIAL' : 'FAILED'
  await updateStep(tx, key, name, { status })
}

// Looking and noting happen in one transaction with what came of the work before: a launch waits for its journal often.
async function nextWork(tx: Db, run: LaunchRun, driver: StepDriver, rested: boolean): Promise<Work | null> {
  const step = await placedItems(tx, run.key, driver)
  const unclear = step.placed.filter(i => i.state === 'SENDING')
  if (unclear.length) return { kind: 'LOOK', items: unclear }
  // One call at a time, so that a killed process leaves no more in doubt than that call carried.
  const items = step.placed.filter(i => i.state === 'PLANNED').slice(0, MAX_BATCH)
  if (!items.length) {
    await closeStep(tx, run, driver, step.orphans)
    return null
  }
  // A temporary failure gets a pause before the next attempt.
  if (!rested && items.some(i => i.attempts)) return { kind: 'REST', items }
  const nos = items.map(i => i.no)
  await markSending(tx, run.key, nos, run.services.clock.now())
  return { kind: 'SEND', items }
}

// Duplicates are ours when an earlier, unclear send made them.
const isDuplicate = (outcome: ItemOutcome<unknown>): boolean =>
  !outcome.ok && outcome.selector === 'duplicateValueError'

function changeFor(run: LaunchRun, item: PlacedItem, outcome: ItemOutcome<unknown>): ItemChange | null {
  if (outcome.ok) return { no: item.no, state: 'CREATED', amazonId: outcome.id }
  if (outcome.reason === 'OUTCOME_UNKNOWN') return null
  if (outcome.reason === 'NOT_SENT') return { no: item.no, state: 'PLANNED', attempts: item.attempts }
  if (outcome.retryable && item.attempts + 1 < run.timing.maxSends) return { no: item.no, state: 'PLANNED' }
  return rejected(item, outcome.reason, outcome.message)
}

async function changesOf(
  run: LaunchRun,
  driver: StepDriver,
  items: readonly PlacedItem[],
  outcomes: readonly ItemOutcome<unknown>[],
): Promise<ItemChange[]> {
  const pairs = items.flatMap((item, i) => {
    const outcome = outcomes[i]
    return outcome ? [{ item, outcome }] : []
  })
  const doubles = pairs.filter(p => isDuplicate(p.outcome)).map(p => ({ ...p.item, attempts: p.item.attempts + 1 }))
  const ours = doubles.length ? await look(run, driver, doubles) : new Map<number, string>()
  return pairs.flatMap(({ item, outcome }): ItemChange[] => {
    const amazonId = ours.get(item.no)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    const change = changeFor(run, item, outcome)
    return change ? [change] : []
  })
}

/** Sends what was noted as being sent; of an answer that was lost there is nothing to write. */
async function send(run: LaunchRun, driver: StepDriver, items: readonly PlacedItem[]): Promise<Write> {
  let outcomes: ItemOutcome<unknown>[]
  try {
    outcomes = await driver.send(run, items)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'UNCLEAR') return async () => undefined
    const rejections = items.map(i => rejected(i, failure.reason, failure.message))
    if (failure.kind === 'REJECTED') return tx => recordItems(tx, run.key, rejections)
    const undone = items.map((i): ItemChange => ({ no: i.no, state: 'PLANNED', attempts: i.attempts }))
    await inJournal(run, tx => recordItems(tx, run.key, undone))
    throw failure.kind === 'LATER' ? new Wait(failure.afterMs, error) : new Blocked(error)
  }
  const changes = await changesOf(run, driver, items, outcomes)
  return tx => recordItems(tx, run.key, changes)
}

async function lookAgain(run: LaunchRun, driver: StepDriver, items: readonly PlacedItem[]): Promise<Write> {
  const changes = await clearUp(run, driver, items)
  return tx => recordItems(tx, run.key, changes)
}

/**
 * Carries one step out until nothing of it is planned or unclear. Each item is made at most once, wherever the process
 * may have been killed before. `prepare` is written with the step's beginning. Throws Wait or Blocked, with the journal
 * in order, when the marketplace cannot be used.
 */
export async function runStep(run: LaunchRun, driver: StepDriver, prepare?: Write): Promise<void> {
  run.calls.step = driver.name
  let work = await inJournal(run, async tx => {
    await prepare?.(tx)
    const first = await nextWork(tx, run, driver, true)
    if (first) await updateStep(tx, run.key, driver.name, { status: 'IN_PROGRESS' })
    return first
  })
  while (work) {
    const { kind, items } = work
    const isRest = kind === 'REST'
    if (isRest) await pause(run, run.timing.pollMs)
    const write = isRest ? undefined : await (kind === 'SEND' ? send : lookAgain)(run, driver, items)
    work = await inJournal(run, async tx => {
      await write?.(tx)
      return nextWork(tx, run, driver, isRest)
    })
  }
}
