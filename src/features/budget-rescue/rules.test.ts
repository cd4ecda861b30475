import { describe, expect, test } from 'vitest'
import { holdingRaises, missedSales, raiseByPercent, recommendBudget } from './rules.ts'

const usd = (amount: number) => amount * 1_000_000
const raise = (before: number, raised: number) => ({ beforeMicros: usd(before), raisedMicros: usd(raised) })

describe('raises that hold', () => {
  const [first, second] = [raise(20, 30), raise(30, 45)]
  test.each([
    ['as it was raised', 45, [first, second], false],
    ['back by one step: the one below holds again', 30, [first], false],
    ['back where it began', 20, [], false],
    ['somebody else’s', 50, [], true],
    ['gone, because the campaign has none a day any more', null, [], true],
  ] as const)('a budget %s', (_, budget, holding, isChanged) => {
    expect(holdingRaises([first, second], budget === null ? null : usd(budget))).toEqual({ holding, isChanged })
  })

  test('none is open', () => {
    expect(holdingRaises([], usd(20))).toEqual({ holding: [], isChanged: false })
  })
})

describe('the budget to raise to', () => {
  const evidence = {
    budgetMicros: usd(20),
    suggestedMicros: null,
    projectedMicros: null,
    mostMicros: usd(1000),
    currency: 'USD',
  }
  test.each([
    [
      'what the marketplace recommends comes first',
      { suggestedMicros: usd(32.5), projectedMicros: usd(50) },
      32.5,
      'MARKETPLACE',
    ],
    ['its recommendation of less is none', { suggestedMicros: usd(18), projectedMicros: usd(41.237) }, 41.24, 'PACE'],
    ['a pace of a few hours counts up to three times', { projectedMicros: usd(500) }, 60, 'PACE'],
    ['a pace that lasts says nothing', { projectedMicros: usd(15) }, 24, 'STEP'],
    ['nothing is evidence', {}, 24, 'STEP'],
    ['never more than the marketplace takes', { suggestedMicros: usd(90), mostMicros: usd(50) }, 50, 'MARKETPLACE'],
  ] as const)('%s', (_, more, budget, source) => {
    expect(recommendBudget({ ...evidence, ...more })).toEqual({ micros: usd(budget), source })
  })

  test('is none where the marketplace takes no higher one', () => {
    expect(recommendBudget({ ...evidence, mostMicros: usd(20) })).toBeNull()
  })

  test('by percent is whole in the units of the currency', () => {
    const yen = { budgetMicros: usd(333), mostMicros: usd(1_000_000), currency: 'JPY' }
    expect(raiseByPercent(yen, 20)).toBe(usd(400))
    expect(raiseByPercent({ ...evidence, budgetMicros: usd(10.01) }, 20)).toBe(usd(12.02))
  })
})

describe('missed sales', () => {
  const week = (cost: number, sales: number) => ({ costMicros: usd(cost), salesMicros: usd(sales) })
  test('are what the spend brought in the worst and in the best week', () => {
    const weeks = [week(100, 300), week(0, 0), week(50, 250), week(80, 320)]
    expect(missedSales(usd(10), weeks)).toEqual({ lowMicros: usd(30), highMicros: usd(50) })
  })
  test('are unknown by less than two weeks, and none where nothing is missed', () => {
    expect(missedSales(usd(10), [week(100, 300)])).toBeNull()
    expect(missedSales(usd(-5), [week(100, 300), week(100, 200)])).toBeNull()
  })
})
