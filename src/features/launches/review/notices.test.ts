import { describe, expect, test } from 'vitest'
import { knownAdvice } from '../../../../tests/support/launch-table/known-advice.ts'
import { plan, product as sceneProduct } from '../../../../tests/support/launch-table/plan-scene.ts'
import { noticesOf, type ReviewFacts, type RunningTarget } from './notices.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'

const planOf = (extra: Partial<CreatePayloadInput> = {}) => plan(extra, { advice: knownAdvice })
const product = { asin: 'B0TESTASIN', available: 5, isInbound: false, eligibilityWarning: null }
function facts(extra: Partial<ReviewFacts> = {}): ReviewFacts {
  return {
    targetAcos: 30,
    breakEvenAcos: null,
    breakEvenKnownFor: 0,
    running: [],
    products: [product],
    ...extra,
  }
}
const kinds = (extra: Partial<ReviewFacts>) => noticesOf(planOf(), facts(extra)).map(n => n.kind)
function runs(kind: RunningTarget['kind'], match: string, value: string, campaign = 'Old one') {
  return {
    kind,
    match,
    value,
    campaign,
  }
}

test('a launch with nothing to warn of has no notices', () => {
  expect(noticesOf(planOf(), facts())).toEqual([])
})

describe('an overlap', () => {
  test('is the same term in the same match type, however it is spelt, and no other', () => {
    // Of the 80 terms, 1 to 5 are bought exact by Ranking, 21 to 30 as a phrase by Research and none but 1 to 10 and 31 to 40 broad.
    const running = [
      runs('KEYWORD', 'EXACT', 'Yoga  MAT 2'),
      runs('KEYWORD', 'EXACT', 'yoga mat 2', 'Older one'),
      runs('KEYWORD', 'PHRASE', 'yoga mat 21'),
      runs('KEYWORD', 'BROAD', 'yoga mat 13'),
      runs('KEYWORD', 'EXACT', 'yoga mat 80'),
    ]
    const [notice] = noticesOf(planOf(), facts({ running }))
    expect(notice).toMatchObject({ kind: 'OVERLAP', message: expect.stringMatching(/^2 targets/) })
    expect(notice?.details).toEqual([
      '“yoga mat 21” (phrase): runs in “Old one”',
      '“yoga mat 2” (exact): runs in “Old one”, “Older one”',
    ])
  })
  test('is also given for automatic targeting, products and categories', () => {
    const auto = [runs('AUTO', 'QUERY_HIGH_REL_MATCHES', '')]
    expect(noticesOf(planOf(), facts({ running: auto }))[0]?.details).toEqual([
      'Automatic targeting: runs in “Old one”',
    ])
    const targets = planOf({ template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' })
    const running = [
      runs('PRODUCT', 'ASIN_SAME_AS', 'B0RIVAL101'),
      runs('PRODUCT', 'ASIN_EXPANDED_FROM', 'B0RIVAL102'),
      runs('PRODUCT', 'ASIN_CATEGORY_SAME_AS', '103'),
    ]
    expect(noticesOf(targets, facts({ running }))[0]?.details).toEqual([
      'Mats 103: runs in “Old one”',
      'B0RIVAL101: runs in “Old one”',
    ])
  })
})

test('a target ACOS is held against the break-even ACOS where that is known', () => {
  expect(kinds({ breakEvenAcos: 29.9 })).toEqual(['ABOVE_BREAK_EVEN'])
  expect(kinds({ breakEvenAcos: 30 })).toEqual([])
})
test('stock that is not known is not called out of stock', () => {
  expect(kinds({ products: [{ ...product, available: null }] })).toEqual([])
  const [notice] = noticesOf(planOf(), facts({ products: [{ ...product, available: 0, isInbound: true }] }))
  expect(notice).toMatchObject({ kind: 'OUT_OF_STOCK', details: ['B0TESTASIN: out of stock, more is on its way'] })
})
test('a warning of the marketplace is shown in its words', () => {
  const [notice] = noticesOf(planOf(), facts({ products: [{ ...product, eligibilityWarning: 'No main picture.' }] }))
  expect(notice).toMatchObject({ kind: 'ELIGIBILITY', details: ['B0TESTASIN: No main picture.'] })
})
test('more than 10 products are not recommended', () => {
  expect(kinds({ products: Array.from({ length: 10 }, () => product) })).toEqual([])
  expect(kinds({ products: Array.from({ length: 11 }, () => product) })).toEqual(['MANY_PRODUCTS'])
})
test('what the plan itself has to say comes last', () => {
  const long = planOf({ campaignName: 'x'.repeat(100) })
  const warned = noticesOf({ ...long, warnings: ['Shortened.'] }, facts({ breakEvenAcos: 5 }))
  expect(warned.map(n => n.kind)).toEqual(['ABOVE_BREAK_EVEN', 'PLAN'])
})

test('Ranking below the low end of the suggested range is announced with the bids and their ranges', () => {
  const withRates = { ...sceneProduct(), orderValueMicros: 20_000_000, conversionRate: 0.1 }
  const low = (targetAcos: number, includeRanking = true) => {
    const p = plan({ targetAcos, includeRanking }, { advice: knownAdvice, products: [withRates] })
    return noticesOf(p, facts()).filter(n => n.kind === 'RANKING_TOO_LOW')
  }
  const [notice] = low(20)
  expect(notice?.message).toContain('All Ranking bids are below the low end of what the marketplace suggests')
  expect(notice?.details).toHaveLength(5)
  expect(notice?.details[0]).toBe('“yoga mat 1”: 0.40 USD, suggested from 0.50 USD')
  expect(low(25)).toEqual([])
  expect(low(20, false)).toEqual([])
})

test('a budget that buys a click or two a day is announced with the clicks and with what would do', () => {
  const of = (budget: number) => noticesOf(planOf({ budget }), facts()).filter(n => n.kind === 'SMALL_BUDGET')
  const [notice] = of(5)
  expect(notice?.message).toBe(
    '5 of 5 campaigns buy fewer than 5 clicks a day with 5.00 USD a day in all, too few to learn from. About 25.00 USD a day, or fewer campaigns, would do.',
  )
  expect(notice?.details).toContain(
    'TL | Mats | Ranking | Exact: 1.00 USD a day at about 1.00 USD a click buys 1 a day',
  )
  expect(of(30)).toEqual([])
})
