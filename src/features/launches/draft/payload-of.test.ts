import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createPayload } from '../launch-schema.ts'
import { problems } from '../problems.ts'
import { launchPayloadOf, payloadOf } from './payload-of.ts'
import { CAMPAIGN_KEY, freshWizard, type WizardState } from './wizard-state.ts'

function wizard(extra: Partial<WizardState> = {}): WizardState {
  return {
    ...freshWizard('GUIDED'),
    template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
    strategy: 'GROWTH',
    campaignName: '  Mats ',
    budget: 10.5,
    targetAcos: 30,
    automationMode: 'MANUAL',
    keywordMatchType: 'EXACT',
    products: [{ asin: 'B0TESTASIN', sku: 'S-1', title: 'Mat', imageUrl: 'https://a.b/c.png' }],
    keywords: {
      B0TESTASIN: [{ keyword: 'yoga mat', matchType: 'EXACT', bid: 1.2, lowBid: 1, medianBid: 1.2, highBid: 2 }],
      [CAMPAIGN_KEY]: [
        { keyword: 'Yoga  mat', matchType: 'EXACT', bid: 9 },
        { keyword: 'yoga mat', matchType: 'BROAD', bid: 0.8 },
      ],
    },
    ...extra,
  }
}

test('there is none before template, strategy, budget and target ACOS are set', () => {
  for (const missing of ['template', 'strategy', 'budget', 'targetAcos'] as const)
    expect(payloadOf(wizard({ [missing]: null }))).toBeNull()
})
test('the launch accepts what a complete guided wizard gives', () => {
  const parsed = v.parse(createPayload, payloadOf(wizard()))
  expect(problems(parsed, null)).toEqual([])
  expect(parsed).toMatchObject({ campaignName: 'Mats', budget: 10.5, strategy: 'GROWTH', includeHighImpact: false })
})
test('keywords are flattened, each text and match type once, without what only the screen shows', () => {
  expect(payloadOf(wizard())?.keywords).toEqual([
    { keyword: 'yoga mat', matchType: 'EXACT', bid: 1.2 },
    { keyword: 'yoga mat', matchType: 'BROAD', bid: 0.8 },
  ])
})
test('shares of the budget and negative keywords go along where the template has a place for them', () => {
  const budgetShares = { DISCOVERY: 25, RESEARCH: 20, PERFORMANCE: 35, RANKING: 20 }
  const negativeKeywords = [{ keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' as const }]
  const sent = (template: WizardState['template']) => {
    const payload = payloadOf(wizard({ template, budgetShares, negativeKeywords }))
    return [payload?.budgetShares, payload?.negativeKeywords]
  }
  expect(sent('SINGLE_PRODUCT_CAMPAIGN_FUNNEL')).toEqual([budgetShares, negativeKeywords])
  expect(sent('SINGLE_PRODUCT_KEYWORD_CAMPAIGN')).toEqual([undefined, negativeKeywords])
  expect(sent('SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN')).toEqual([undefined, []])
})
test('smart mode and automatic targeting leave out what was configured by hand', () => {
  for (const extra of [{ setupMode: 'SMART' }, { automationMode: 'AUTO' }] as const) {
    const payload = payloadOf(wizard(extra))
    expect([payload?.keywords, payload?.products[0]?.keywords]).toEqual([[], []])
  }
})
test('only targets of the chosen type are sent', () => {
  const payload = payloadOf(
    wizard({
      template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN',
      productTargetType: 'CATEGORY',
      categories: { B0TESTASIN: [{ id: '7', name: 'Mats', bid: 1 }] },
      productTargets: { B0TESTASIN: [{ asin: 'B0OTHERONE', bid: 1 }] },
    }),
  )
  expect(payload?.products[0]).toEqual({
    asin: 'B0TESTASIN',
    sku: 'S-1',
    keywords: [],
    categories: [{ id: '7', name: 'Mats', bid: 1 }],
    productTargets: [],
  })
})

test.each([
  [{ template: null }, 'Template and strategy are required'],
  [{ strategy: null }, 'Template and strategy are required'],
  [{ campaignName: '  ' }, 'Campaign name is required'],
  [{ budget: 0 }, 'Valid budget amount is required'],
  [{ targetAcos: null }, 'Valid target ACOS is required'],
])('to be launched with %j it throws %s', (missing, message) => {
  expect(() => launchPayloadOf(wizard(missing))).toThrow(message)
})
test('what is launched is the payload', () => {
  expect(launchPayloadOf(wizard())).toEqual(payloadOf(wizard()))
})
