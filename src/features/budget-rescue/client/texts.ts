import { formatMoney } from '#client/ui/figures/format.ts'
import type { RescueAdvice } from '../contract.ts'

/** What a raise for today is called, and what it costs at most. */
export function raiseText({ budget, currency }: RescueAdvice, to: number): { title: string; effect: string } {
  const more = formatMoney(to - (budget ?? 0), currency)
  return {
    title: `Raise today’s budget to ${formatMoney(to, currency)}`,
    effect: `Costs at most ${more} more. It goes back to ${formatMoney(budget ?? 0, currency)} by itself at midnight.`,
  }
}

/** The sales that today misses, with where that comes from; null when nothing is known. */
export function missedText({ missedToday, currency }: RescueAdvice): string | null {
  if (!missedToday) return null
  const { low, high } = missedToday
  return `Misses ${formatMoney(low, currency)} to ${formatMoney(high, currency)} of sales today, by its last four settled weeks`
}
