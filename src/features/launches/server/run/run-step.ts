import { type ItemOutcome, MAX_BATCH } from '#integrations/amazon-ads/index.ts'
import { sellerWords } from '../../seller-words.ts'
import { type ItemChange, type JournalItem, itemsOf, markSending, recordItems } from '../sql/items.ts'
import { updateStep } from '../sql/launches.ts'
import { failureOf } from './failure-of.ts'
import { inJournal, type LaunchRun, pause } from './launch-run.ts'
import { Blocked, Wait } from './stops.ts'
import type { PlacedItem, StepDriver } from './step-driver.ts'

const refused = (item: JournalItem, reason: string, message?: string): ItemChange => ({
  no: item.no,
  state: 'FAILED',
  reason,
  message: sellerWords(reason, message),
})

/** The items of a step, each with the ids of what it hangs under; without them where the parent was not made. */
export const placedItems = async (run: LaunchRun, driver: StepDriver) => {
  const steps = ['CAMPAIGNS', 'AD_GROUPS', driver.name] as const
  const all = await run.services.db.tenant(run.key.merchantId, tx => itemsOf(tx, run.key, steps))
  const byKey = new Map(all.map(item => [item.key, item]))
  const parent = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  const placed: PlacedItem[] = []
  const orphans: JournalItem[] = []
  for (const item of all.filter(i => i.step === driver.name)) {
    const above = parent(item)
    if (item.parentKey && above?.state !== 'CREATED') {
      orphans.push(item)
      continue
    }
    const campaign = above?.step === 'CAMPAIGNS' ? above : parent(above)
    placed.push({ ...item, campaignId: campaign?.amazonId ?? '', adGroupId: above?.amazonId ?? '' })
  }
  return { placed, orphans }
}

// Duplicates are ours when an earlier, unclear send made them.
const isDuplicate = (outcome: ItemOutcome<unknown>): boolean =>
  !outcome.ok && outcome.selector === 'duplicateValueError'

const changeFor = (run: LaunchRun, item: PlacedItem, outcome: ItemOutcome<unknown>): ItemChange | null => {
  if (outcome.ok) return { no: item.no, state: 'CREATED', amazonId: outcome.id }
  if (outcome.reason === 'OUTCOME_UNKNOWN') return null
  if (outcome.reason === 'NOT_SENT') return { no: item.no, state: 'PLANNED', attempts: item.attempts }
  if (outcome.retryable && item.attempts + 1 < run.timing.maxSends) return { no: item.no, state: 'PLANNED' }
  return refused(item, outcome.reason, outcome.message)
}

const recordOutcomes = async (
  run: LaunchRun,
  driver: StepDriver,
  items: readonly PlacedItem[],
  outcomes: readonly ItemOutcome<unknown>[],
): Promise<void> => {
  const pairs = items.flatMap((item, i) => {
    const outcome = outcomes[i]
    return outcome ? [{ item, outcome }] : []
  })
  const doubles = pairs.filter(p => isDuplicate(p.outcome)).map(p => ({ ...p.item, attempts: p.item.attempts + 1 }))
  const ours = doubles.length && driver.find ? await driver.find(run, doubles) : new Map<number, string>()
  await inJournal(run, tx =>
    recordItems(
      tx,
      run.key,
      pairs.flatMap(({ item, outcome }): ItemChange[] => {
        const amazonId = ours.get(item.no)
        if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
        const change = changeFor(run, item, outcome)
        return change ? [change] : []
      }),
    ),
  )
}

/** Sends what is planned, after noting that it is being sent. */
const send = async (run: LaunchRun, driver: StepDriver, items: readonly PlacedItem[]): Promise<void> => {
  const nos = items.map(i => i.no)
  await inJournal(run, tx => markSending(tx, run.key, nos, run.services.clock.now()))
  let outcomes: ItemOutcome<unknown>[]
  try {
    outcomes = await driver.send(run, items)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'UNCLEAR') return
    const undone = items.map((i): ItemChange => ({ no: i.no, state: 'PLANNED', attempts: i.attempts }))
    const rejected = items.map(i => refused(i, failure.reason, failure.message))
    await inJournal(run, tx => recordItems(tx, run.key, failure.kind === 'REJECTED' ? rejected : undone))
    if (failure.kind === 'LATER') throw new Wait(failure.afterMs, error)
    if (failure.kind === 'BLOCKED') throw new Blocked(error)
    return
  }
  await recordOutcomes(run, driver, items, outcomes)
}

/**
 * Clears up items of which it is not known whether they were made: looks until they are found or the marketplace has
 * had time enough to show them, and only then plans them anew. Given up when that has happened too often.
 */
export const clearUp = async (run: LaunchRun, driver: StepDriver, unclear: readonly PlacedItem[]): Promise<void> => {
  const { timing, services } = run
  if (!driver.find) {
    const again = unclear.map(
      (i): ItemChange =>
        i.attempts < timing.maxSends ? { no: i.no, state: 'PLANNED' } : refused(i, 'OUTCOME_UNKNOWN'),
    )
    return inJournal(run, tx => recordItems(tx, run.key, again))
  }
  const found = await look(run, driver, unclear)
  const missing = unclear.filter(item => !found.has(item.no))
  const lastSent = Math.max(0, ...missing.map(item => item.sentAt?.getTime() ?? 0))
  const isQuietOver = services.clock.now().getTime() - lastSent >= timing.quietMs
  const changes = unclear.flatMap((item): ItemChange[] => {
    const amazonId = found.get(item.no)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    if (!isQuietOver) return []
    return [item.attempts < 2 ? { no: item.no, state: 'PLANNED' } : refused(item, 'OUTCOME_UNKNOWN')]
  })
  await inJournal(run, tx => recordItems(tx, run.key, changes))
  if (missing.length && !isQuietOver) await pause(run, timing.pollMs)
}

const look = async (run: LaunchRun, driver: StepDriver, items: readonly PlacedItem[]): Promise<Map<number, string>> => {
  try {
    return (await driver.find?.(run, items)) ?? new Map<number, string>()
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'BLOCKED') throw new Blocked(error)
    throw new Wait(failure.kind === 'LATER' ? failure.afterMs : undefined, error)
  }
}

/**
 * Carries one step out until nothing of it is planned or unclear. Each item is made at most once, wherever the process
 * may have been killed before. Throws Wait or Blocked, with the journal in order, when the marketplace cannot be used.
 */
export const runStep = async (run: LaunchRun, driver: StepDriver): Promise<void> => {
  run.calls.step = driver.name
  await inJournal(run, tx => updateStep(tx, run.key, driver.name, { status: 'IN_PROGRESS' }))
  for (let round = 0; ; round++) {
    const { placed, orphans } = await placedItems(run, driver)
    const unclear = placed.filter(i => i.state === 'SENDING')
    // One call at a time, so that a killed process leaves no more in doubt than that call carried.
    const planned = placed.filter(i => i.state === 'PLANNED').slice(0, MAX_BATCH)
    if (unclear.length) await clearUp(run, driver, unclear)
    else if (planned.length) {
      // What failed for the moment is given a moment.
      if (round && planned.some(i => i.attempts)) await pause(run, run.timing.pollMs)
      await send(run, driver, planned)
    } else return closeStep(run, driver, placed, orphans)
  }
}

const closeStep = async (
  run: LaunchRun,
  driver: StepDriver,
  placed: readonly PlacedItem[],
  orphans: readonly JournalItem[],
): Promise<void> => {
  const skipped = orphans
    .filter(i => i.state === 'PLANNED')
    .map(
      (i): ItemChange => ({
        no: i.no,
        state: 'SKIPPED',
        reason: 'PARENT_MISSING',
        message: sellerWords('PARENT_MISSING'),
      }),
    )
  const total = placed.length + orphans.length
  const done = placed.filter(i => i.state === 'CREATED').length
  const status = total === 0 ? 'SKIPPED' : done === total ? 'COMPLETED' : done ? 'PARTIAL' : 'FAILED'
  await inJournal(run, async tx => {
    await recordItems(tx, run.key, skipped)
    await updateStep(tx, run.key, driver.name, { status })
  })
}
