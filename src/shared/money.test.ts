import { expect, test } from 'vitest'
import { fromMicros, roundToUnit, toMicros } from './money.ts'

test.each([
  ['0.1', 100_000],
  [0.07, 70_000],
  ['1000', 1_000_000_000],
  [1e-7, 0],
  ['0.0000005', 1],
  [-1.5, -1_500_000],
])('%s is %d micros, exactly', (amount, micros) => {
  expect(toMicros(amount)).toBe(micros)
})

test.each(['', 'abc', '1,5', 'Infinity', Number.NaN])('%s is not an amount', amount => {
  expect(() => toMicros(amount)).toThrow(RangeError)
})

test('an amount comes back as it went in', () => {
  for (const amount of [0.01, 12.34, 99_999.99, 1.32]) expect(fromMicros(toMicros(amount))).toBe(amount)
})

test('halves are rounded to the even unit of the currency', () => {
  expect(roundToUnit(15_000, 'USD')).toBe(20_000)
  expect(roundToUnit(25_000, 'USD')).toBe(20_000)
  expect(roundToUnit(1_500_000, 'JPY')).toBe(2_000_000)
  expect(roundToUnit(2_500_000, 'JPY')).toBe(2_000_000)
})
