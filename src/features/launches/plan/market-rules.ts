import { bidProblem, maxNameLength } from '#shared/campaign-rules.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import type { PlanMarket } from './launch-plan.ts'
import { type CreatePayload, launchMessages } from '../payload.ts'
import { chosenCategories, chosenKeywords, chosenProductTargets, type PayloadProblem } from '../payload-rules.ts'
import { leastBudget, splitBudget } from './plan-budget.ts'
import { namesOf, structureOf } from './plan-structure.ts'

/** How a daily budget is shared by the campaigns of a payload, and whether the marketplace takes it. */
export interface BudgetCheck {
  /** By the campaigns' keys; null while the total does not suffice. */
  budgets: Map<string, number> | null
  /** The least total that the marketplace takes for this structure, in micro-units. */
  leastMicros: number
  /** Why the total is not accepted, in words; null when it is. */
  fault: string | null
}

type BudgetLimits = Pick<PlanMarket, 'currency' | 'minDailyBudgetMicros' | 'maxDailyBudgetMicros'>

// Beyond what a payload may say, and what micros can hold.
const HIGHEST_BUDGET = 1_000_000_000

/** The one check of a budget, for the field, the step and the server. */
export const checkBudget = (payload: CreatePayload, market: BudgetLimits): BudgetCheck => {
  const { currency, minDailyBudgetMicros, maxDailyBudgetMicros } = market
  const { campaigns, shares, remainderTo } = structureOf(payload)
  const count = Math.max(1, campaigns.length)
  const leastMicros = leastBudget(count, minDailyBudgetMicros, currency)
  const refused = (fault: string): BudgetCheck => ({ budgets: null, leastMicros, fault })
  if (payload.budget > HIGHEST_BUDGET) return refused(launchMessages.budget)
  const micros = toMicros(payload.budget)
  if (!hasUnitPrecision(micros, currency)) return refused(`The budget has more decimals than ${currency} has`)
  const budgets = splitBudget(micros, shares, minDailyBudgetMicros, currency, remainderTo)
  if (micros < leastMicros || !budgets) {
    const why =
      count === 1
        ? 'less the marketplace does not take'
        : `it is shared by ${count} campaigns, and the marketplace asks at least ${fromMicros(minDailyBudgetMicros)} for each`
    return refused(`The budget must be at least ${fromMicros(leastMicros)} ${currency} a day: ${why}`)
  }
  const isTooHigh = Math.max(...budgets.values()) > maxDailyBudgetMicros
  const fault = `A campaign’s budget must be at most ${fromMicros(maxDailyBudgetMicros)} ${currency} a day`
  return { budgets, leastMicros, fault: isTooHigh ? fault : null }
}

const budgetProblems = (payload: CreatePayload, market: PlanMarket): PayloadProblem[] => {
  const { fault } = checkBudget(payload, market)
  return fault === null ? [] : [{ field: 'budget', message: fault }]
}

const nameProblems = (payload: CreatePayload, market: PlanMarket): PayloadProblem[] => {
  const message = `The names would be longer than the ${maxNameLength[market.accountType]} characters that the marketplace takes: shorten the pattern`
  return namesOf(payload, market).fits ? [] : [{ field: 'namePattern', message }]
}

const bidProblems = (name: string, field: string, bid: number, market: PlanMarket): PayloadProblem[] => {
  const fault = bidProblem(bid, market, { subject: `The bid for “${name}”` })
  return fault === null ? [] : [{ field, message: fault }]
}

/** What the marketplace's own limits forbid in a payload: budget and the user's own bids. Empty when all is well. */
export const marketProblems = (payload: CreatePayload, market: PlanMarket): PayloadProblem[] => [
  ...budgetProblems(payload, market),
  ...nameProblems(payload, market),
  ...chosenKeywords(payload).flatMap(k => bidProblems(k.keyword, 'keywords', k.bid, market)),
  ...chosenCategories(payload).flatMap(c => bidProblems(c.name, 'categories', c.bid, market)),
  ...chosenProductTargets(payload).flatMap(t => bidProblems(t.asin, 'productTargets', t.bid, market)),
]
