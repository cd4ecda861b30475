import { expect, test } from 'vitest'
import { dayNumber } from '../local-hours.ts'
import { allowance, isUsedUp, leftOfLifetime, leftToday, newBudgetState, startDay } from './budget.ts'

const day = dayNumber('2026-11-10')
const BUDGET = 10_000_000

test('what a day left over may be spent later in the month, up to twice the budget a day', () => {
  const budget = newBudgetState(day)
  expect(allowance(budget, BUDGET)).toBe(BUDGET)
  budget.spent = 6_000_000
  startDay(budget, day + 1, BUDGET)
  expect(allowance(budget, BUDGET)).toBe(14_000_000)
  startDay(budget, day + 2, BUDGET)
  startDay(budget, day + 3, BUDGET)
  expect(allowance(budget, BUDGET)).toBe(2 * BUDGET)
})

test('a new month begins without savings', () => {
  const budget = newBudgetState(dayNumber('2026-11-30'))
  startDay(budget, dayNumber('2026-12-01'), BUDGET)
  expect(allowance(budget, BUDGET)).toBe(BUDGET)
})

test('money that ran out comes back at midnight, or when the budget is raised', () => {
  const budget = newBudgetState(day)
  budget.spent = 9_900_000
  budget.ranOutAt = allowance(budget, BUDGET)
  expect(leftToday(budget, BUDGET)).toBe(0)
  expect(leftToday(budget, 2 * BUDGET)).toBe(10_100_000)
  startDay(budget, day + 1, BUDGET)
  expect(leftToday(budget, BUDGET)).toBe(10_100_000)
})

test('a budget lowered below what was spent leaves nothing, and counts as the highest that the day had', () => {
  const budget = newBudgetState(day)
  startDay(budget, day, BUDGET)
  budget.spent = 9_000_000
  startDay(budget, day, 4_000_000)
  expect(leftToday(budget, 4_000_000)).toBe(0)
  startDay(budget, day + 1, 4_000_000)
  expect(allowance(budget, 4_000_000)).toBe(5_000_000)
})

test('a budget for life is less what was spent on earlier days', () => {
  const budget = newBudgetState(day)
  budget.spent = 2_000_000
  budget.total = 8_000_000
  expect(leftOfLifetime(budget, BUDGET)).toBe(4_000_000)
})

test('a day is used up when its money and the savings are gone', () => {
  const budget = newBudgetState(day)
  startDay(budget, day + 1, BUDGET)
  budget.spent = BUDGET
  expect(isUsedUp(budget, day + 1, BUDGET, false)).toBe(false)
  budget.spent = 2 * BUDGET
  expect(isUsedUp(budget, day + 1, BUDGET, false)).toBe(true)
  expect(isUsedUp(budget, day + 2, BUDGET, false)).toBe(false)
})

test('a budget for life is used up when all of it is spent, whatever the day', () => {
  const budget = newBudgetState(day)
  startDay(budget, day + 1, 0)
  budget.spent = 6_000_000
  budget.total = 9_000_000
  expect(isUsedUp(budget, day + 1, BUDGET, true)).toBe(false)
  budget.total = BUDGET
  expect(isUsedUp(budget, day + 1, BUDGET, true)).toBe(true)
  expect(isUsedUp(budget, day + 2, BUDGET, true)).toBe(true)
})
