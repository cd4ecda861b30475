import type { BudgetLimits } from '#shared/ad-limits.ts'
import { ceilToUnit, floorToUnit, fromMicros, hasUnitPrecision, type Micros, toMicros } from '#shared/money.ts'
import { type CreatePayload, launchMessages } from '../launch-schema.ts'
import { type Structure, structureOf } from './plan-structure.ts'

const sum = (shares: readonly number[]) => shares.reduce((a, b) => a + b, 0)

/**
 * Splits an amount by weights so that every share is at least `floors[i]`, exact to the currency's smallest unit. Shares
 * that fall below their floor are set to it and the rest is split again; what rounding leaves goes to `remainderTo`.
 * Null when the floors add up to more than the amount.
 */
export function splitWithFloors(
  micros: Micros,
  weights: readonly number[],
  floors: readonly number[],
  currency: string,
  remainderTo: number,
): number[] | null {
  const least = floors.map(floor => ceilToUnit(floor, currency))
  if (sum(least) > micros) return null
  const atFloor = new Set<number>()
  for (;;) {
    const rest = micros - sum(least.filter((_, i) => atFloor.has(i)))
    const weight = sum(weights.filter((_, i) => !atFloor.has(i)))
    const shares = weights.map((w, i) =>
      atFloor.has(i) ? (least[i] ?? 0) : floorToUnit((rest * w) / weight, currency),
    )
    const low = shares.flatMap((share, i) => (share < (least[i] ?? 0) ? [i] : []))
    for (const i of low) atFloor.add(i)
    if (low.length) continue
    shares[remainderTo] = (shares[remainderTo] ?? 0) + micros - sum(shares)
    return shares
  }
}

/**
 * The daily budget of each campaign by its key: first by part, then within the part, each at least the marketplace's minimum and
 * all adding up to the total. Null when the total is too small for that many campaigns.
 */
export function splitBudget(
  totalMicros: Micros,
  { parts, remainderTo }: Pick<Structure, 'parts' | 'remainderTo'>,
  { currency, minDailyBudgetMicros }: Pick<BudgetLimits, 'currency' | 'minDailyBudgetMicros'>,
): Map<string, number> | null {
  const minimum = leastBudget(1, minDailyBudgetMicros, currency)
  const weights = parts.map(p => p.weight)
  const floors = parts.map(p => p.campaigns.length * minimum)
  const amounts = splitWithFloors(totalMicros, weights, floors, currency, remainderTo)
  if (!amounts) return null
  return new Map(
    parts.flatMap(({ campaigns }, i) => {
      const even = campaigns.map(() => 1)
      const shares = splitWithFloors(
        amounts[i] ?? 0,
        even,
        campaigns.map(() => minimum),
        currency,
        0,
      )
      return campaigns.map((key, j) => [key, shares?.[j] ?? minimum] as const)
    }),
  )
}

/** The least daily budget that a number of campaigns can share. */
export const leastBudget = (campaigns: number, minimumMicros: Micros, currency: string): number =>
  campaigns * ceilToUnit(minimumMicros, currency)

/** How a daily budget is shared by the campaigns of a payload, and whether the marketplace accepts it. */
interface BudgetCheck {
  /** By the campaigns' keys; null while the total does not suffice. */
  budgets: Map<string, number> | null
  /** The least total that the marketplace accepts for this structure, in micro-units. */
  leastMicros: Micros
  /** Why the total is not accepted; null when it is. */
  problem: string | null
  /** The same without its reason. */
  summary?: string
}

// Above what a payload may contain, and what micros can hold.
const HIGHEST_BUDGET = 1_000_000_000

/** Checks a launch's total daily budget against the marketplace's limits for one campaign. */
export function checkBudget(payload: CreatePayload, market: BudgetLimits): BudgetCheck {
  const { currency, minDailyBudgetMicros, maxDailyBudgetMicros } = market
  const structure = structureOf(payload)
  const count = Math.max(1, structure.campaigns.length)
  const leastMicros = leastBudget(count, minDailyBudgetMicros, currency)
  const rejected = { budgets: null, leastMicros }
  if (payload.budget > HIGHEST_BUDGET) return { ...rejected, problem: launchMessages.budget }
  const micros = toMicros(payload.budget)
  if (!hasUnitPrecision(micros, currency))
    return { ...rejected, problem: `The budget has more decimals than ${currency} has` }
  const budgets = splitBudget(micros, structure, market)
  if (micros < leastMicros || !budgets) {
    const why =
      count === 1
        ? 'less the marketplace does not take'
        : `it is shared by ${count} campaigns, and the marketplace asks at least ${fromMicros(minDailyBudgetMicros)} for each`
    const summary = `The budget must be at least ${fromMicros(leastMicros)} ${currency} a day`
    return { ...rejected, problem: `${summary}: ${why}`, summary }
  }
  const isTooHigh = Math.max(...budgets.values()) > maxDailyBudgetMicros
  const problem = `A campaign’s budget must be at most ${fromMicros(maxDailyBudgetMicros)} ${currency} a day`
  return { budgets, leastMicros, problem: isTooHigh ? problem : null }
}
