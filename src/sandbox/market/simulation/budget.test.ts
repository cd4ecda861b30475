import { expect, test } from 'vitest'
import { dayNumber } from '../local-hours.ts'
import { allowance, isUsedUp, leftOfLife, leftToday, newPurse, turnDay } from './budget.ts'

const day = dayNumber('2026-11-10')
const BUDGET = 10_000_000

test('what a day left over may be spent later in the month, up to twice the budget a day', () => {
  const purse = newPurse(day)
  expect(allowance(purse, BUDGET)).toBe(BUDGET)
  purse.spent = 6_000_000
  turnDay(purse, day + 1, BUDGET)
  expect(allowance(purse, BUDGET)).toBe(14_000_000)
  turnDay(purse, day + 2, BUDGET)
  turnDay(purse, day + 3, BUDGET)
  expect(allowance(purse, BUDGET)).toBe(2 * BUDGET)
})

test('a new month begins without savings', () => {
  const purse = newPurse(dayNumber('2026-11-30'))
  turnDay(purse, dayNumber('2026-12-01'), BUDGET)
  expect(allowance(purse, BUDGET)).toBe(BUDGET)
})

test('money that ran out comes back at midnight, or when the budget is raised', () => {
  const purse = newPurse(day)
  purse.spent = 9_900_000
  purse.ranOutAt = allowance(purse, BUDGET)
  expect(leftToday(purse, BUDGET)).toBe(0)
  expect(leftToday(purse, 2 * BUDGET)).toBe(10_100_000)
  turnDay(purse, day + 1, BUDGET)
  expect(leftToday(purse, BUDGET)).toBe(10_100_000)
})

test('a budget lowered below what was spent leaves nothing, and counts as the highest that the day had', () => {
  const purse = newPurse(day)
  turnDay(purse, day, BUDGET)
  purse.spent = 9_000_000
  turnDay(purse, day, 4_000_000)
  expect(leftToday(purse, 4_000_000)).toBe(0)
  turnDay(purse, day + 1, 4_000_000)
  expect(allowance(purse, 4_000_000)).toBe(5_000_000)
})

test('a budget for life is less what was spent on earlier days', () => {
  const purse = newPurse(day)
  purse.spent = 2_000_000
  purse.total = 8_000_000
  expect(leftOfLife(purse, BUDGET)).toBe(4_000_000)
})

test('a day is used up when its money and the savings are gone', () => {
  const purse = newPurse(day)
  turnDay(purse, day + 1, BUDGET)
  purse.spent = BUDGET
  expect(isUsedUp(purse, day + 1, BUDGET, false)).toBe(false)
  purse.spent = 2 * BUDGET
  expect(isUsedUp(purse, day + 1, BUDGET, false)).toBe(true)
  expect(isUsedUp(purse, day + 2, BUDGET, false)).toBe(false)
})

test('a budget for life is used up when all of it is spent, whatever the day', () => {
  const purse = newPurse(day)
  turnDay(purse, day + 1, 0)
  purse.spent = 6_000_000
  purse.total = 9_000_000
  expect(isUsedUp(purse, day + 1, BUDGET, true)).toBe(false)
  purse.total = BUDGET
  expect(isUsedUp(purse, day + 1, BUDGET, true)).toBe(true)
  expect(isUsedUp(purse, day + 2, BUDGET, true)).toBe(true)
})
