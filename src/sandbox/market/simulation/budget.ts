/** What a campaign has spent today and carries over from earlier in the month, in micros. */
export interface BudgetState {
  /** Day and month (yyyy * 12 + month) in the profile's time zone, as numbers. */
  day: number
  month: number
  spent: number
  carry: number
  /** The highest budget of the day so far: what was spent under it was allowed, even if the budget is lowered later. */
  highest: number
  total: number
  /** The allowance at which today's last affordable click was bought; null while there is money. */
  ranOutAt: number | null
  /** The budget rules that were found to hold when the day began. */
  rules?: string[]
}

/** The key of what an account's daily limit has left, beside those of campaigns. */
export const accountKey = (profileId: number): string => `account ${profileId}`

function monthOf(day: number): number {
  const date = new Date(day * 86_400_000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

export function newBudgetState(day: number): BudgetState {
  return { day, month: monthOf(day), spent: 0, carry: 0, highest: 0, total: 0, ranOutAt: null }
}

/**
 * Records the budget of the day. At the profile's midnight a new day starts: the unspent rest of the old one is available on
 * busier days of the same month, so that a month never costs more than the sum of its daily budgets.
 */
export function startDay(state: BudgetState, day: number, budgetMicros: number): void {
  if (state.day === day) {
    state.highest = Math.max(state.highest, budgetMicros)
    return
  }
  const month = monthOf(day)
  const left = state.carry + Math.max(state.highest, budgetMicros) - state.spent
  state.carry = month === state.month ? Math.max(0, left) : 0
  state.day = day
  state.month = month
  state.spent = 0
  state.highest = budgetMicros
  state.ranOutAt = null
}

/** What may be spent today at most: the budget plus what the month has left over, but never more than twice the budget. */
export const allowance = (state: BudgetState, budgetMicros: number): number =>
  Math.max(0, Math.min(2 * budgetMicros, budgetMicros + state.carry))

/** What is left for today: 0 once the money ran out, until midnight or until somebody raises the budget. */
export function leftToday(state: BudgetState, budgetMicros: number): number {
  const most = allowance(state, budgetMicros)
  return state.ranOutAt !== null && most <= state.ranOutAt ? 0 : Math.max(0, most - state.spent)
}

/** What a lifetime budget had left when today began: the most that today may cost. */
export const leftOfLifetime = (state: BudgetState, budgetMicros: number): number =>
  Math.max(0, budgetMicros - (state.total - state.spent))

/** Whether a daily or lifetime budget allows nothing more on a day; nothing was spent of it while it has no state. */
export function isUsedUp(
  state: BudgetState | undefined,
  day: number,
  budgetMicros: number,
  lifetime: boolean,
): boolean {
  if (!state) return false
  return state.day === day
    ? leftToday(state, lifetime ? leftOfLifetime(state, budgetMicros) : budgetMicros) <= 0
    : lifetime && state.total >= budgetMicros
}
