import { marketplaces } from '#shared/marketplaces.ts'
import { configurationOf } from '../problems.ts'
import { bidProblem } from '#shared/ad-limits.ts'
import { describe, expect, test } from 'vitest'
import { type Template, templates } from '../templates.ts'
import { hasProgress, hasProgressBeyondTemplate, launchProblems, productRefusal, stepProblems } from './rules.ts'
import { CAMPAIGN_KEY, freshWizard, settingsBlocks, type WizardState } from './wizard-state.ts'

const [us] = marketplaces.filter(market => market.key === 'US')
if (!us) throw new Error('no marketplace US')
const product = { asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: null }
const keyword = { keyword: 'mat', matchType: 'EXACT', bid: 1 } as const
function wizard(extra: Partial<WizardState> = {}): WizardState {
  return {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    strategy: 'NORMAL',
    campaignName: 'Mats',
    budget: 10,
    targetAcos: 30,
    automationMode: 'AUTO',
    products: [product],
    ...extra,
  }
}
const fieldsAt = (step: number, extra: Partial<WizardState> = {}) =>
  stepProblems(wizard(extra), step, null).map(f => f.field)

describe('progress', () => {
  test('the mode alone is none; a template is progress, but none that changing it would lose', () => {
    expect(hasProgress(freshWizard('GUIDED'))).toBe(false)
    const chosen = { ...freshWizard('SMART'), template: templates[0], currentStep: 2 }
    expect([hasProgress(chosen), hasProgressBeyondTemplate(chosen)]).toEqual([true, false])
    expect(hasProgressBeyondTemplate({ ...chosen, campaignName: 'x' })).toBe(true)
  })
})

describe('steps 1 and 2', () => {
  test('need their choice', () => {
    expect(stepProblems(wizard({ template: null }), 1, null)[0]?.message).toBe('Please select a campaign template')
    expect(stepProblems(wizard({ strategy: null }), 2, null)[0]?.message).toBe('Please select a campaign strategy')
    expect([...fieldsAt(1), ...fieldsAt(2)]).toEqual([])
  })
})

describe('step 3', () => {
  test.each<[Partial<WizardState>, string]>([
    [{ campaignName: '  ' }, 'Campaign name is required'],
    [{ campaignName: 'x'.repeat(101) }, 'Campaign name must be at most 100 characters long'],
    [{ budget: null }, 'Valid budget amount is required'],
    [{ budget: 0 }, 'Valid budget amount is required'],
    [{ targetAcos: null }, 'Valid target ACOS is required'],
    [{ targetAcos: 0 }, 'Valid target ACOS is required'],
    [{ targetAcos: 100.1 }, 'Valid target ACOS is required'],
    [{ targetAcos: 30.25 }, 'Valid target ACOS is required'],
    [{ automationMode: null }, 'Choose automatic or manual targeting'],
    [{ automationMode: 'MANUAL' }, 'Choose a keyword match type'],
    [{ template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' }, 'Choose a keyword match type'],
  ])('%j: %s', (extra, message) => {
    expect(stepProblems(wizard(extra), 3, null).map(f => f.message)).toEqual([message])
  })
  test('is complete with 100 % and a name of 100 characters', () => {
    expect(fieldsAt(3, { targetAcos: 100, campaignName: 'x'.repeat(100) })).toEqual([])
  })
  test('a smart funnel asks no match type, a smart manual keyword campaign does', () => {
    expect(fieldsAt(3, { setupMode: 'SMART', template: 'SINGLE_PRODUCT_AD_GROUP_FUNNEL' })).toEqual([])
    expect(fieldsAt(3, { setupMode: 'SMART', automationMode: 'MANUAL' })).toEqual(['keywordMatchType'])
  })
  test('shares of a funnel’s budget must add up, and are no matter to other templates', () => {
    const budgetShares = { DISCOVERY: 25, RESEARCH: 20, PERFORMANCE: 35, RANKING: 19 }
    const funnel = { setupMode: 'SMART', template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL', budgetShares } as const
    expect(fieldsAt(3, funnel)).toEqual(['budgetShares'])
    expect(fieldsAt(3, { budgetShares })).toEqual([])
  })
  test('a budget that the marketplace would reject is rejected with its limits', () => {
    const message = 'The budget must be at least 11 USD a day: less the marketplace does not take'
    expect(stepProblems(wizard(), 3, { ...us, minDailyBudgetMicros: 11_000_000 })).toMatchObject([
      { field: 'budget', message },
    ])
  })
  test('the funnel preview and High Impact belong to funnels only', () => {
    expect(templates.filter(template => settingsBlocks(wizard({ template })).funnel)).toEqual(templates.slice(0, 3))
  })
})

describe('step 4', () => {
  const guided = (template: Template, extra: Partial<WizardState> = {}) => fieldsAt(4, { template, ...extra })
  test('needs a product, and a single-product template at most one', () => {
    expect(fieldsAt(4, { products: [] })).toEqual(['products'])
    expect(fieldsAt(4, { products: [product, { ...product, asin: 'B0TESTASI2' }] })).toEqual(['products'])
  })
  test('smart mode needs nothing beside the product, whatever the template', () => {
    for (const template of templates) expect(guided(template, { setupMode: 'SMART' })).toEqual([])
  })
  test('manual keywords are needed for every product', () => {
    expect(fieldsAt(4, { automationMode: 'MANUAL' })).toEqual(['keywords'])
    expect(fieldsAt(4, { automationMode: 'MANUAL', keywords: { [product.asin]: [] } })).toEqual(['keywords'])
    expect(fieldsAt(4, { automationMode: 'MANUAL', keywords: { [product.asin]: [keyword] } })).toEqual([])
  })
  test('a multi-product keyword template needs nothing when automatic, else a keyword of the campaign', () => {
    const template = 'MULTI_PRODUCT_AD_GROUP_KEYWORD_CAMPAIGN'
    expect(guided(template)).toEqual([])
    const own = { keywords: { [product.asin]: [keyword] } }
    expect(guided(template, { automationMode: 'MANUAL', ...own })).toEqual(['keywords'])
    const shared = { keywords: { [CAMPAIGN_KEY]: [keyword] } }
    expect(guided(template, { automationMode: 'MANUAL', ...shared })).toEqual([])
  })
  test('product targeting needs its type and something of that type', () => {
    const template = 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN'
    const targets = { productTargets: { [product.asin]: [{ asin: 'B0OTHERONE', bid: 1 }] } }
    expect(guided(template, targets)).toEqual(['productTargetType'])
    expect(guided(template, { productTargetType: 'CATEGORY', ...targets })).toEqual(['categories'])
    expect(guided(template, { productTargetType: 'PRODUCT', ...targets })).toEqual([])
  })
  test('a guided multi-product target template takes those of the campaign', () => {
    const template = 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN'
    const categories = { [CAMPAIGN_KEY]: [{ id: '1', name: 'Mats', bid: 1 }] }
    expect(guided(template, { productTargetType: 'CATEGORY' })).toEqual(['categories'])
    expect(guided(template, { productTargetType: 'CATEGORY', categories })).toEqual([])
  })
})

test('step 5 is always complete', () => {
  expect(stepProblems(freshWizard('SMART'), 5, null)).toEqual([])
})
test('the first step that is not complete is found, also behind complete ones', () => {
  expect(launchProblems(wizard(), null)[0]).toBeUndefined()
  expect(launchProblems(wizard({ products: [] }), null)[0]?.step).toBe(4)
  expect(launchProblems(wizard({ products: [], strategy: null }), null)[0]?.step).toBe(2)
})

test('a launch is refused for all six, in the words of the wizard, each at its step', () => {
  expect(launchProblems(freshWizard('SMART'), null).map(f => [f.step, f.message])).toEqual([
    [1, 'Please select a campaign template'],
    [2, 'Please select a campaign strategy'],
    [3, 'Campaign name is required'],
    [3, 'Valid budget amount is required'],
    [3, 'Valid target ACOS is required'],
    [4, 'At least one product is required'],
  ])
  expect(launchProblems(wizard(), null)).toEqual([])
})

describe('selecting a product', () => {
  const candidate = { asin: 'B0TESTASI2', spEligibilityStatus: 'ELIGIBLE', spEligibilityMessage: null }
  const none = wizard({ products: [] })
  test('an ineligible one is refused with the marketplace’s reason, or the usual one', () => {
    const ineligible = { ...candidate, spEligibilityStatus: 'INELIGIBLE' }
    expect(productRefusal(none, { ...ineligible, spEligibilityMessage: 'Out of stock' })).toEqual({
      title: 'Product Not Eligible',
      message: 'Out of stock',
    })
    expect(productRefusal(none, ineligible)?.message).toBe(
      'This product is not eligible for Sponsored Products campaigns.',
    )
  })
  test('one with a warning, or of which nothing is known, can be selected', () => {
    expect(productRefusal(none, { ...candidate, spEligibilityStatus: 'ELIGIBLE_WITH_WARNING' })).toBeNull()
    expect(productRefusal(none, { ...candidate, spEligibilityStatus: null })).toBeNull()
  })
  test('the same ASIN is refused even with another SKU, a second one by single-product templates', () => {
    expect(productRefusal(wizard(), { ...candidate, asin: product.asin })?.title).toBe('ASIN Already Selected')
    expect(productRefusal(wizard(), candidate)?.title).toBe('Product Limit Reached')
    expect(productRefusal(wizard({ template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL' }), candidate)).toBeNull()
  })
  test('a multi-product template takes a hundred', () => {
    const products = Array.from({ length: 100 }, (_, i) => ({
      ...product,
      asin: `B0MANY${String(i).padStart(4, '0')}`,
    }))
    const full = wizard({ template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL', products })
    expect(productRefusal(full, candidate)).toEqual({
      title: 'Product Limit Reached',
      message: 'A campaign can have at most 100 products; remove one of them first.',
    })
    expect(productRefusal({ ...full, products: products.slice(1) }, candidate)).toBeNull()
  })
})

test('what can be configured by hand follows template, mode and target type', () => {
  expect(configurationOf(wizard())).toBeNull()
  expect(configurationOf(wizard({ automationMode: 'MANUAL' }))).toBe('KEYWORDS')
  expect(configurationOf(wizard({ automationMode: 'MANUAL', setupMode: 'SMART' }))).toBeNull()
  const template = 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN'
  expect(configurationOf(wizard({ template, productTargetType: 'PRODUCT' }))).toBe('PRODUCT_TARGETS')
})

test('a bid that the marketplace would not take keeps step 4 from being complete, in the words of the launch', () => {
  const keywords = { [product.asin]: [keyword, { ...keyword, keyword: 'rug', bid: 0 }] }
  const faultsOf = (extra: Partial<WizardState>) => stepProblems(wizard(extra), 4, us)
  expect(faultsOf({ automationMode: 'MANUAL', keywords })).toMatchObject([
    { field: 'keywords', message: 'The bid for “rug” must be between 0.02 and 1000 USD' },
  ])
  expect(faultsOf({ automationMode: 'AUTO', keywords })).toEqual([])
  const template = 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN'
  const categories = { [CAMPAIGN_KEY]: [{ id: '1', name: 'Mats', bid: 0.025 }] }
  expect(faultsOf({ template, productTargetType: 'CATEGORY', categories })).toMatchObject([
    { field: 'categories', message: 'The bid for “Mats” has more decimals than USD has' },
  ])
})

test.each([
  [null, 'Enter a bid'],
  [0, 'The bid must be between 0.02 and 1000 USD'],
  [0.02, null],
  [1000, null],
  [1000.01, 'The bid must be between 0.02 and 1000 USD'],
  [1e300, 'The bid must be between 0.02 and 1000 USD'],
  [0.025, 'The bid has more decimals than USD has'],
])('a bid of %s in dollars: %s', (bid, fault) => {
  expect(bidProblem(bid, { currency: 'USD', minBidMicros: 20_000, maxBidMicros: 1_000_000_000 })).toBe(fault)
})

test('a keyword or negative that the marketplace would refuse keeps step 4 from being complete', () => {
  const state = {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' as const,
    keywordMatchType: 'EXACT' as const,
    products: [{ asin: 'B0TESTASIN', sku: 'S', title: null, imageUrl: null }],
    keywords: { B0TESTASIN: ['a*b?', 'mat'].map(keyword => ({ keyword, matchType: 'EXACT' as const, bid: 1 })) },
    negativeKeywords: [{ keyword: '50% off', matchType: 'NEGATIVE_EXACT' as const }],
  }
  expect(stepProblems(state, 4, null)).toMatchObject([
    { field: 'keywords', message: '“a*b?”: The marketplace accepts no * ? in keywords: remove it' },
    { field: 'negativeKeywords', message: '“50% off”: The marketplace accepts no % in keywords: remove it' },
  ])
})
