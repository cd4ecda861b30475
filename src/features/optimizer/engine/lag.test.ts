import { describe, expect, test } from 'vitest'
import { createRandom } from '#shared/random.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { type DayVersion, learnShown } from './lag.ts'

/** Days of which reports show a share of 40 orders, pulled every 8 hours for so many days. */
function pulled(
  count: number,
  shareAt: (hours: number) => number,
  { orders = 40, lastAge = 20 * 24 } = {},
): DayVersion[] {
  return daysOf('2026-01-01', addDays('2026-01-01', count - 1)).flatMap(date =>
    Array.from({ length: lastAge / 8 }, (_, i) => {
      const fromAge = i * 8 + 2
      return { date, fromAge, toAge: fromAge + 7, sums: { orders: Math.round(orders * shareAt(fromAge)) } }
    }),
  )
}
const truth = (hours: number): number => Math.min(1, 0.5 + hours / 240)

describe('the share of orders that reports show', () => {
  test('is assumed before anything is learnt: 0 today, rising, 1 when orders are final', () => {
    const shown = learnShown([], { windowDays: 7 })
    expect(shown.slice(0, 9).map(one => Number(one.toFixed(3)))).toEqual([
      0, 0.32, 0.83, 0.88, 0.91, 0.94, 0.96, 0.985, 1,
    ])
    // Of 14 days, orders of the second week are still to come.
    const long = learnShown([], { windowDays: 14 })
    expect(long[8]).toBeLessThan(0.95)
    expect(long).toHaveLength(19)
  })

  test('is learnt from days that were pulled again and again, and the assumption fades', () => {
    const at = (shown: readonly number[], age: number) => Number((shown[age] ?? 0).toFixed(2))
    const many = learnShown(pulled(80, truth), { windowDays: 7, readAtHour: 10 })
    for (const age of [1, 2, 3, 4, 5]) expect(at(many, age)).toBeCloseTo(truth((age - 1) * 24 + 10), 1)
    // Three days of 40 orders weigh twice as much as the 60 assumed ones.
    expect(at(learnShown(pulled(3, truth), { windowDays: 7 }), 1)).toBeCloseTo((2 * 0.54 + 0.32) / 3, 1)
  })

  test('never falls and ends at 1, even where orders are cancelled, and days that have not settled teach nothing', () => {
    const random = createRandom(3)
    const noisy = pulled(6, hours => (hours < 100 ? 1.1 : 1) * (0.6 + 0.4 * random()), { orders: 9 })
    for (const windowDays of [7, 14]) {
      const shown = learnShown(noisy, { windowDays })
      expect(shown[0]).toBe(0)
      expect(shown.at(-1)).toBe(1)
      for (const [i, share] of shown.slice(1).entries()) expect(share).toBeGreaterThanOrEqual(shown[i] ?? 0)
    }
    const young = pulled(30, () => 0.9, { lastAge: 5 * 24 })
    expect(learnShown(young, { windowDays: 7 })).toEqual(learnShown([], { windowDays: 7 }))
  })
})
