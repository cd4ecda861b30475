import type { ItemChange } from '../sql/items.ts'
import { failureOf } from '../run/failure-of.ts'
import { type LaunchRun, pause } from '../run/launch-run.ts'
import { refused } from './placed-items.ts'
import { Blocked, Wait } from '../run/stops.ts'
import type { PlacedItem, StepDriver } from './step-driver.ts'

/** Which of the items the marketplace has already. Throws Wait or Blocked when it cannot be asked. */
export const look = async (
  run: LaunchRun,
  driver: StepDriver,
  items: readonly PlacedItem[],
): Promise<Map<number, string>> => {
  try {
    return (await driver.find?.(run, items)) ?? new Map<number, string>()
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'BLOCKED') throw new Blocked(error)
    throw new Wait(failure.kind === 'LATER' ? failure.afterMs : undefined, error)
  }
}

// Sending twice is sending once. What was cut off with an earlier run says nothing against the marketplace, and how often
// a launch is gone on with is the queue's to say.
const sendAnew = ({ timing, startedAt }: LaunchRun, unclear: readonly PlacedItem[]): ItemChange[] =>
  unclear.map(item => {
    if (item.sentAt && item.sentAt < startedAt) return { no: item.no, state: 'PLANNED', attempts: 0 }
    return item.attempts < timing.maxSends ? { no: item.no, state: 'PLANNED' } : refused(item, 'OUTCOME_UNKNOWN')
  })

/**
 * Clears up items of which it is not known whether they were made: looks until they are found or the marketplace has
 * had time enough to show them, and only then plans them anew. Given up when that has happened too often. Answers what is
 * to be written down.
 */
export const clearUp = async (
  run: LaunchRun,
  driver: StepDriver,
  unclear: readonly PlacedItem[],
): Promise<ItemChange[]> => {
  const { timing, services } = run
  if (!driver.find) return sendAnew(run, unclear)
  const found = await look(run, driver, unclear)
  const missing = unclear.filter(item => !found.has(item.no))
  const lastSent = Math.max(0, ...missing.map(item => item.sentAt?.getTime() ?? 0))
  const isQuietOver = services.clock.now().getTime() - lastSent >= timing.quietMs
  if (missing.length && !isQuietOver) await pause(run, timing.pollMs)
  return unclear.flatMap((item): ItemChange[] => {
    const amazonId = found.get(item.no)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    if (!isQuietOver) return []
    return [item.attempts < 2 ? { no: item.no, state: 'PLANNED' } : refused(item, 'OUTCOME_UNKNOWN')]
  })
}
