import { describe, expect, test } from 'vitest'
import { type AmountChange, amountChangeProblem, changedAmount } from './bulk-change.ts'

const usd = { currency: 'USD', lowMicros: 20_000, highMicros: 1_000_000_000 }
const jpy = { currency: 'JPY', lowMicros: 2_000_000, highMicros: 100_000_000_000 }
const changed = (now: number | null, change: AmountChange, limits = usd) =>
  changedAmount('The bid', now, change, limits)

describe('one amount of many', () => {
  test.each<[now: number | null, change: AmountChange, after: number | null]>([
    [1, { kind: 'PERCENT', value: 10 }, 1.1],
    [0.75, { kind: 'PERCENT', value: -20 }, 0.6],
    [0.33, { kind: 'PERCENT', value: 10 }, 0.36],
    [1, { kind: 'BY', value: 0.25 }, 1.25],
    [1, { kind: 'BY', value: -0.25 }, 0.75],
    [1, { kind: 'TO', value: 0.4 }, 0.4],
    [null, { kind: 'TO', value: 0.4 }, 0.4],
    [0.4, { kind: 'TO', value: 0.4 }, null],
  ])('%j changed by %j is %j', (now, change, after) => {
    expect(changed(now, change)).toEqual({ after, problem: null })
  })

  test('moves by at least the smallest unit, in its direction', () => {
    expect(changed(0.04, { kind: 'PERCENT', value: 5 }).after).toBe(0.05)
    expect(changed(0.04, { kind: 'PERCENT', value: -5 }).after).toBe(0.03)
    expect(changed(10, { kind: 'PERCENT', value: 3 }, jpy).after).toBe(11)
  })

  test('stays within the floor and ceiling, and is never moved against the direction of the change', () => {
    expect(changed(1, { kind: 'PERCENT', value: 50, ceiling: 1.2 }).after).toBe(1.2)
    expect(changed(1, { kind: 'PERCENT', value: -50, floor: 0.8 }).after).toBe(0.8)
    expect(changed(2, { kind: 'PERCENT', value: 50, ceiling: 1.2 })).toEqual({ after: null, problem: null })
    expect(changed(0.5, { kind: 'PERCENT', value: -50, floor: 0.8 })).toEqual({ after: null, problem: null })
    expect(changed(0.1, { kind: 'PERCENT', value: 10, floor: 0.3 }).after).toBe(0.3)
    expect(changed(0.5, { kind: 'TO', value: 2, ceiling: 1.2 }).after).toBe(1.2)
  })

  test('has the marketplace’s sentence where it is not accepted, and one where there is nothing to add to', () => {
    expect(changed(0.02, { kind: 'PERCENT', value: -50 }).problem).toBe('The bid must be between 0.02 and 1000 USD')
    expect(changed(900, { kind: 'PERCENT', value: 50 }).problem).toMatch(/between/)
    expect(changed(100, { kind: 'TO', value: 100.5 }, jpy)).toEqual({ after: null, problem: null })
    expect(changed(null, { kind: 'PERCENT', value: 10 }).problem).toBe(
      'The bid is not set, so nothing can be added to it',
    )
  })
})

test.each<[AmountChange, string | null]>([
  [{ kind: 'PERCENT', value: 10 }, null],
  [{ kind: 'PERCENT', value: Number.NaN }, 'Enter a percentage'],
  [{ kind: 'BY', value: Number.NaN }, 'Enter an amount'],
  [{ kind: 'BY', value: 0 }, 'Enter more or less than 0'],
  [{ kind: 'TO', value: 0 }, 'Enter an amount above 0'],
  [{ kind: 'PERCENT', value: -100 }, 'Enter a decrease of less than 100 %'],
  [{ kind: 'PERCENT', value: 1000 }, 'Enter an increase of at most 900 %'],
  [{ kind: 'BY', value: 1, floor: 2, ceiling: 1 }, 'The lowest amount must not be above the highest'],
])('%j is checked before any row: %j', (change, problem) => {
  expect(amountChangeProblem(change)).toBe(problem)
})
