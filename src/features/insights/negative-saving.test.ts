import { expect, test } from 'vitest'
import { savingOf } from './negative-saving.ts'

const M = 1e6
const input = {
  clicks: 100,
  orders: 0,
  costMicros: 60 * M,
  daysBefore: 30,
  daysActive: 15,
  trafficIndex: 1.2,
  profitMicros: 5 * M,
  budgetMicros: null,
}
test('the saving of a negative is the cost a day before × days × traffic, within what the counts allow', () => {
  // 60 / 30 × 15 × 1.2 = 36; 100 ± 16.45 clicks at 0.60; up to 1.645 orders at 5.00 may have been missed.
  const saving = savingOf(input)
  expect([saving.middle, saving.forgone]).toEqual([36 * M, 0])
  expect(saving.high / M).toBeCloseTo(116.45 * 0.6 * 0.6, 5)
  expect(saving.low / M).toBeCloseTo((83.55 * 0.6 - 1.645 * 5) * 0.6, 5)
})
test('the saving takes off the profit of the orders that did not come, also below zero', () => {
  const saving = savingOf({ ...input, orders: 15 })
  expect([saving.middle, saving.forgone]).toEqual([-9 * M, 45 * M])
})
test('the saving is never more than the campaign could spend', () => {
  expect(savingOf({ ...input, budgetMicros: 2 * M })).toMatchObject({ middle: 30 * M, high: 30 * M, isCapped: true })
})
test('the saving is nothing where nothing was clicked', () => {
  expect(savingOf({ ...input, clicks: 0, costMicros: 0 })).toMatchObject({ low: 0, middle: 0, high: 0 })
})
