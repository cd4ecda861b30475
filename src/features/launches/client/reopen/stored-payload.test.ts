import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { failedLaunch } from '../../../../../tests/support/failed-launch.ts'
import { templateOf } from '../../templates.ts'
import { storedPayload, type CreatePayload, createPayload } from '../../launch-schema.ts'
import { planLaunch } from '../../plan/plan-launch.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { knownAdvice } from '../../../../../tests/support/launch-table/known-advice.ts'
import { type LaunchCase, launchTable, TABLE_BUDGET } from '../../../../../tests/support/launch-table/launch-table.ts'
import { planLines } from '../../../../../tests/support/launch-table/tree-lines.ts'
import { payloadOf } from '../../draft/payload-of.ts'
import { reopened, stateOf } from './reopened.ts'
import { launchProblems } from '../../draft/rules.ts'
import { CAMPAIGN_KEY, freshWizard, type WizardState } from '../../draft/wizard-state.ts'

const facts = marketplaceByKey('US')
if (!facts) throw new Error('no US marketplace')
const market = { ...facts, accountType: 'seller' as const, campaignPrefix: 'TL' }

/** What the server keeps of a payload, and answers when it is asked again. */
const storedForm = (payload: unknown): CreatePayload => v.parse(storedPayload, v.parse(createPayload, payload))
function opened(payload: CreatePayload): WizardState {
  const state = stateOf(payload)
  if (!state) throw new Error('the payload is not understood')
  return state
}
const notesOf = (payload: CreatePayload) => reopened(failedLaunch(payload), [], market)?.notes
const again = (payload: CreatePayload): CreatePayload => storedForm(payloadOf(opened(payload)))

function rowPayload({ input }: LaunchCase): CreatePayload {
  const asins = input.template.startsWith('MULTI') ? ['B0TESTASI0', 'B0TESTASI1'] : ['B0TESTASI0']
  const products = asins.map((asin, i) => ({ asin, sku: `MAT-${i + 1}` }))
  return storedForm({ campaignName: 'Mats', budget: TABLE_BUDGET, targetAcos: 30, products, ...input })
}
function linesOf(payload: CreatePayload): string[] {
  const products = payload.products.map(p => ({
    ...p,
    title: null,
    category: null,
    brand: null,
    orderValueMicros: null,
    conversionRate: null,
  }))
  return planLines(planLaunch({ payload: v.parse(createPayload, payload), market, products, advice: knownAdvice }))
}

describe('a row of the launch table, opened again,', () => {
  test.each(launchTable)('$title, lacks nothing, plans the same, and asks for the same ever after', row => {
    const payload = rowPayload(row)
    const state = opened(payload)
    expect(launchProblems(state, market)).toEqual([])
    expect(notesOf(payload)).toEqual([])
    const sent = again(payload)
    expect(linesOf(sent)).toEqual(linesOf(payload))
    // What the wizard sent is the payload to the letter.
    expect(again(sent)).toEqual(sent)
    const isTold = templateOf(payload.template).multiProduct || payload.setupMode === 'SMART'
    if (isTold && payload.keywords.every(k => k.matchType)) expect(sent).toEqual(payload)
  })
})

const guided: WizardState = {
  ...freshWizard('GUIDED'),
  currentStep: 5,
  template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
  strategy: 'GROWTH',
  campaignName: 'Mats',
  budget: 40,
  targetAcos: 25.5,
  keywordMatchType: 'EXACT',
  includeHighImpact: true,
  separateBrandTerms: true,
  budgetShares: { DISCOVERY: 20, RESEARCH: 15, PERFORMANCE: 30.5, RANKING: 14.5, HIGH_IMPACT: 20 },
  products: [
    { asin: 'B0TESTASI0', sku: 'S-1', title: null, imageUrl: null },
    { asin: 'B0TESTASI1', sku: 'S-2', title: null, imageUrl: null },
  ],
  keywords: {
    B0TESTASI0: [{ keyword: 'yoga mat', matchType: 'EXACT', bid: 1.2 }],
    B0TESTASI1: [
      { keyword: 'Yoga mat', matchType: 'EXACT', bid: 2 },
      { keyword: 'yoga mat', matchType: 'BROAD', bid: 0.8 },
    ],
    [CAMPAIGN_KEY]: [{ keyword: 'mat', matchType: 'PHRASE', bid: 0.5 }],
  },
  negativeKeywords: [
    { keyword: 'cheap', matchType: 'NEGATIVE_PHRASE' },
    { keyword: 'free mat', matchType: 'NEGATIVE_EXACT' },
  ],
}
const targeted: Partial<WizardState> = {
  template: 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN',
  keywordMatchType: null,
  includeHighImpact: false,
  separateBrandTerms: false,
  budgetShares: null,
  keywords: {},
  negativeKeywords: [],
}
const cases: [string, Partial<WizardState>][] = [
  ['lists of products and of the campaign, negatives and shares', {}],
  [
    'a single product’s list and negatives',
    {
      template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
      automationMode: 'MANUAL',
      includeHighImpact: false,
      budgetShares: null,
      products: guided.products.slice(0, 1),
      keywords: { B0TESTASI0: guided.keywords['B0TESTASI1'] ?? [] },
    },
  ],
  [
    'categories, of which the campaign shares one with a product',
    {
      ...targeted,
      productTargetType: 'CATEGORY',
      categories: {
        B0TESTASI1: [{ id: '7', name: 'Mats', bid: 1 }],
        [CAMPAIGN_KEY]: [
          { id: '7', name: 'Mats', bid: 3 },
          { id: '8', name: 'Rugs', bid: 2 },
        ],
      },
    },
  ],
  [
    'product targets',
    {
      ...targeted,
      productTargetType: 'PRODUCT',
      productMatchType: 'PRODUCT_SIMILAR',
      productTargets: { [CAMPAIGN_KEY]: [{ asin: 'B0OTHERONE', bid: 1.5 }] },
    },
  ],
]

describe('a guided wizard with', () => {
  test.each(cases)('%s comes back as it was launched, and launches the same', (_, over) => {
    const state = { ...guided, ...over }
    const payload = storedForm(payloadOf(state))
    expect(stateOf(payload)).toEqual(state)
    expect(again(payload)).toEqual(payload)
    expect(notesOf(payload)).toEqual([])
  })
})

test('keywords of the campaign that are all its products’ own again are the campaign’s as well, which must have some', () => {
  const shared = guided.keywords['B0TESTASI0'] ?? []
  const payload = storedForm(payloadOf({ ...guided, keywords: { B0TESTASI0: shared, [CAMPAIGN_KEY]: shared } }))
  expect(opened(payload).keywords[CAMPAIGN_KEY]).toEqual(shared)
  expect(again(payload)).toEqual(payload)
})

test('what the wizard has no place for is counted', () => {
  const payload = storedForm(payloadOf({ ...guided, ...cases[3]?.[1] }))
  const both = [
    { asin: 'B0OTHERONE', bid: 1.5 },
    { asin: 'B0OTHERONE', matchType: 'PRODUCT_EXACT' as const, bid: 2 },
  ]
  const note = '1 of its terms does not fit into the wizard and was left out.'
  expect(notesOf({ ...payload, productTargets: both })).toEqual([note])
})

test('a payload beyond what a wizard holds is not understood', () => {
  const payload = storedForm(payloadOf(guided))
  const [product] = payload.products
  if (!product) throw new Error('the wizard has a product')
  expect(stateOf({ ...payload, products: Array.from({ length: 101 }, () => product) })).toBeNull()
})
