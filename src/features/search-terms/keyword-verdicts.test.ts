import { expect, test } from 'vitest'
import { judgeKeyword, type KeywordStandard, maxCpcMicros } from './keyword-verdicts.ts'

const M = 1e6
const sums = (clicks: number, orders: number, cost: number, sales: number) => ({
  clicks,
  orders,
  costMicros: cost * M,
  salesMicros: sales * M,
})
const standard: KeywordStandard = { cvr: 0.1, priceMicros: 25 * M, targetAcos: 30, breakEvenAcos: 40 }

// ln 0.1 / ln 0.9 = 21.9: 22 clicks; 25 × 30 % = 7.50.
test.each([
  [22, 7.5, 'NO_SALE'],
  [21, 7.5, undefined],
  [22, 7.49, undefined],
])('%i clicks without an order for %f is %s', (clicks, cost, expected) => {
  expect(judgeKeyword(sums(clicks, 0, cost, 0), standard)?.test).toBe(expected)
})
test('the confidence of no sale is that of the clicks: 0.9 to the 22nd is 9.85 %', () => {
  expect(judgeKeyword(sums(22, 0, 10, 0), standard)?.confidence).toBeCloseTo(90.15, 2)
})
// max(1.5 × 30, 40) = 45 %.
test.each([
  [2, 45.1, 'TOO_DEAR'],
  [2, 45, undefined],
  [1, 90, undefined],
])('%i orders at an ACOS of %f %% is %s', (orders, cost, expected) => {
  expect(judgeKeyword(sums(50, orders, cost, 100), standard)?.test).toBe(expected)
})
test('the break-even ACOS is the limit where it is above one and a half targets, and where there is no target', () => {
  expect(judgeKeyword(sums(50, 4, 55, 100), { ...standard, breakEvenAcos: 60 })).toBeNull()
  expect(judgeKeyword(sums(50, 4, 61, 100), { ...standard, targetAcos: null, breakEvenAcos: 60 })?.test).toBe(
    'TOO_DEAR',
  )
  expect(judgeKeyword(sums(50, 4, 900, 100), { ...standard, targetAcos: null, breakEvenAcos: null })).toBeNull()
})
test('at twice the limit two orders came where four would: so few or fewer have a chance of 23.8 %', () => {
  expect(judgeKeyword(sums(50, 2, 90, 100), standard)?.confidence).toBeCloseTo(100 - 23.81, 2)
})
test('a click may cost target × value × rate, the own rate drawn towards the product’s', () => {
  // (8 + 20 × 0.1) / (60 + 20) = 12.5 %; 200 / 8 = 25: 0.3 × 25 × 0.125.
  expect(maxCpcMicros(sums(60, 8, 90, 200), standard)).toBeCloseTo(0.9375 * M, 6)
  expect(maxCpcMicros(sums(0, 0, 0, 0), { ...standard, targetAcos: null })).toBeNull()
})
