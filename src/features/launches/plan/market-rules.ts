import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import type { PlanMarket } from './launch-plan.ts'
import type { CreatePayload } from '../payload.ts'
import { chosenCategories, chosenKeywords, chosenProductTargets, type PayloadProblem } from '../payload-rules.ts'
import { leastBudget } from './plan-budget.ts'
import { campaignBudgetsOf } from './plan-launch.ts'
import { structureOf } from './plan-structure.ts'

const bidProblem = (name: string, field: string, bid: number, market: PlanMarket): PayloadProblem[] => {
  const micros = toMicros(bid)
  const { currency } = market
  if (micros < market.minBidMicros || micros > market.maxBidMicros)
    return [
      {
        field,
        message: `The bid for “${name}” must be between ${fromMicros(market.minBidMicros)} and ${fromMicros(market.maxBidMicros)} ${currency}`,
      },
    ]
  if (!hasUnitPrecision(micros, currency))
    return [{ field, message: `The bid for “${name}” has more decimals than ${currency} has` }]
  return []
}

const budgetProblems = (payload: CreatePayload, market: PlanMarket): PayloadProblem[] => {
  const field = 'budget'
  const { currency, minDailyBudgetMicros } = market
  const micros = toMicros(payload.budget)
  if (!hasUnitPrecision(micros, currency))
    return [{ field, message: `The budget has more decimals than ${currency} has` }]
  const count = structureOf(payload).campaigns.length
  const budgets = campaignBudgetsOf(payload, market)
  if (!budgets) {
    const least = fromMicros(leastBudget(count, minDailyBudgetMicros, currency))
    const each = fromMicros(minDailyBudgetMicros)
    const message =
      count === 1
        ? `The budget must be at least ${least} ${currency} a day: less the marketplace does not take`
        : `The budget must be at least ${least} ${currency} a day: it is shared by ${count} campaigns, and the marketplace asks at least ${each} for each`
    return [{ field, message }]
  }
  if (Math.max(...budgets.values()) > market.maxDailyBudgetMicros)
    return [
      {
        field,
        message: `A campaign’s budget must be at most ${fromMicros(market.maxDailyBudgetMicros)} ${currency} a day`,
      },
    ]
  return []
}

/** What the marketplace's own limits forbid in a payload: budget and the user's own bids. Empty when all is well. */
export const marketProblems = (payload: CreatePayload, market: PlanMarket): PayloadProblem[] => [
  ...budgetProblems(payload, market),
  ...chosenKeywords(payload).flatMap(k => bidProblem(k.keyword, 'keywords', k.bid, market)),
  ...chosenCategories(payload).flatMap(c => bidProblem(c.name, 'categories', c.bid, market)),
  ...chosenProductTargets(payload).flatMap(t => bidProblem(t.asin, 'productTargets', t.bid, market)),
]
