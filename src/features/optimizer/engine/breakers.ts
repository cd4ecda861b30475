import { addDays, daysBetween } from '#shared/time.ts'
import { poisson } from './distributions.ts'
import { lastDays, sumByDay } from './days.ts'
import type { Estimates } from './estimate.ts'
import type { Cause, Decision, Evidence } from './decisions.ts'
import type { Facts } from './facts.ts'
import type { Memory } from './settings.ts'
import { mayChange } from './stays.ts'

const hourMs = 3_600_000
const oldestReportHours = 36
/** Spend of a day that is so many times the usual, and beyond what days differ by themselves. */
const breakout = { timesMean: 1.5, deviations: 3 }
const breakdown = { days: 3, share: 0.5, chance: 0.01, frozenDays: 3 }

/** Why the engine holds back today; `stops` everything, or only what raises. */
export interface Halt {
  cause: Cause
  stops: 'everything' | 'raises'
  evidence: Evidence
}

/** What keeps decisions from being made: figures that are old, orders that broke down, spend that broke out. */
export function findHalt(
  facts: Facts,
  memory: Memory,
  estimates: Estimates,
  { forecastAcos, targetAcos }: { forecastAcos: number | null; targetAcos: number },
  now: Date,
  today: string,
): Halt | null {
  const { reportedAt } = facts
  if (areReportsOld(reportedAt, now)) {
    const basis = { halt: { reportedAt, at: now.toISOString() } }
    return { cause: 'REPORTS_OLD', stops: 'everything', evidence: { basis } }
  }
  const broken = conversionBroke(facts, estimates, today)
  if (broken) return { cause: 'CONVERSION_BROKE_DOWN', stops: 'raises', evidence: broken }
  const spend = spendBrokeOut(facts, today)
  const { forecastAcos: earlierAcos = Infinity } = memory
  if (spend && forecastAcos !== null && forecastAcos > Math.max(earlierAcos, targetAcos)) {
    const basis = { halt: { ...spend.basis?.halt, earlierAcos } }
    return { cause: 'SPEND_BROKE_OUT', stops: 'raises', evidence: { ...spend, forecastAcos, basis } }
  }
  return null
}

/** Half of the expected orders of everything are missing for days: the listing or the price, not the words. */
function conversionBroke({ targets }: Facts, estimates: Estimates, today: string): Evidence | null {
  const from = addDays(today, -breakdown.days)
  const sum = { expected: 0, orders: 0, clicks: 0 }
  const before = { clicks: 0, orders: 0 }
  // A campaign's days are summed first: the reports of one ad type show orders alike.
  for (const [campaignId, own] of Map.groupBy(targets, one => one.campaignId))
    for (const { day, clicks, orders } of sumByDay(own.map(one => one.days))) {
      const age = daysBetween(day, today)
      const seen = clicks * estimates.shownOf(campaignId, age)
      if (day < from && age <= 30) {
        before.clicks += seen
        before.orders += orders
      }
      if (day >= from && day < today) {
        sum.expected += seen
        sum.orders += orders
        sum.clicks += clicks
      }
    }
  if (before.clicks === 0) return null
  const expected = sum.expected * (before.orders / before.clicks)
  const certainty = breakFrom({ orders: sum.orders, expectedOrders: expected })
  if (certainty === null) return null
  // A lasting change is what the estimates already know.
  if ([...estimates.breaks.values()].some(({ day, factor }) => factor < 1 && day < from)) return null
  return { clicks: sum.clicks, orders: sum.orders, certainty, basis: { halt: { expectedOrders: expected } } }
}

/** How sure it is that orders broke down to less than half of the expected ones; null where it is not. */
export function breakFrom({ orders, expectedOrders }: { orders: number; expectedOrders: number }): number | null {
  if (orders >= breakdown.share * expectedOrders) return null
  const chance = poisson.cdf(orders, expectedOrders)
  return chance < breakdown.chance ? 1 - chance : null
}

/** Whether a day's spend is far above the usual, and above what days differ by themselves. */
export const isBreakOut = (costMicros: number, usual: { meanMicros: number; deviationMicros: number }): boolean =>
  usual.meanMicros > 0 &&
  costMicros > breakout.timesMean * usual.meanMicros &&
  costMicros > usual.meanMicros + breakout.deviations * usual.deviationMicros

/** Whether the newest report is too old to decide by. */
export const areReportsOld = (reportedAt: string | null, now: Date): boolean =>
  reportedAt === null || now.getTime() - Date.parse(reportedAt) > oldestReportHours * hourMs

/** Yesterday cost far more than the days of its weekday, or than the last two weeks where there are none. */
function spendBrokeOut({ campaigns }: Facts, today: string): Evidence | null {
  const days = lastDays(sumByDay(campaigns.map(one => one.days)), today, 15)
  const yesterday = days.find(({ day }) => day === addDays(today, -1))
  const earlier = days.filter(({ day }) => day < addDays(today, -1))
  if (!yesterday || earlier.length < 7) return null
  const sameWeekday = earlier.filter(({ day }) => daysBetween(day, yesterday.day) % 7 === 0)
  const usual = sameWeekday.length ? sameWeekday : earlier
  const mean = usual.reduce((sum, one) => sum + one.costMicros, 0) / usual.length
  const meanOfAll = earlier.reduce((sum, one) => sum + one.costMicros, 0) / earlier.length
  const variance = earlier.reduce((sum, one) => sum + (one.costMicros - meanOfAll) ** 2, 0) / (earlier.length - 1)
  const basis = { meanMicros: Math.max(mean, meanOfAll), deviationMicros: Math.sqrt(variance) }
  return isBreakOut(yesterday.costMicros, basis)
    ? { costMicros: yesterday.costMicros, clicks: yesterday.clicks, basis: { halt: basis } }
    : null
}

/** Takes the raises of the last days back: what they were before, where nobody touched them since. */
export function takeRaisesBack(
  { targets, campaigns }: Facts,
  memory: Memory,
  { cause, evidence }: Halt,
  today: string,
): Decision[] {
  const from = addDays(today, -breakdown.days)
  const free = new Set(campaigns.filter(one => mayChange(one, 'bids')).map(one => one.id))
  return targets.flatMap((target): Decision[] => {
    const own = free.has(target.campaignId) ? memory.targets?.[target.id] : undefined
    if (!own?.changedOn || own.changedOn < from || own.beforeMicros === undefined) return []
    if (own.beforeMicros >= target.bidMicros || (own.pinnedUntil ?? '') > today) return []
    return [
      {
        kind: 'breaker',
        groupId: `breaker ${today}`,
        entity: 'target',
        entityId: target.id,
        before: target.bidMicros,
        after: own.beforeMicros,
        cause,
        asks: false,
        evidence: { ...evidence, basis: { ...evidence.basis, revert: { beforeMicros: own.beforeMicros } } },
        forecast: null,
      },
    ]
  })
}

export const frozenUntilOf = (today: string): string => addDays(today, breakdown.frozenDays)
