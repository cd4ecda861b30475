import { createRandom } from '#sandbox/market/random.ts'
import { quantile } from '../figure.ts'

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

const resamples = 2000

/**
 * A statistic of accounts with the interval that holds it in 95 of 100 cases, by drawing accounts again and again. Seeds of
 * one account share its structure, so accounts are drawn, not runs.
 */
export function withInterval<T extends { account: string }>(
  results: readonly T[],
  statistic: (of: readonly T[]) => number,
): { value: number; low: number; high: number } {
  const accounts = [...Map.groupBy(results, one => one.account).values()]
  const random = createRandom(1)
  const draws = Array.from({ length: resamples }, () =>
    statistic(accounts.flatMap(() => accounts[Math.floor(random() * accounts.length)] ?? [])),
  )
  return { value: statistic(results), low: quantile(draws, 0.025), high: quantile(draws, 0.975) }
}

export const shareOf = <T>(all: readonly T[], holds: (one: T) => boolean): number =>
  all.length ? all.filter(holds).length / all.length : Number.NaN
