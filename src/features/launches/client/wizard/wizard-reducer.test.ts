import { describe, expect, test } from 'vitest'
import { freshWizard, type WizardState } from '../../draft/wizard-state.ts'
import { type WizardAction, type WizardFields, wizardReducer } from './wizard-reducer.ts'

const product = { asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: null }
const keyword = { keyword: 'yoga mat', matchType: 'EXACT', bid: 1 } as const
const after = (...actions: WizardAction[]): WizardState => actions.reduce(wizardReducer, freshWizard('GUIDED'))
function filled() {
  return after(
    { type: 'templateChosen', template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' },
    { type: 'fieldsSet', fields: { campaignName: 'Mats', budget: 10, includeHighImpact: true } },
    { type: 'stepSeen', step: 4 },
    { type: 'productAdded', product },
    { type: 'itemsAdded', list: 'keywords', key: product.asin, items: [keyword] },
  )
}

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
  test('passes Ranking’s part on in proportion when Ranking is left out', () => {
    const split = wizardReducer(filled(), { type: 'fieldsSet', fields: { budgetShares } })
    const without = wizardReducer(split, { type: 'fieldsSet', fields: { includeRanking: false } })
    expect(without.budgetShares).toEqual({ DISCOVERY: 44, RESEARCH: 22, PERFORMANCE: 23, HIGH_IMPACT: 11 })
    expect(wizardReducer(without, { type: 'fieldsSet', fields: { includeRanking: true } }).budgetShares).toBeNull()
  })
})

describe('products', () => {
  const other = { ...product, asin: 'B0OTHERONE', sku: 'S-9' }
  test('the same ASIN is taken once', () => {
    const state = filled()
    expect(wizardReducer(state, { type: 'productAdded', product: { ...product, sku: 'S-2' } })).toBe(state)
  })
  test('a single-product template takes one, a multi-product template a hundred', () => {
    const state = filled()
    expect(wizardReducer(state, { type: 'productAdded', product: other })).toBe(state)
    const many = Array.from({ length: 120 }, (_, i) => ({ ...product, asin: `B0MANY${String(i).padStart(4, '0')}` }))
    const all = after(
      { type: 'templateChosen', template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL' },
      ...many.map(one => ({ type: 'productAdded', product: one }) as const),
    )
    expect(all.products).toEqual(many.slice(0, 100))
  })
  test('removing one takes its configuration along, and undoing that brings both back', () => {
    const state = filled()
    const back = { type: 'productAdded', product, before: state } as const
    const removed = wizardReducer(state, { type: 'productRemoved', asin: product.asin })
    expect([removed.products, removed.keywords]).toEqual([[], {}])
    expect(wizardReducer(removed, { type: 'productRemoved', asin: product.asin })).toEqual(removed)
    expect(wizardReducer(removed, back)).toEqual(state)
    const replaced = wizardReducer(removed, { type: 'productAdded', product: other })
    expect(wizardReducer(replaced, back)).toBe(replaced)
  })
})

describe('lists', () => {
  const key = product.asin
  const list = 'keywords'
  test('doubles are dropped: keywords by text and match type, categories by id, targets by ASIN', () => {
    const mats = { id: '1', name: 'Mats', bid: 1 }
    const beside = { asin: 'B0OTHERONE', bid: 1 }
    const all: WizardAction[] = [
      { type: 'itemsAdded', list, key, items: [keyword, { ...keyword, keyword: 'Yoga  Mat', bid: 2 }] },
      { type: 'itemsAdded', list, key, items: [{ ...keyword, matchType: 'BROAD' }] },
      { type: 'itemsAdded', list: 'categories', key, items: [mats, { ...mats, name: 'Mats again' }] },
      { type: 'itemsAdded', list: 'productTargets', key, items: [beside, { ...beside, bid: 2 }] },
    ]
    const state = all.reduce(wizardReducer, filled())
    expect(state.keywords[key]).toEqual([keyword, { ...keyword, matchType: 'BROAD' }])
    expect(state.categories[key]).toEqual([mats])
    expect(state.productTargets[key]).toEqual([beside])
  })
  test.each([
    [0.75, 0.75],
    [null, 0],
    [-3, 0],
  ])('a bid changed to %s is %s', (bid, expected) => {
    const state = wizardReducer(filled(), { type: 'bidsSet', list, key, bids: { 'EXACT yoga mat': bid } })
    expect(state.keywords[key]?.[0]?.bid).toBe(expected)
  })
  test('what was removed goes back where it stood, and nothing goes to a product that is gone', () => {
    const other = { ...keyword, keyword: 'pilates mat' }
    const both = wizardReducer(filled(), { type: 'itemsAdded', list, key, items: [other] })
    const rest = wizardReducer(both, { type: 'itemsRemoved', list, key, ids: ['EXACT yoga mat'] })
    expect(rest.keywords[key]).toEqual([other])
    const back = { type: 'itemsPutBack', list, key, taken: [{ index: 0, item: keyword }] } as const
    expect(wizardReducer(rest, back)).toEqual(both)
    const fresh = freshWizard('GUIDED')
    expect(wizardReducer(fresh, back)).toBe(fresh)
  })
  test('negative keywords are taken once by text and match type, a thousand at most, removed and put back', () => {
    const negatives = { list: 'negativeKeywords', key: '' } as const
    const free = { keyword: 'free', matchType: 'NEGATIVE_EXACT' } as const
    const phrase = { ...free, matchType: 'NEGATIVE_PHRASE' } as const
    const state = after({ type: 'itemsAdded', ...negatives, items: [free, phrase, { ...free, keyword: ' FREE' }] })
    expect(state.negativeKeywords).toEqual([free, phrase])
    const rest = wizardReducer(state, { type: 'itemsRemoved', ...negatives, ids: ['NEGATIVE_EXACT free'] })
    expect(rest.negativeKeywords).toEqual([phrase])
    expect(wizardReducer(rest, { type: 'itemsPutBack', ...negatives, taken: [{ index: 0, item: free }] })).toEqual(
      state,
    )
    const many = Array.from({ length: 1200 }, (_, i) => ({ ...free, keyword: `free ${i}` }))
    expect(wizardReducer(state, { type: 'itemsAdded', ...negatives, items: many }).negativeKeywords).toHaveLength(1000)
  })
})
