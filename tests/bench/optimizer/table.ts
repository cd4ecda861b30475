import type { Figure } from '../figure.ts'
import { quantile } from '../figure.ts'
import { type Result, runDays } from './runs.ts'
import type { Day } from './world.ts'
import { mean, shareOf, withInterval } from './statistics.ts'

const lastDays = 16
const windowDays = 14
/** A budget of which so much is spent is used. */
const usedShare = 0.9
/** An account is back in its target when this long has passed since a break. */
const recoveryDays = 45

const total = (days: readonly Day[], key: 'profit' | 'cost' | 'sales'): number =>
  days.reduce((sum, one) => sum + one[key], 0)
const acosOf = (days: readonly Day[]): number => {
  const sales = total(days, 'sales')
  const cost = total(days, 'cost')
  return sales > 0 ? cost / sales : cost > 0 ? Infinity : 0
}

const span = (days: readonly Day[], from: number, to: number): Day[] =>
  days.filter(({ day }) => day >= from && day < to)
const atEnd = (days: readonly Day[]): Day[] => span(days, runDays - lastDays, runDays)

/** The first day from which on two weeks together are as asked; null if there is none. */
function firstWindow(days: readonly Day[], holds: (acos: number) => boolean): number | null {
  const first = days.find(({ day }) => day + windowDays <= runDays && holds(acosOf(span(days, day, day + windowDays))))
  return first?.day ?? null
}

/** A run in numbers; profits are shares of what the oracle earns in the same days. */
export interface Summary {
  account: string
  share: number
  lateShare: number
  nothing: number
  rules: number
  fourCases: number
  acos: number
  startAcos: number
  firstUnder: number | null
  changes: number
  /** 45 days after a break. */
  recoveredAcos: number | null
  reach: null | {
    acos: number
    budgetUsed: number
    sales: number
    firstNear: number | null
    canReach: boolean
    canUse: boolean
  }
}

/** ACOS are over the target. */
export function summaryOf(result: Result): Summary {
  const { account, targetAcos, targets, breaks } = result
  const best = total(result.best, 'profit')
  const late = atEnd(result.profit)
  const over = (days: readonly Day[]): number => acosOf(days) / targetAcos
  const isUnder = (acos: number): boolean => acos <= 1.1 * targetAcos
  const changes = result.profitRun.rows.length
  const [broke] = breaks
  const reachLate = atEnd(result.reach)
  const mostLate = atEnd(result.mostSales)
  return {
    account,
    share: total(result.profit, 'profit') / best,
    lateShare: total(late, 'profit') / total(atEnd(result.best), 'profit'),
    nothing: total(result.nothing, 'profit') / best,
    rules: total(result.rules, 'profit') / best,
    fourCases: total(result.fourCases, 'profit') / best,
    acos: over(late),
    startAcos: over(result.nothing.slice(0, 1)),
    firstUnder: firstWindow(result.profit, isUnder),
    changes: (100 * changes) / runDays / targets,
    recoveredAcos:
      broke === undefined ? null : over(span(result.profit, broke + recoveryDays, broke + recoveryDays + windowDays)),
    reach: result.reach.length
      ? {
          acos: over(reachLate),
          budgetUsed: total(reachLate, 'cost') / reachLate.length / result.budget,
          sales: total(reachLate, 'sales') / total(mostLate, 'sales'),
          firstNear: firstWindow(result.reach, acos => Math.abs(acos / targetAcos - 1) <= 0.1),
          canReach: acosOf(mostLate) >= 0.95 * targetAcos,
          canUse: total(mostLate, 'cost') / mostLate.length >= usedShare * result.budget,
        }
      : null,
  }
}

const percent = (value: number): number => 100 * value
const written = (value: number): string => percent(value).toFixed(0)

export function shareFigure(
  name: string,
  summaries: readonly Summary[],
  statistic: (of: readonly Summary[]) => number,
  goal: Figure['goal'],
  more = '',
): Figure {
  const { value, low, high } = withInterval(summaries, statistic)
  const note = `${written(low)} to ${written(high)}${more && ` · ${more}`}`
  return { name, unit: '%', value: percent(value), count: summaries.length, note, ...(goal && { goal }) }
}

/** The mean over accounts of the means over their seeds. */
export const overAccounts =
  (of: (one: Summary) => number) =>
  (summaries: readonly Summary[]): number =>
    mean([...Map.groupBy(summaries, one => one.account).values()].map(all => mean(all.map(of))))

const gainOver = (other: 'nothing' | 'rules' | 'fourCases') => (of: readonly Summary[]) =>
  overAccounts(one => one.share - one[other])(of) / Math.abs(overAccounts(one => one[other])(of))

const shares = (of: (one: Summary) => boolean) => (summaries: readonly Summary[]) => shareOf(summaries, of)

export function profitFigures(summaries: readonly Summary[]): Figure[] {
  const families = [...Map.groupBy(summaries, one => one.account)].map(([name, all]) => ({
    name,
    share: mean(all.map(one => one.share)),
  }))
  const worst = families.reduce((least, one) => (one.share < least.share ? one : least))
  const above = summaries.filter(one => one.startAcos > 1.1)
  const firstDays = above.flatMap(one => one.firstUnder ?? [])
  const losses = summaries.map(one => one.nothing - one.share)
  return [
    shareFigure(
      "share of the oracle's profit, days 1 to 90",
      summaries,
      overAccounts(one => one.share),
      { atLeast: 75 },
    ),
    shareFigure(
      '· last 16 days',
      summaries,
      overAccounts(one => one.lateShare),
      { atLeast: 82 },
    ),
    shareFigure('profit over nothing', summaries, gainOver('nothing'), { atLeast: 40 }),
    shareFigure('profit over rules', summaries, gainOver('rules'), { atLeast: 35 }),
    ...(summaries.some(one => one.fourCases !== 0)
      ? [shareFigure('profit over four cases', summaries, gainOver('fourCases'), undefined)]
      : []),
    shareFigure(
      'rules over nothing, of the oracle',
      summaries,
      overAccounts(one => one.rules - one.nothing),
      undefined,
    ),
    shareFigure(
      'runs worse than nothing by 2 % of the oracle',
      summaries,
      shares(one => one.nothing - one.share > 0.02),
      { atMost: 5 },
      `the worst by ${written(Math.max(...losses))} % (15 at most)`,
    ),
    shareFigure(
      'at or under 110 % of target at the end',
      summaries,
      shares(one => one.acos <= 1.1),
      { atLeast: 95 },
    ),
    ...(above.length
      ? [
          shareFigure(
            'began above 110 %: under it for 14 days',
            above,
            shares(one => one.firstUnder !== null),
            {
              atLeast: 90,
            },
          ),
          {
            name: '· from day',
            unit: 'day',
            value: firstDays.length ? quantile(firstDays, 0.5) : Number.NaN,
            count: firstDays.length,
            goal: { atMost: 7 },
          },
        ]
      : []),
    {
      name: 'worst account, mean of its seeds',
      unit: '%',
      value: percent(worst.share),
      count: families.length,
      goal: { atLeast: 65 },
      note: worst.name,
    },
    {
      name: 'changes a day per 100 targets',
      unit: '',
      value: mean(summaries.map(one => one.changes)),
      count: summaries.length,
      goal: { atMost: 15 },
      note: `the most ${Math.max(...summaries.map(one => one.changes)).toFixed(0)}`,
    },
  ]
}

export function reachFigures(all: readonly Summary[]): Figure[] {
  const of =
    <T>(pick: (reach: NonNullable<Summary['reach']>) => T) =>
    (one: Summary): T =>
      pick(one.reach as NonNullable<Summary['reach']>)
  const near = all.filter(of(one => one.firstNear !== null))
  const nearDays = near.flatMap(of(one => one.firstNear ?? []))
  const possible = all.filter(of(one => one.canReach))
  const hits = shares(of(one => Math.abs(one.acos - 1) <= 0.1 || (one.acos <= 1 && one.budgetUsed >= usedShare)))
  // Whose demand ends before both the target and the budget cannot come to either.
  const notExhausted = all.filter(of(one => one.canReach || one.canUse))
  return [
    shareFigure('Reach: at target ± 10 %, or under it with the budget used', all, hits, { atLeast: 60 }),
    ...(notExhausted.length
      ? [
          shareFigure(
            '· of those whose demand is enough for either',
            notExhausted,
            hits,
            undefined,
            `${notExhausted.length} of ${all.length}`,
          ),
        ]
      : []),
    shareFigure(
      'Reach: sales against the most the target allows',
      all,
      overAccounts(of(one => Math.min(1.5, one.sales))),
      { atLeast: 85 },
    ),
    shareFigure('Reach: at or under 110 %', all, shares(of(one => one.acos <= 1.1)), { atLeast: 88 }),
    shareFigure(
      'Reach: two weeks within ± 10 %, of those that can',
      possible,
      shares(of(one => one.firstNear !== null)),
      { atLeast: 80 },
      `${possible.length} of ${all.length} have the demand and the budget for it`,
    ),
    {
      name: '· from day',
      unit: 'day',
      value: nearDays.length ? quantile(nearDays, 0.5) : Number.NaN,
      count: nearDays.length,
      goal: { atMost: 14 },
    },
  ]
}

export function driftFigures(summaries: readonly Summary[]): Figure[] {
  const gain = (other: 'nothing' | 'rules') => overAccounts(one => one.share - one[other])
  return [
    shareFigure(
      "drifting: share of the oracle's profit, last 16 days",
      summaries,
      overAccounts(one => one.lateShare),
      {
        atLeast: 75,
      },
    ),
    shareFigure(
      '· days 1 to 90',
      summaries,
      overAccounts(one => one.share),
      undefined,
    ),
    shareFigure('· over nothing, of the oracle (interval above 0)', summaries, gain('nothing'), { atLeast: 0 }),
    shareFigure('· over rules, of the oracle (interval above 0)', summaries, gain('rules'), { atLeast: 0 }),
    shareFigure(
      '· at or under 110 % 45 days after a break',
      summaries,
      shares(one => (one.recoveredAcos ?? 0) <= 1.1),
      { atLeast: 80 },
    ),
    {
      name: '· changes a day per 100 targets',
      unit: '',
      value: mean(summaries.map(one => one.changes)),
      count: summaries.length,
    },
  ]
}
