import { expect, test } from 'vitest'
import { toMicros } from '#shared/money.ts'
import { breakEvenOf, lowestBreakEven } from './preview-rules.ts'

function unit(price: number | null, cogs: number | null, fees: number | null) {
  const micros = (amount: number | null) => (amount === null ? null : toMicros(amount))
  return { priceMicros: micros(price), cogsMicros: micros(cogs), feesMicros: micros(fees) }
}

test('is what is left of the price, in percent, rounded down', () => {
  expect(breakEvenOf(unit(20, 6, 7))).toEqual({ acos: 35, unknownBecause: null })
  expect(breakEvenOf(unit(29.99, 9, 8.5)).acos).toBe(41.6)
})
test('is 0 where a piece loses money without ads', () => {
  expect(breakEvenOf(unit(10, 9, 4)).acos).toBe(0)
})
test.each([
  [unit(null, 1, 1), 'price'],
  [unit(0, 1, 1), 'price'],
  [unit(10, null, 1), 'COGS'],
  [unit(10, 1, null), 'fees'],
])('is not guessed: %j', (facts, word) => {
  const result = breakEvenOf(facts)
  expect(result.acos).toBeNull()
  expect(result.unknownBecause).toContain(word)
})
test('of several products is that of the one with least to spare', () => {
  const all = [unit(20, 6, 7), unit(20, 10, 7), unit(20, null, 7)].map(breakEvenOf)
  expect(lowestBreakEven(all)).toBe(15)
  expect(lowestBreakEven([])).toBeNull()
})
