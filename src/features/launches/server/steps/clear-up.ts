import type { LaunchRun } from '../run/launch-run.ts'
import { stopBy, wait } from '../run/stops.ts'
import { type ItemChange, notMade } from '../sql/items.ts'
import type { PlacedItem } from './placed-items.ts'
import type { Step } from './steps.ts'

/** Pauses before the next look: 1, 2, 4, 8, 10 ... times the first pause, and no longer than the quiet lasts. */
export async function restBeforeLook(run: LaunchRun, quietLeftMs: number): Promise<void> {
  await wait(Math.min(run.timing.pollMs * Math.min(10, 2 ** run.looks), quietLeftMs + 1), run.signal)
  run.looks++
}

// What was cut off with an earlier run says nothing against the marketplace, and how often a launch is resumed is the
// queue's to say.
function sendAgain({ timing, startedAt }: LaunchRun, { no, sentAt, attempts }: PlacedItem): ItemChange | null {
  if (sentAt && sentAt < startedAt) return { no, state: 'PLANNED', attempts: 0 }
  return attempts < timing.maxSends ? { no, state: 'PLANNED' } : null
}

/**
 * Resolves items with an unclear outcome: looks at once, and again later. What is found is adopted. What is not found is
 * planned again: a change at once, since making it twice is making it once; a new entity only when the marketplace has had time
 * enough to show it. Given up when that has happened too often. Answers what is to be written down; throws Wait or Blocked.
 */
export async function clearUp(run: LaunchRun, step: Step, unclear: readonly PlacedItem[]): Promise<ItemChange[]> {
  const idOf = await step.find(run, unclear).catch(stopBy)
  const missing = unclear.filter(item => idOf(item) === undefined)
  const again = new Map(step.isRepeatable ? missing.map(item => [item.no, sendAgain(run, item)]) : [])
  const waiting = missing.filter(item => !again.get(item.no))
  const lastSent = Math.max(0, ...waiting.map(item => item.sentAt?.getTime() ?? 0))
  const quietLeftMs = lastSent + run.timing.quietMs - run.services.clock.now().getTime()
  const isQuietOver = quietLeftMs <= 0
  if (waiting.length && !isQuietOver) await restBeforeLook(run, quietLeftMs)
  else run.looks = 0
  return unclear.flatMap((item): ItemChange[] => {
    const amazonId = idOf(item)
    if (amazonId !== undefined) return [{ no: item.no, state: 'CREATED', amazonId }]
    const change = again.get(item.no)
    if (change) return [change]
    if (!isQuietOver) return []
    const mayMake = !step.isRepeatable && item.attempts < 2
    return [mayMake ? { no: item.no, state: 'PLANNED' } : notMade(item, 'FAILED', 'OUTCOME_UNKNOWN')]
  })
}
