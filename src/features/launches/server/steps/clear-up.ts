import type { ItemChange } from '../sql/items.ts'
import { failureOf } from '../run/failure-of.ts'
import { type LaunchRun, pause } from '../run/launch-run.ts'
import { rejected } from './placed-items.ts'
import { Blocked, Wait } from '../run/stops.ts'
import type { PlacedItem, StepDriver } from './step-driver.ts'

/** Which of the items the marketplace has already. Throws Wait or Blocked when it does not answer. */
export async function look(
  run: LaunchRun,
  driver: StepDriver,
  items: readonly PlacedItem[],
): Promise<Map<number, string>> {
  try {
    return await driver.find(run, items)
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'BLOCKED') throw new Blocked(error)
    throw new Wait(failure.kind === 'LATER' ? failure.afterMs : undefined, error)
  }
}

// What was cut off with an earlier run says nothing against the marketplace, and how often a launch is resumed is the
// queue's to say.
function sendAgain({ timing, startedAt }: LaunchRun, item: PlacedItem): ItemChange | null {
  if (item.sentAt && item.sentAt < startedAt) return { no: item.no, state: 'PLANNED', attempts: 0 }
  return item.attempts < timing.maxSends ? { no: item.no, state: 'PLANNED' } : null
}

/** Pauses before the next look: 1, 2, 4, 8, 10 ... times the first pause, and no longer than the quiet lasts. */
export async function restBeforeLook(run: LaunchRun, quietLeftMs: number): Promise<void> {
  const { pollMs } = run.timing
  await pause(run, Math.min(pollMs * Math.min(10, 2 ** run.looks), quietLeftMs + 1))
  run.looks++
}

/**
 * Resolves items with an unclear outcome: looks at once, and again later. What is found is
 * adopted. What is not found is planned again: a change at once, since making it twice is making it once; a new entity only
 * when the marketplace has had time enough to show it. Given up when that has happened too often. Answers what is to be
 * written down.
 */
export async function clearUp(
  run: LaunchRun,
  driver: StepDriver,
  unclear: readonly PlacedItem[],
): Promise<ItemChange[]> {
  const { timing, services } = run
  const found = await look(run, driver, unclear)
  const missing = unclear.filter(item => !found.has(item.no))
  const again = new Map(driver.isRepeatable ? missing.map(item => [item.no, sendAgain(run, item)]) : [])
  const waiting = missing.filter(item => !again.get(item.no))
  const lastSent = Math.max(0, ...waiting.map(item => item.sentAt?.getTime() ?? 0))
  const quietLeftMs = lastSent + timing.quietMs - services.clock.now().getTime()
  const isQuietOver = quietLeftMs <= 0
  if (waiting.length && !isQuietOver) await restBeforeLook(run, quietLeftMs)
  else run.looks = 0
  return unclear.flatMap((item): ItemChange[] => {
    const amazonId = found.get(item.no)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    const change = again.get(item.no)
    if (change) return [change]
    if (!isQuietOver) return []
    const mayMake = !driver.isRepeatable && item.attempts < 2
    return [mayMake ? { no: item.no, state: 'PLANNED' } : rejected(item, 'OUTCOME_UNKNOWN')]
  })
}
