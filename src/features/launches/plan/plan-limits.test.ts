import type { CreatePayloadInput } from '../launch-schema.ts'
import { describe, expect, test } from 'vitest'
import { hasUnitPrecision, toMicros } from '#shared/money.ts'
import {
  marketOf,
  us,
  adviceOf,
  product,
  payloadOf,
  plan,
  groupsOf,
  budgetsOf,
} from '../../../../tests/support/launch-table/plan-scene.ts'
import { problems } from '../problems.ts'
import { quotas } from './plan-terms.ts'
import { templates } from '../templates.ts'

describe('every template', () => {
  const complete: Partial<CreatePayloadInput> = {
    automationMode: 'MANUAL',
    keywordMatchType: 'PHRASE',
    keywords: [
      { keyword: 'red mat', bid: 1 },
      { keyword: 'blue mat', matchType: 'EXACT', bid: 1 },
    ],
  }
  const cases = templates.flatMap(template =>
    (['SMART', 'GUIDED'] as const).flatMap(setupMode =>
      (['CATEGORY', 'PRODUCT'] as const).map(productTargetType => ({ template, setupMode, productTargetType })),
    ),
  )

  test.each(cases)('$template, $setupMode, $productTargetType holds what the marketplace demands', one => {
    const input = {
      ...complete,
      ...one,
      categories: [{ id: '11', name: 'Mats', bid: 1 }],
      productTargets: [{ asin: 'B0RIVAL009', bid: 1 }],
    }
    expect(problems(payloadOf(input), null)).toEqual([])
    const p = plan(input)
    expect(p.campaigns.reduce((sum, c) => sum + c.dailyBudgetMicros, 0)).toBe(toMicros(100))
    expect(new Set(p.campaigns.map(c => c.name)).size).toBe(p.campaigns.length)
    expect(new Set(groupsOf(p).map(g => g.key)).size).toBe(groupsOf(p).length)
    for (const c of p.campaigns)
      for (const g of c.adGroups) {
        expect(g.autoTargets.length > 0).toBe(c.targetingType === 'AUTO')
        expect([g.autoTargets, g.keywords, g.targets].filter(list => list.length)).toHaveLength(1)
        expect(g.products).toEqual([{ asin: 'B0TESTASIN', sku: 'MAT-1' }])
        for (const { bid } of [...g.keywords, ...g.autoTargets, ...g.targets, { bid: g.defaultBid }])
          expect(bid.micros <= c.dailyBudgetMicros && bid.micros >= us.minBidMicros).toBe(true)
      }
  })

  test('a multi-product template advertises all products in each ad group', () => {
    const products = [product(), product({ asin: 'B0TESTASI2', sku: 'MAT-2' })]
    const input = {
      template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL' as const,
      products: products.map(({ asin, sku }) => ({ asin, sku })),
    }
    const p = plan(input, { products })
    expect(p.campaigns.map(c => [c.targetingType, c.adGroups.length])).toEqual([
      ['AUTO', 1],
      ['MANUAL', 4],
    ])
    expect(groupsOf(p).every(g => g.products.length === 2)).toBe(true)
    expect(budgetsOf(p)).toEqual([12.5, 87.5])
  })
})

test('in yen every budget and bid is a whole number within the market’s limits', () => {
  const jp = marketOf('JP')
  const p = plan(
    { budget: 1003, strategy: 'GROWTH', includeHighImpact: true },
    { advice: adviceOf(60, 87), market: jp },
  )
  const amounts = [
    ...p.campaigns.map(c => c.dailyBudgetMicros),
    ...groupsOf(p).flatMap(g => [...g.keywords, ...g.autoTargets].map(k => k.bid.micros)),
  ]
  expect(amounts.every(micros => hasUnitPrecision(micros, 'JPY'))).toBe(true)
  expect(budgetsOf(p).reduce((a, b) => a + b, 0)).toBe(1003)
  expect(Math.min(...budgetsOf(p))).toBeGreaterThanOrEqual(100)
})

test('the same input gives the same plan', () => {
  expect(plan({ includeHighImpact: true })).toEqual(plan({ includeHighImpact: true }))
})

test.each([
  [10, [3, 5, 15, 20, 20]],
  [1, [3, 5]],
  [63, [3, 5, 15, 20, 20]],
  [4, [0, 3, 3]],
])('%d terms are shared out exactly', (count, capacities) => {
  const shares = quotas(count, capacities)
  expect(shares.reduce((a, b) => a + b, 0)).toBe(
    Math.min(
      count,
      capacities.reduce((a, b) => a + b, 0),
    ),
  )
  expect(shares.every((s, i) => s <= (capacities[i] ?? 0))).toBe(true)
})

describe('the marketplace’s limits', () => {
  const messages = (input: Partial<CreatePayloadInput>, market = us) =>
    problems(payloadOf(input), market).map(p => p.message)

  test('a budget too small for the campaigns of the structure is refused with the least that would do', () => {
    expect(messages({ budget: 4.99 })).toEqual([
      'The budget must be at least 5 USD a day: it is shared by 5 campaigns, and the marketplace asks at least 1 for each',
    ])
    expect(messages({ budget: 5 })).toEqual([])
    expect(messages({ budget: 599, includeHighImpact: true }, marketOf('JP'))).toHaveLength(1)
  })

  test('a yen has no decimals', () => {
    expect(messages({ budget: 1000.5 }, marketOf('JP'))).toEqual(['The budget has more decimals than JPY has'])
  })

  test('a bid outside the marketplace’s range names its keyword', () => {
    expect(messages({ keywords: [{ keyword: 'red mat', matchType: 'EXACT', bid: 0 }] })).toEqual([
      'The bid for “red mat” must be between 0.02 and 1000 USD',
    ])
  })
})
