import { addDays, daysBetween } from '#shared/time.ts'
import { poisson } from './distributions.ts'
import { type Estimates, shownAt, sumByDay } from './estimate.ts'
import type { Cause, Decision, Evidence, Facts, Memory } from './model.ts'
import { groupDays, lastDays } from './steer.ts'

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
  if (reportedAt === null || now.getTime() - Date.parse(reportedAt) > oldestReportHours * hourMs)
    return { cause: 'REPORTS_OLD', stops: 'everything', evidence: {} }
  const broken = conversionBroke(facts, estimates, today)
  if (broken) return { cause: 'CONVERSION_BROKE_DOWN', stops: 'raises', evidence: broken }
  const spend = spendBrokeOut(facts, today)
  const rises = forecastAcos !== null && memory.forecastAcos !== undefined && forecastAcos > memory.forecastAcos
  const isDear = forecastAcos !== null && forecastAcos > targetAcos
  if (spend && rises && isDear)
    return { cause: 'SPEND_BROKE_OUT', stops: 'raises', evidence: { ...spend, forecastAcos } }
  return null
}

/** Half of the expected orders of everything are missing for days: the listing or the price, not the words. */
function conversionBroke({ targets, shown }: Facts, estimates: Estimates, today: string): Evidence | null {
  const days = sumByDay(targets.map(one => one.days))
  const from = addDays(today, -breakdown.days)
  const sum = { expected: 0, orders: 0, clicks: 0 }
  const before = { clicks: 0, orders: 0 }
  for (const { day, clicks, orders } of days) {
    const age = daysBetween(day, today)
    const seen = clicks * shownAt(shown, age)
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
  const isHalf = sum.orders < breakdown.share * expected
  if (!isHalf || poisson.cdf(sum.orders, expected) >= breakdown.chance) return null
  // A lasting change is what the estimates already know.
  if ([...estimates.breaks.values()].some(({ day, factor }) => factor < 1 && day < from)) return null
  return { clicks: sum.clicks, orders: sum.orders, certainty: 1 - poisson.cdf(sum.orders, expected) }
}

/** Yesterday cost far more than the days of its weekday, or than the last two weeks where there are none. */
function spendBrokeOut({ campaigns }: Facts, today: string): Evidence | null {
  const days = lastDays(groupDays(campaigns), today, 15)
  const yesterday = days.find(({ day }) => day === addDays(today, -1))
  const earlier = days.filter(({ day }) => day < addDays(today, -1))
  if (!yesterday || earlier.length < 7) return null
  const sameWeekday = earlier.filter(({ day }) => daysBetween(day, yesterday.day) % 7 === 0)
  const usual = sameWeekday.length ? sameWeekday : earlier
  const mean = usual.reduce((sum, one) => sum + one.costMicros, 0) / usual.length
  if (mean === 0) return null
  const usualOfAll = earlier.reduce((sum, one) => sum + one.costMicros, 0) / earlier.length
  const variance = earlier.reduce((sum, one) => sum + (one.costMicros - usualOfAll) ** 2, 0) / (earlier.length - 1)
  const isFar = yesterday.costMicros > Math.max(mean, usualOfAll) + breakout.deviations * Math.sqrt(variance)
  return isFar && yesterday.costMicros > breakout.timesMean * mean
    ? { costMicros: yesterday.costMicros, clicks: yesterday.clicks }
    : null
}

/** Takes the raises of the last days back: what they were before, where nobody touched them since. */
export function takeRaisesBack(
  { targets }: Facts,
  memory: Memory,
  { cause, evidence }: Halt,
  today: string,
): Decision[] {
  const from = addDays(today, -breakdown.days)
  return targets.flatMap((target): Decision[] => {
    const own = memory.targets?.[target.id]
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
        evidence,
        forecast: null,
      },
    ]
  })
}

export const frozenUntilOf = (today: string): string => addDays(today, breakdown.frozenDays)
