import { expect, test } from 'vitest'
import type { KeywordStandard } from '#features/search-terms/contract.ts'
import { actOf } from './keyword-acts.ts'

const M = 1e6
const standard: KeywordStandard = { cvr: 0.1, priceMicros: 25 * M, targetAcos: 30, breakEvenAcos: 40 }
type Sums = [clicks: number, orders: number, cost: number, sales: number]

test('the act follows from the test, and from what a click may cost', () => {
  const act = (test: Parameters<typeof actOf>[0], [clicks, orders, cost, sales]: Sums, bid: number | null) => {
    const { kind, bidMicros } = actOf(
      test,
      { clicks, orders, costMicros: cost * M, salesMicros: sales * M },
      standard,
      bid === null ? null : bid * M,
      'USD',
    )
    return [kind, bidMicros === null ? null : bidMicros / M]
  }
  expect(act('NO_SALE', [30, 0, 20, 0], 1)).toEqual(['PAUSE', null])
  // 2 orders in 40 clicks and 20 more at 10 %: 4 / 60 × 25 × 0.3 = 0.50.
  expect(act('TOO_DEAR', [40, 2, 40, 50], 1)).toEqual(['LOWER_BID', 0.5])
  expect(act('TOO_DEAR', [40, 2, 40, 50], 0.5)).toEqual(['PAUSE', null])
  // Never shown: 0.1 × 25 × 0.3 = 0.75 is the most.
  expect(act('STARVED', [0, 0, 0, 0], 0.5)).toEqual(['RAISE_BID', 0.65])
  expect(act('STARVED', [0, 0, 0, 0], 0.7)).toEqual(['RAISE_BID', 0.75])
  expect(act('STARVED', [0, 0, 0, 0], 0.75)).toEqual(['NONE', null])
  expect(act('STARVED', [0, 0, 0, 0], null)).toEqual(['NONE', null])
  expect(act(null, [60, 8, 30, 200], 0.8)).toEqual(['RAISE_BID', 0.93])
  expect(act(null, [60, 8, 90, 200], 1.2)).toEqual(['LOWER_BID', 0.93])
  expect(act(null, [9, 1, 1, 20], 0.5)).toEqual(['NONE', null])
})
