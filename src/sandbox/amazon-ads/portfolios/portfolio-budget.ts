import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Portfolio } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { badEnum, invalidArgument } from '../ads-failure.ts'
import { type Selector, itemError, type itemErrorReasons } from '../entities/item-error.ts'
import { type Item, microsOf } from '../entities/read-fields.ts'
import { readDate } from '../entities/wire-styles.ts'

type Cap = Pick<Portfolio, 'policy' | 'amountMicros' | 'startDate' | 'endDate'>

const policies: readonly Portfolio['policy'][] = ['DATE_RANGE', 'MONTHLY_RECURRING', 'NO_CAP']
export const noCap: Cap = { policy: 'NO_CAP', amountMicros: null, startDate: null, endDate: null }

function refuse<S extends Selector>(
  selector: S,
  reason: (typeof itemErrorReasons)[S][number],
  [field, message]: readonly [string, string],
  trigger?: unknown,
) {
  return itemError(selector, reason, { message, field: `budget.${field}`, ...(trigger !== undefined && { trigger }) })
}

// No highest cap is published; a day's least budget is a portfolio's least cap.
function readAmount({ marketplace }: AdsCaller, { amount }: Item): number {
  if (amount === undefined || amount === null)
    throw refuse('missingValueError', 'MISSING_VALUE', ['amount', 'A capped portfolio needs an amount'])
  if (typeof amount !== 'number' || !Number.isFinite(amount))
    throw invalidArgument('Expected a number at budget.amount')
  const micros = amount > 0 ? microsOf(amount) : 0
  if (micros < marketplace.minDailyBudgetMicros)
    throw itemError('budgetError', 'BUDGET_TOO_LOW', {
      message: 'The amount is lower than the minimum allowed by the marketplace',
      field: 'budget.amount',
      trigger: amount,
      more: { lowerLimit: String(fromMicros(marketplace.minDailyBudgetMicros)) },
    })
  return roundToUnit(micros, marketplace.currency)
}

function readDays(
  caller: AdsCaller,
  budget: Item,
  policy: Cap['policy'],
  before: Cap,
): Pick<Cap, 'startDate' | 'endDate'> {
  const startDate = readDate(budget, 'startDate') ?? null
  const endDate = readDate(budget, 'endDate') ?? null
  if (policy === 'MONTHLY_RECURRING' && startDate !== null)
    throw refuse('dateError', 'START_DATE_NOT_NULL', ['startDate', 'A monthly cap has no start date'], startDate)
  if (policy === 'DATE_RANGE' && (startDate === null || endDate === null))
    throw refuse('missingValueError', 'MISSING_VALUE', [
      startDate === null ? 'startDate' : 'endDate',
      'A cap for a range of days needs both of its ends',
    ])
  if (startDate !== null && startDate < caller.today && startDate !== before.startDate)
    throw refuse('dateError', 'START_DATE_EARLIER_THAN_TODAY', ['startDate', 'The start date has passed'], startDate)
  if (startDate !== null && endDate !== null && endDate <= startDate)
    throw refuse(
      'dateError',
      endDate === startDate ? 'START_DATE_EQUAL_END_DATE' : 'START_DATE_AFTER_END_DATE',
      ['endDate', 'The range of days must have an end after its start'],
      endDate,
    )
  if (endDate !== null && endDate < caller.today)
    throw refuse('dateError', 'END_DATE_EARLIER_THAN_TODAY', ['endDate', 'The end date has passed'], endDate)
  return { startDate, endDate }
}

/** A portfolio's whole cap as an item sets it: an omitted part gets its default. */
export function readCap(caller: AdsCaller, value: unknown, before: Cap): Cap {
  if (value === undefined || value === null) return before
  if (typeof value !== 'object') throw invalidArgument('Expected an object at budget')
  const budget = value as Item
  const policy = policies.find(one => one === budget.policy)
  if (budget.policy === undefined)
    throw refuse('budgetError', 'MISSING_BUDGETING_POLICY', ['policy', 'A budget needs a policy'])
  if (!policy) throw badEnum(budget.policy, 'budget.policy', policies)
  const { currencyCode } = budget
  if (currencyCode !== undefined && currencyCode !== caller.profile.currency)
    throw refuse(
      'budgetError',
      'BUDGET_CURRENCY_DOES_NOT_MATCH_MARKETPLACE_SETTINGS',
      ['currencyCode', 'The currency is not the marketplace’s'],
      currencyCode,
    )
  if (policy === 'NO_CAP') return noCap
  return { policy, amountMicros: readAmount(caller, budget), ...readDays(caller, budget, policy, before) }
}
