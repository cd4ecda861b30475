import { expect, test } from 'vitest'
import type { Fact } from '../../market/market.ts'
import { ranOutIn } from './campaign-week.ts'

const nothing = { d1: 0, d7: 0, d14: 0, d30: 0 }
function factAt(hour: number, costMicros: number, clicks: number, impressions = 10): Fact {
  return {
    profileId: 1,
    campaignId: 'c',
    adGroupId: 'g',
    adId: 'a',
    targetId: 't',
    asin: 'B0TEST0001',
    searchTerm: 'press',
    placement: 'PLACEMENT_TOP',
    day: '2026-03-11',
    hour,
    at: hour * 3_600_000,
    impressions,
    wonAtTop: 0,
    eligibleAtTop: 0,
    viewableImpressions: 0,
    clicks,
    invalidClicks: 0,
    costMicros,
    orders: nothing,
    units: nothing,
    salesMicros: nothing,
    sameSkuShare: 1,
    purchases: [],
  }
}

test('money ran out in the last hour of showing, when what was left bought no click', () => {
  const facts = [factAt(14, 500_000, 1), factAt(9, 9_000_000, 10), factAt(17, 0, 0, 0)]
  expect(ranOutIn(facts, 10_000_000)?.hour).toBe(14)
  expect(ranOutIn(facts, 11_000_000)).toBeNull()
})

test('a day that showed to its end had money to its end, though it cost more than its budget', () => {
  expect(ranOutIn([factAt(9, 15_000_000, 10), factAt(23, 0, 0)], 10_000_000)).toBeNull()
})

test('a day that cost nothing or never showed did not run out', () => {
  expect(ranOutIn([factAt(9, 0, 0)], 0)).toBeNull()
  expect(ranOutIn([], 10_000_000)).toBeNull()
})

test('what pays by views runs out without any click', () => {
  expect(ranOutIn([factAt(9, 10_000_000, 0)], 10_000_000)?.hour).toBe(9)
})
