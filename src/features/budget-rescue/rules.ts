import { ceilToUnit, type Micros } from '#shared/money.ts'

/** A raise of a day that nobody has ended. */
interface OpenRaise {
  beforeMicros: Micros
  raisedMicros: Micros
}

/**
 * Which of the open raises of a campaign (the first one first) still hold, by its budget now. One that was undone no longer
 * does, and uncovers the one below. `isChanged`: the budget is none of theirs, so somebody else changed it and none holds.
 */
export function holdingRaises<R extends OpenRaise>(
  open: readonly R[],
  budgetMicros: Micros | null,
): { holding: R[]; isChanged: boolean } {
  const top = open.findLastIndex(raise => raise.raisedMicros === budgetMicros)
  const isChanged = top < 0 && open.length > 0 && open[0]?.beforeMicros !== budgetMicros
  return { holding: open.slice(0, top + 1), isChanged }
}

/** What "more" is where nothing says how much, as the action of a notification names it. */
export const STEP_PERCENT = 20
// A pace of a few hours may be wild, and money is lost by what it overdoes.
const MOST_TIMES = 3

interface Known {
  budgetMicros: Micros
  /** The marketplace's own recommendation. */
  suggestedMicros: Micros | null
  /** What the day would cost at its pace with a budget without end. */
  projectedMicros: Micros | null
  mostMicros: Micros
  currency: string
}

/** So many percent more than a budget, in units of its currency, and no more than the marketplace takes. */
export function raiseByPercent(
  { budgetMicros, mostMicros, currency }: Pick<Known, 'budgetMicros' | 'mostMicros' | 'currency'>,
  percent: number,
): Micros {
  return Math.min(mostMicros, ceilToUnit(Math.round((budgetMicros * (100 + percent)) / 100), currency))
}

/** The budget to raise to for today, and who says so; null where the marketplace takes no higher one. */
export function recommendBudget(evidence: Known): { micros: Micros; source: 'MARKETPLACE' | 'PACE' | 'STEP' } | null {
  const { budgetMicros, suggestedMicros, projectedMicros, mostMicros, currency } = evidence
  if (budgetMicros >= mostMicros) return null
  const capped = (micros: Micros): Micros => Math.min(mostMicros, ceilToUnit(micros, currency))
  if (suggestedMicros !== null && suggestedMicros > budgetMicros)
    return { micros: capped(suggestedMicros), source: 'MARKETPLACE' }
  if (projectedMicros !== null && projectedMicros > budgetMicros)
    return { micros: capped(Math.min(projectedMicros, budgetMicros * MOST_TIMES)), source: 'PACE' }
  return { micros: raiseByPercent(evidence, STEP_PERCENT), source: 'STEP' }
}

/** A settled week of a campaign. */
interface Week {
  costMicros: Micros
  salesMicros: Micros
}

/**
 * The sales that spend would have brought, by the worst and the best week; null where fewer than two weeks had spend, or
 * nothing is missed.
 */
export function missedSales(
  missedSpendMicros: Micros,
  weeks: readonly Week[],
): { lowMicros: Micros; highMicros: Micros } | null {
  const ratios = weeks.filter(week => week.costMicros > 0).map(week => week.salesMicros / week.costMicros)
  if (missedSpendMicros <= 0 || ratios.length < 2) return null
  return {
    lowMicros: Math.round(missedSpendMicros * Math.min(...ratios)),
    highMicros: Math.round(missedSpendMicros * Math.max(...ratios)),
  }
}
