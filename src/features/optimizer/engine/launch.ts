import { daysBetween } from '#shared/time.ts'
import type { Decision } from './decisions.ts'
import type { Facts } from './facts.ts'
import type { Launch, Memory, Settings } from './settings.ts'

// A launch buys attention for a time: its ceiling is money, not ACOS. It ends by itself.

interface Phase {
  /** With the strategy, and the most for a day, that hold today. */
  settings: Settings
  memory: Memory
  /** The row that says that the launch has ended, on the day on which it does. */
  rows: Decision[]
}

/**
 * What holds today for a group that is launched: the rest of the money over the days that are left, until the last day or the
 * money is over. From then on Profit, where all costs are known, else Reach; the multiplier begins where the target says. The
 * campaigns' days must reach back to the day on which the launch began.
 */
export function launchPhase(facts: Facts, settings: Settings, memory: Memory, today: string): Phase {
  const { launch, strategy } = settings
  if (strategy !== 'LAUNCH') return { settings, memory, rows: [] }
  const spentMicros = launch ? spentSince(facts, launch.from) : 0
  const least = facts.campaigns.reduce((sum, one) => sum + one.limits.minDailyBudgetMicros, 0)
  // A new launch begins later than the last one ended.
  const hasEnded = memory.launchEndedOn !== undefined && (!launch || memory.launchEndedOn >= launch.from)
  if (!hasEnded && launch && leftOf(launch, spentMicros, today) >= least) {
    const mostOfDay = leftOf(launch, spentMicros, today)
    return { settings: { ...settings, budgetMicros: Math.min(settings.budgetMicros, mostOfDay) }, memory, rows: [] }
  }
  const next = strategyAfter(facts)
  const rest = { ...settings, strategy: next }
  if (hasEnded) return { settings: rest, memory, rows: [] }
  const { multiplier: _, moneyFactor: __, moneyFactors: ___, steeredOn: ____, ...others } = memory
  const row: Decision = {
    kind: 'steer',
    groupId: `launch ${today}`,
    entity: 'group',
    entityId: '',
    before: 'LAUNCH',
    after: next,
    cause: 'LAUNCH_ENDED',
    asks: false,
    evidence: {
      costMicros: spentMicros,
      targetAcos: settings.targetAcos,
      basis: {
        launch: { budgetMicros: launch?.budgetMicros ?? 0, until: launch?.until ?? today, hasCosts: next === 'PROFIT' },
      },
    },
    forecast: null,
  }
  return { settings: rest, memory: { ...others, launchEndedOn: today }, rows: [row] }
}

/** What may be spent on each of the days that are left; 0 after the last. */
function leftOf({ until, budgetMicros }: Launch, spentMicros: number, today: string): number {
  const days = daysBetween(today, until) + 1
  return days < 1 ? 0 : Math.max(0, Math.floor((budgetMicros - spentMicros) / days))
}

const spentSince = ({ campaigns }: Facts, from: string): number =>
  campaigns.reduce((all, { days }) => days.reduce((sum, one) => sum + (one.day >= from ? one.costMicros : 0), all), 0)

export const strategyAfter = ({ families }: Facts): 'PROFIT' | 'REACH' =>
  families.every(({ margin }) => margin !== null) ? 'PROFIT' : 'REACH'
