import { expect, test } from 'vitest'
import { toMicros } from '#shared/money.ts'
import type { LaunchPlan, PlannedCampaign, PlanProduct } from '../plan/launch-plan.ts'
import { worstCaseCpc } from '../plan/bid-caps.ts'
import { forecastOf } from './forecast.ts'

function bid(amount: number) {
  return {
    micros: toMicros(amount),
    source: 'YOURS' as const,
    limitedBy: null,
    suggested: null,
  }
}
function campaign(budget: number, amount: number): PlannedCampaign {
  return {
    key: 'performance-exact',
    phase: 'PERFORMANCE',
    name: 'x',
    targetingType: 'MANUAL',
    dailyBudgetMicros: toMicros(budget),
    biddingStrategy: 'SALES_DOWN_ONLY',
    topOfSearchPercent: 0,
    adGroups: [
      {
        key: 'performance-exact',
        phase: 'PERFORMANCE',
        match: 'EXACT',
        name: 'x',
        strategy: 'NORMAL',
        defaultBid: bid(amount),
        products: [],
        keywords: [{ text: 'mat', matchType: 'EXACT', bid: bid(amount) }],
        autoTargets: [],
        targets: [],
        negativeKeywords: [],
        negativePhrases: [],
      },
    ],
  }
}
const plan: LaunchPlan = { currency: 'USD', campaigns: [campaign(10, 1)], warnings: [] }
const product: PlanProduct = {
  asin: 'B0TESTASIN',
  sku: 'S',
  title: null,
  category: null,
  brand: null,
  orderValueMicros: null,
  conversionRate: null,
}

test('the worst click is the bid with its placement raise, doubled where bids may go up', () => {
  const up = { topOfSearchPercent: 50, biddingStrategy: 'SALES_UP_AND_DOWN' as const }
  expect(worstCaseCpc(toMicros(1), up)).toBe(toMicros(3))
  expect(worstCaseCpc(toMicros(1), { ...up, biddingStrategy: 'SALES_DOWN_ONLY' })).toBe(toMicros('1.5'))
})

test('a week spends at most seven budgets, and clicks are what that buys', () => {
  expect(forecastOf(plan, [product])).toMatchObject({
    spend: { lowMicros: toMicros(7), highMicros: toMicros(70) },
    clicks: { low: 7, high: 140 },
    orders: null,
  })
})

test('the fewest clicks are those of the dearest price that a click may have', () => {
  const raised = { topOfSearchPercent: 100, biddingStrategy: 'SALES_UP_AND_DOWN' as const }
  const forecast = forecastOf({ ...plan, campaigns: [{ ...campaign(40, 1), ...raised }] }, [product])
  expect(forecast.clicks).toEqual({ low: 7, high: 560 })
})

test('it says of how many products it knows the conversion rate', () => {
  const withRate = { ...product, conversionRate: 0.1 }
  expect(forecastOf(plan, [withRate]).source).toContain('the products’ own conversion rate')
  expect(forecastOf(plan, [withRate, product, product]).source).toContain('the conversion rate of 1 of 3 products')
})

test('orders are forecast only from the product’s own conversion rate', () => {
  expect(forecastOf(plan, [{ ...product, conversionRate: 0.1 }]).orders).toEqual({ low: 0, high: 14 })
})
