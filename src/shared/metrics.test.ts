import { expect, test } from 'vitest'
import { noFigures, ratiosOf, sumFigures } from './metrics.ts'

test('ratios are of sums: percentages, money a click, and a plain return', () => {
  const f = { impressions: 1000, clicks: 20, cost: 10, sales: 40, orders: 2, units: 3 }
  expect(ratiosOf(f)).toEqual({ ctr: 2, cpc: 0.5, cvr: 10, acos: 25, roas: 4 })
})

test('what would divide by nothing is not known, and never 0', () => {
  expect(ratiosOf(noFigures)).toEqual({ ctr: null, cpc: null, cvr: null, acos: null, roas: null })
  expect(ratiosOf({ ...noFigures, clicks: 3, cost: 2 })).toMatchObject({ acos: null, roas: 0 })
})

test('ACOS of two campaigns is of their sums, not the mean of theirs', () => {
  const a = { ...noFigures, cost: 10, sales: 100 }
  const b = { ...noFigures, cost: 90, sales: 100 }
  expect(ratiosOf(sumFigures([a, b])).acos).toBe(50)
})
