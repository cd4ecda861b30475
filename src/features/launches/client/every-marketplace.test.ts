import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { marketplaces } from '#shared/marketplaces.ts'
import { currencyDigits, fromMicros, smallestUnitMicros, toMicros } from '#shared/money.ts'
import { createPayload } from '../launch-schema.ts'
import { problems as problemsOf } from '../problems.ts'
import { templates } from '../templates.ts'
import { splitBudget } from '../plan/plan-budget.ts'
import { structureOf } from '../plan/plan-structure.ts'
import { previewBudget } from './wizard/structure-preview.ts'

const byAmount = (a: number, b: number) => a - b
function inputOf(template: (typeof templates)[number], budget: number, extra: object = {}) {
  return {
    template,
    strategy: 'NORMAL' as const,
    setupMode: 'SMART' as const,
    campaignName: 'Mats',
    targetAcos: 30,
    budget,
    automationMode: 'MANUAL' as const,
    keywordMatchType: 'EXACT' as const,
    products: [{ asin: 'B0TESTASIN', sku: 'MAT-1' }],
    ...extra,
  }
}

test('all currencies of the product are there, each with its own digits', () => {
  const currencies = ['BRL', 'CAD', 'MXN', 'USD', 'AED', 'EUR', 'EGP', 'INR', 'PLN', 'SAR', 'SEK', 'TRY', 'GBP', 'AUD']
  const listed = new Set(marketplaces.map(m => m.currency))
  expect([...currencies, 'JPY', 'SGD'].filter(currency => !listed.has(currency))).toEqual([])
  expect(currencies.map(currencyDigits)).toEqual(currencies.map(() => 2))
  expect(currencyDigits('JPY')).toBe(0)
})

describe.each(marketplaces.map(market => [market.name, market] as const))('in %s', (_, market) => {
  const planMarket = { ...market, accountType: 'seller' as const, campaignPrefix: null }
  const unit = fromMicros(smallestUnitMicros(market.currency))
  const checkBudget = (template: (typeof templates)[number], budget: number) => {
    const payload = v.parse(createPayload, inputOf(template, budget))
    const shown = previewBudget(payload, market)
    // The wizard and the server say the same, in the same words.
    expect(problemsOf(payload, planMarket).map(p => p.message)).toEqual(shown.problem ? [shown.problem] : [])
    return { ...shown, budgets: splitBudget(toMicros(payload.budget), structureOf(payload), planMarket) }
  }

  test.each(templates)('the budget of a %s begins at the least and is split to the smallest unit', template => {
    const { least } = checkBudget(template, fromMicros(market.minDailyBudgetMicros) * 100)
    expect(checkBudget(template, fromMicros(toMicros(least) - toMicros(unit))).problem).toMatch(
      /^The budget must be at least/,
    )
    expect(checkBudget(template, unit / 2).problem).toMatch(/more decimals/)
    const totals = [0, 1, 2, 3, 7, 11, 997].map(units => fromMicros(toMicros(least) + units * toMicros(unit)))
    for (const total of totals) {
      const { problem, split, budgets } = checkBudget(template, total)
      expect(problem).toBeNull()
      const micros = split.map(one => toMicros(one.budget))
      expect(micros.toSorted(byAmount)).toEqual([...(budgets?.values() ?? [])].toSorted(byAmount))
      expect(micros.reduce((sum, one) => sum + one, 0)).toBe(toMicros(total))
      expect(micros.every(one => one >= market.minDailyBudgetMicros && one % toMicros(unit) === 0)).toBe(true)
    }
  })

  test('a bid is taken from the least to the highest, in whole units of the currency', () => {
    const keywords = (bid: number) => [{ keyword: 'yoga mat', bid }]
    const { minBidMicros, maxBidMicros, currency } = market
    const problems = (bid: number) => {
      const budget = fromMicros(market.minDailyBudgetMicros) * 5
      const payload = v.parse(
        createPayload,
        inputOf('SINGLE_PRODUCT_KEYWORD_CAMPAIGN', budget, { keywords: keywords(bid) }),
      )
      return problemsOf(payload, planMarket).map(p => p.message)
    }
    const [min, max] = [fromMicros(minBidMicros), fromMicros(maxBidMicros)]
    const range = `The bid for “yoga mat” must be between ${min} and ${max} ${currency}`
    expect([problems(min), problems(max)]).toEqual([[], []])
    expect(problems(fromMicros(minBidMicros - toMicros(unit)))).toEqual([range])
    expect(problems(fromMicros(maxBidMicros + toMicros(unit)))).toEqual([range])
    expect(problems(min + unit / 2)).toEqual([`The bid for “yoga mat” has more decimals than ${currency} has`])
  })
})
