/** A campaign's purse: what it spent today and what it left over earlier in the month, in micros. */
export interface Purse {
  /** Day and month (yyyy * 12 + month) of the profile, as numbers. */
  day: number
  month: number
  spent: number
  carry: number
  /** The highest budget of the day so far: what was spent under it was allowed, though it be lowered later. */
  most: number
  /** All that it ever spent. */
  total: number
  /** The allowance at which today's last affordable click was bought; null while there is money. */
  ranOutAt: number | null
}

const monthOf = (day: number): number => {
  const date = new Date(day * 86_400_000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** A purse as it is on the first day of its campaign. */
export const newPurse = (day: number): Purse => ({
  day,
  month: monthOf(day),
  spent: 0,
  carry: 0,
  most: 0,
  total: 0,
  ranOutAt: null,
})

/**
 * Notes the budget of the day; at the profile's midnight turns the page: what a day left unspent is kept for busier
 * ones of the same month, so that a month never costs more than its days' budgets together.
 */
export const turnDay = (purse: Purse, day: number, budgetMicros: number): void => {
  if (purse.day === day) {
    purse.most = Math.max(purse.most, budgetMicros)
    return
  }
  const month = monthOf(day)
  const left = purse.carry + Math.max(purse.most, budgetMicros) - purse.spent
  purse.carry = month === purse.month ? Math.max(0, left) : 0
  purse.day = day
  purse.month = month
  purse.spent = 0
  purse.most = budgetMicros
  purse.ranOutAt = null
}

/** What may be spent today at most: the budget and what the month has left over, but never more than twice the budget. */
export const allowance = (purse: Purse, budgetMicros: number): number =>
  Math.max(0, Math.min(2 * budgetMicros, budgetMicros + purse.carry))

/** What is left for today; 0 once the money ran out, until midnight or until somebody raises the budget. */
export const leftToday = (purse: Purse, budgetMicros: number): number => {
  const most = allowance(purse, budgetMicros)
  return purse.ranOutAt !== null && most <= purse.ranOutAt ? 0 : Math.max(0, most - purse.spent)
}

/** What is left of a budget for the whole life of a campaign as today began: the most that today may cost. */
export const leftOfLife = (purse: Purse, budgetMicros: number): number =>
  Math.max(0, budgetMicros - (purse.total - purse.spent))

/** Whether nothing more can be bought on a day, with a budget for the day or for the whole life. */
export const isUsedUp = (purse: Purse, day: number, budgetMicros: number, lifetime: boolean): boolean =>
  purse.day === day
    ? leftToday(purse, lifetime ? leftOfLife(purse, budgetMicros) : budgetMicros) <= 0
    : lifetime && purse.total >= budgetMicros
