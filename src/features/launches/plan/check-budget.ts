import type { BudgetLimits } from '#shared/campaign-rules.ts'
import { type Micros, fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { type CreatePayload, launchMessages } from '../launch-schema.ts'
import { leastBudget, splitBudget } from './plan-budget.ts'
import { structureOf } from './plan-structure.ts'

/** How a daily budget is shared by the campaigns of a payload, and whether the marketplace accepts it. */
interface BudgetCheck {
  /** By the campaigns' keys; null while the total does not suffice. */
  budgets: Map<string, number> | null
  /** The least total that the marketplace accepts for this structure, in micro-units. */
  leastMicros: Micros
  /** Why the total is not accepted; null when it is. */
  problem: string | null
  /** The same without its reason. */
  summary: string | undefined
}

// Above what a payload may contain, and what micros can hold.
const HIGHEST_BUDGET = 1_000_000_000

/** Checks a launch's total daily budget against the marketplace's limits for one campaign. */
export function checkBudget(payload: CreatePayload, market: BudgetLimits): BudgetCheck {
  const { currency, minDailyBudgetMicros, maxDailyBudgetMicros } = market
  const { campaigns, shares, remainderTo } = structureOf(payload)
  const count = Math.max(1, campaigns.length)
  const leastMicros = leastBudget(count, minDailyBudgetMicros, currency)
  const rejected = (problem: string, summary?: string): BudgetCheck => ({
    budgets: null,
    leastMicros,
    problem,
    summary,
  })
  if (payload.budget > HIGHEST_BUDGET) return rejected(launchMessages.budget)
  const micros = toMicros(payload.budget)
  if (!hasUnitPrecision(micros, currency)) return rejected(`The budget has more decimals than ${currency} has`)
  const budgets = splitBudget(micros, shares, minDailyBudgetMicros, currency, remainderTo)
  if (micros < leastMicros || !budgets) {
    const why =
      count === 1
        ? 'less the marketplace does not take'
        : `it is shared by ${count} campaigns, and the marketplace asks at least ${fromMicros(minDailyBudgetMicros)} for each`
    const summary = `The budget must be at least ${fromMicros(leastMicros)} ${currency} a day`
    return rejected(`${summary}: ${why}`, summary)
  }
  const isTooHigh = Math.max(...budgets.values()) > maxDailyBudgetMicros
  const problem = `A campaign’s budget must be at most ${fromMicros(maxDailyBudgetMicros)} ${currency} a day`
  return { budgets, leastMicros, problem: isTooHigh ? problem : null, summary: undefined }
}
