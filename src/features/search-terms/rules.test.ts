import { describe, expect, test } from 'vitest'
import { clicksToBeSure, expectedCvr, isAsin, mistakeChance } from './rules.ts'

describe('the rate to expect of a term', () => {
  test('is 8 % without any history', () => {
    expect(expectedCvr({ clicks: 0, orders: 0 }, { clicks: 0, orders: 0 })).toBeCloseTo(0.08)
  })
  test('is the ad group’s own once it has plenty of orders, and between the two before', () => {
    const account = { clicks: 100_000, orders: 5_000 }
    expect(expectedCvr(account, { clicks: 10_000, orders: 2_000 })).toBeCloseTo(0.2, 2)
    const thin = expectedCvr(account, { clicks: 20, orders: 4 })
    expect(thin).toBeGreaterThan(0.05)
    expect(thin).toBeLessThan(0.2)
    expect(expectedCvr(account, { clicks: 80, orders: 0 })).toBeCloseTo(4 / 160, 3)
  })
  test('is never above one order a click, whatever was restated', () => {
    expect(expectedCvr({ clicks: 1, orders: 9 }, { clicks: 1, orders: 90 })).toBe(1)
  })
})

describe('the chance that negating is a mistake', () => {
  test.each([
    [15, 0.02, 73.9],
    [45, 0.05, 9.94],
    [22, 0.1, 9.85],
    [11, 0.2, 8.59],
  ])('of %i clicks at a rate of %f is %f %%', (clicks, cvr, chance) => {
    expect(mistakeChance({ clicks, orders: 0 }, cvr)).toBeCloseTo(chance, 1)
  })
  test('is not given for a term with orders or without clicks', () => {
    expect(mistakeChance({ clicks: 50, orders: 1 }, 0.1)).toBeNull()
    expect(mistakeChance({ clicks: 0, orders: 0 }, 0.1)).toBeNull()
  })
  test.each([
    [0.05, 45],
    [0.1, 22],
    [0.15, 15],
    [0.2, 11],
    [1, 1],
  ])('falls below 10 %% at a rate of %f with %i clicks', (cvr, clicks) => {
    expect(clicksToBeSure(cvr)).toBe(clicks)
  })
})

test('product pages among the terms are recognized by their ASIN', () => {
  expect(['b0c1234567', 'B0C1234567', 'b0 bottle', 'b0c12345678'].map(isAsin)).toEqual([true, true, false, false])
})
