import { describe, expect, test } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { fromMicros, hasUnitPrecision, smallestUnitMicros, toMicros } from '#shared/money.ts'
import { leastBudget, splitBudget, splitWithFloors } from './plan-budget.ts'

const funnel = {
  parts: [
    { weight: 25, campaigns: ['auto', 'broad'] },
    { weight: 20, campaigns: ['research'] },
    { weight: 35, campaigns: ['performance'] },
    { weight: 20, campaigns: ['ranking'] },
  ],
  remainderTo: 2,
}
function split(amount: number | string, minimum: number | string, currency: string) {
  const budgets = splitBudget(toMicros(amount), funnel, { currency, minDailyBudgetMicros: toMicros(minimum) })
  return budgets && Object.fromEntries([...budgets].map(([key, micros]) => [key, fromMicros(micros)]))
}

describe('the funnel’s budget', () => {
  test('is 25, 20, 35 and 20 percent, Discovery’s halved between its two campaigns', () => {
    expect(split(100, 1, 'USD')).toEqual({ auto: 12.5, broad: 12.5, research: 20, performance: 35, ranking: 20 })
  })

  test('gives to Performance what the cents leave', () => {
    expect(split('100.03', 1, 'USD')).toEqual({
      auto: 12.5,
      broad: 12.5,
      research: 20,
      performance: 35.03,
      ranking: 20,
    })
  })

  test('lifts small shares to the marketplace’s minimum at the cost of the larger ones', () => {
    expect(split(6, 1, 'USD')).toEqual({ auto: 1, broad: 1, research: 1.06, performance: 1.88, ranking: 1.06 })
    expect(split(5, 1, 'USD')).toEqual({ auto: 1, broad: 1, research: 1, performance: 1, ranking: 1 })
  })

  test('is refused when it cannot give every campaign the minimum', () => {
    expect(split('4.99', 1, 'USD')).toBeNull()
    expect(fromMicros(leastBudget(5, toMicros('1.39'), 'SGD'))).toBe(6.95)
  })

  test('in yen is in whole yen', () => {
    expect(split(1001, 100, 'JPY')).toEqual({ auto: 125, broad: 125, research: 200, performance: 351, ranking: 200 })
  })

  test('adds up, keeps the minimum and the unit, for any amount in every marketplace', () => {
    let seed = 7
    const chance = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
    for (const { currency, minDailyBudgetMicros } of marketplaces) {
      const unit = smallestUnitMicros(currency)
      const least = leastBudget(5, minDailyBudgetMicros, currency)
      for (let i = 0; i < 200; i++) {
        const total = least + Math.floor(chance() ** 3 * 1_000_000) * unit
        const budgets = [...(splitBudget(total, funnel, { currency, minDailyBudgetMicros })?.values() ?? [])]
        expect(budgets).toHaveLength(5)
        expect(budgets.reduce((a, b) => a + b, 0)).toBe(total)
        expect(Math.min(...budgets)).toBeGreaterThanOrEqual(minDailyBudgetMicros)
        expect(budgets.every(micros => hasUnitPrecision(micros, currency))).toBe(true)
      }
    }
  })
})

test('shares at their floor leave the rest to be split by weight', () => {
  expect(splitWithFloors(100, [1, 1, 8], [30, 0, 0], 'XXX', 2)).toBeNull()
  const units = (n: number) => n * 10_000
  expect(splitWithFloors(units(100), [1, 1, 8], [units(28), 0, 0], 'USD', 2)).toEqual([units(28), units(8), units(64)])
})
