import { expect, test } from 'vitest'
import { ratesOf } from './product-facts.ts'

test('order value and conversion rate are known from 100 clicks and 3 orders on', () => {
  expect(ratesOf({ clicks: 100, orders: 5, salesMicros: 100_000_000 })).toEqual({
    orderValueMicros: 20_000_000,
    conversionRate: 0.05,
  })
})

test.each([
  { clicks: 99, orders: 9, salesMicros: 1 },
  { clicks: 500, orders: 2, salesMicros: 1 },
  { clicks: 0, orders: 0, salesMicros: 0 },
])('%j is too little to tell', figures => {
  expect(ratesOf(figures)).toEqual({ orderValueMicros: null, conversionRate: null })
})
