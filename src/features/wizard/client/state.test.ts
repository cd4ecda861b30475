import { describe, expect, test } from 'vitest'
import { freshWizard, type WizardState } from '../wizard-state.ts'
import { type WizardAction, type WizardFields, wizardReducer } from './state.ts'

const product = { asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: null }
const keyword = { keyword: 'yoga mat', matchType: 'EXACT', bid: 1 } as const
const after = (...actions: WizardAction[]): WizardState => actions.reduce(wizardReducer, freshWizard('GUIDED'))
const filled = () =>
  after(
    { type: 'templateChosen', template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' },
    { type: 'fieldsSet', fields: { campaignName: 'Mats', budget: 10, includeHighImpact: true } },
    { type: 'stepSeen', step: 4 },
    { type: 'productAdded', product },
    { type: 'keywordsAdded', key: product.asin, items: [keyword] },
  )

describe('resetting', () => {
  test('another template resets everything to step 1 and keeps only the setup mode', () => {
    const template = 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN'
    expect(wizardReducer(filled(), { type: 'templateChosen', template })).toEqual({
      ...freshWizard('GUIDED'),
      template,
    })
  })
  test('another mode resets everything', () => {
    expect(wizardReducer(filled(), { type: 'modeChosen', mode: 'SMART' })).toEqual(freshWizard('SMART'))
  })
  test('the same template, mode or step changes nothing', () => {
    const state = filled()
    expect(wizardReducer(state, { type: 'templateChosen', template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' })).toBe(state)
    expect(wizardReducer(state, { type: 'modeChosen', mode: 'GUIDED' })).toBe(state)
    expect(wizardReducer(state, { type: 'stepSeen', step: 4 })).toBe(state)
  })
})

describe('the split among phases', () => {
  const budgetShares = { DISCOVERY: 40, RESEARCH: 20, PERFORMANCE: 20, RANKING: 10, HIGH_IMPACT: 10 }
  test('gives way to the usual one when High Impact comes or goes, and to nothing else', () => {
    const split = wizardReducer(filled(), { type: 'fieldsSet', fields: { budgetShares } })
    const after = (fields: Partial<WizardFields>) => wizardReducer(split, { type: 'fieldsSet', fields }).budgetShares
    expect(after({ includeHighImpact: false })).toBeNull()
    expect(after({ includeHighImpact: true, budget: 20 })).toEqual(budgetShares)
  })
})

describe('products', () => {
  test('the same ASIN is taken once', () => {
    const state = filled()
    expect(wizardReducer(state, { type: 'productAdded', product: { ...product, sku: 'S-2' } })).toBe(state)
  })
  test('removing one takes its configuration along', () => {
    const state = wizardReducer(filled(), { type: 'productRemoved', asin: product.asin })
    expect([state.products, state.keywords]).toEqual([[], {}])
  })
})

describe('lists', () => {
  const key = product.asin
  test('doubles are dropped: keywords by text and match type, categories by id, targets by ASIN', () => {
    const state = after(
      { type: 'keywordsAdded', key, items: [keyword, { ...keyword, keyword: 'Yoga  Mat', bid: 2 }] },
      { type: 'keywordsAdded', key, items: [{ ...keyword, matchType: 'BROAD' }] },
      { type: 'categoriesAdded', key, items: [{ id: '1', name: 'Mats', bid: 1 }] },
      { type: 'categoriesAdded', key, items: [{ id: '1', name: 'Mats again', bid: 2 }] },
      {
        type: 'targetsAdded',
        key,
        items: [
          { asin: 'B0OTHERONE', bid: 1 },
          { asin: 'B0OTHERONE', bid: 2 },
        ],
      },
    )
    expect(state.keywords[key]).toEqual([keyword, { ...keyword, matchType: 'BROAD' }])
    expect(state.categories[key]).toEqual([{ id: '1', name: 'Mats', bid: 1 }])
    expect(state.productTargets[key]).toEqual([{ asin: 'B0OTHERONE', bid: 1 }])
  })
  test.each([
    [0.75, 0.75],
    [null, 0],
    [-3, 0],
  ])('a bid changed to %s is %s', (bid, kept) => {
    const state = wizardReducer(filled(), { type: 'bidChanged', list: 'keywords', key, index: 0, bid })
    expect(state.keywords[key]?.[0]?.bid).toBe(kept)
  })
  test('an item is removed by its place, the others stay', () => {
    const other = { ...keyword, keyword: 'pilates mat' }
    const state = [
      { type: 'keywordsAdded', key, items: [other] } as const,
      { type: 'itemRemoved', list: 'keywords', key, index: 0 } as const,
    ].reduce<WizardState>(wizardReducer, filled())
    expect(state.keywords[key]).toEqual([other])
  })
  test('negative keywords are taken once by text and match type, a thousand at most, and removed by their place', () => {
    const free = { keyword: 'free', matchType: 'NEGATIVE_EXACT' } as const
    const phrase = { ...free, matchType: 'NEGATIVE_PHRASE' } as const
    const state = after({ type: 'negativesAdded', items: [free, phrase, { ...free, keyword: ' FREE' }] })
    expect(state.negativeKeywords).toEqual([free, phrase])
    expect(wizardReducer(state, { type: 'negativeRemoved', index: 0 }).negativeKeywords).toEqual([phrase])
    const many = Array.from({ length: 1200 }, (_, i) => ({ ...free, keyword: `free ${i}` }))
    expect(wizardReducer(state, { type: 'negativesAdded', items: many }).negativeKeywords).toHaveLength(1000)
  })
})
