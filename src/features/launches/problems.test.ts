import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { createPayload, type CreatePayloadInput } from './launch-schema.ts'
import { chosenKeywords } from './chosen-terms.ts'
import { problems } from './problems.ts'

const good: CreatePayloadInput = {
  campaignName: 'Mats',
  budget: 10,
  targetAcos: 30,
  setupMode: 'GUIDED',
  template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
  strategy: 'NORMAL',
  automationMode: 'AUTO',
  products: [{ asin: 'b0testasin', sku: 'MAT-1' }],
}
const messagesOf = (input: unknown) => v.safeParse(createPayload, input).issues?.map(i => i.message) ?? []
function problemsOf(extra: Partial<CreatePayloadInput>) {
  return problems(v.parse(createPayload, { ...good, ...extra }), null)
    .filter(p => p.code !== 'INCOMPLETE')
    .map(p => p.message)
}

test('an empty payload is refused for each field in the wizard’s own words', () => {
  expect(messagesOf({})).toEqual(
    expect.arrayContaining([
      'Please select a campaign template',
      'Please select a campaign strategy',
      'Campaign name is required',
      'Valid budget amount is required',
      'Valid target ACOS is required',
      'At least one product is required',
    ]),
  )
})

test.each([
  [{ campaignName: '   ' }, 'Campaign name is required'],
  [{ campaignName: 'x'.repeat(101) }, 'Campaign name must be at most 100 characters long'],
  [{ budget: 0 }, 'Valid budget amount is required'],
  [{ budget: '10' }, 'Valid budget amount is required'],
  [{ targetAcos: 0 }, 'Valid target ACOS is required'],
  [{ targetAcos: 100.1 }, 'Valid target ACOS is required'],
  [{ targetAcos: 30.25 }, 'Valid target ACOS is required'],
  [{ products: [] }, 'At least one product is required'],
  [{ products: [{ asin: 'B0', sku: 'x' }] }, 'An ASIN has exactly 10 letters and digits'],
  [{ template: 'NONE' }, 'Please select a campaign template'],
  [{ strategy: null }, 'Please select a campaign strategy'],
  [{ keywords: [{ keyword: 'x'.repeat(81), bid: 1 }] }, 'A keyword has at most 80 characters'],
  [{ keywords: [{ keyword: 'a b c d e f g h i j k', bid: 1 }] }, 'A keyword has at most 10 words'],
  [{ keywords: [{ keyword: 'x', bid: -1 }] }, 'A bid must be at least 0'],
  [{ keywords: [{ keyword: 'x', bid: 1e20 }] }, 'This bid is higher than any marketplace accepts'],
  [{ keywords: [{ keyword: 'red\u200Bshoe', bid: 1 }] }, 'A keyword has an invisible character: type it again'],
  [{ campaignName: 'Summer\u0007' }, 'Campaign name has an invisible character: type it again'],
  [{ surprise: 1 }, 'Unknown field "surprise"'],
])('%j is refused: %s', (extra, message) => {
  expect(messagesOf({ ...good, ...extra })).toEqual([message])
})

test('a name pasted out of a sheet is one line', () => {
  expect(v.parse(createPayload, { ...good, campaignName: ' Summer\tMats\n2027 ' }).campaignName).toBe(
    'Summer Mats 2027',
  )
})

test('an ASIN is kept in upper case', () => {
  expect(v.parse(createPayload, good).products[0]?.asin).toBe('B0TESTASIN')
})

describe('what the fields demand of each other', () => {
  const two = ['B0TESTASIN', 'B0TESTASI2'].map(asin => ({ asin, sku: 'S' }))

  test.each([
    [{}, []],
    [{ products: two }, ['A single-product template can only have 1 product; remove the current product first.']],
    [
      { automationMode: 'MANUAL' as const },
      ['Choose a keyword match type', 'Configure keywords for each selected product first.'],
    ],
    [{ automationMode: 'MANUAL' as const, keywordMatchType: 'EXACT' as const, setupMode: 'SMART' as const }, []],
    [{ template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' as const, setupMode: 'SMART' as const }, []],
    [
      { template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL' as const },
      ['Choose a keyword match type', 'Configure keywords for each selected product first.'],
    ],
    [{ template: 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' as const }, ['Choose category or product targeting']],
    [
      {
        template: 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN' as const,
        products: two,
        productTargetType: 'CATEGORY' as const,
      },
      ['Configure at least one category or product target for the campaign first.'],
    ],
  ])('%j: %j', (extra, messages) => {
    expect(problemsOf(extra)).toEqual(messages)
  })

  test('a keyword template asks for an automation mode', () => {
    const { automationMode: _, ...rest } = good
    expect(problems(v.parse(createPayload, rest), null).map(p => p.message)).toEqual([
      'Choose automatic or manual targeting',
    ])
  })

  test('an ad group takes the targets of all its products, and no more than it holds', () => {
    const asins = (from: number) =>
      Array.from({ length: 600 }, (_, i) => ({ asin: `B${String(from + i).padStart(9, '0')}`, bid: 1 }))
    const input = (from: number) => ({
      template: 'MULTI_PRODUCT_AD_GROUP_PRODUCT_TARGET_CAMPAIGN' as const,
      productTargetType: 'PRODUCT' as const,
      products: two.map((product, i) => ({ ...product, productTargets: asins(i * from) })),
    })
    expect(problemsOf(input(400))).toEqual([])
    expect(problemsOf(input(600))).toEqual(['An ad group holds at most 1000 product targets: remove 200'])
  })

  test('the same ASIN twice is refused even with another SKU', () => {
    expect(
      problemsOf({
        template: 'MULTI_PRODUCT_AD_GROUP_FUNNEL',
        setupMode: 'SMART',
        products: [
          { asin: 'B0TESTASIN', sku: 'A' },
          { asin: 'B0TESTASIN', sku: 'B' },
        ],
      }),
    ).toEqual(['A product with this ASIN is already selected, even with a different SKU.'])
  })
})

test('a keyword named by the product and by the flattened list is taken once', () => {
  const payload = v.parse(createPayload, {
    ...good,
    keywordMatchType: 'EXACT',
    products: [{ asin: 'B0TESTASIN', sku: 'S', keywords: [{ keyword: 'Red Mat', bid: 1 }] }],
    keywords: [
      { keyword: 'red  mat', matchType: 'EXACT', bid: 2 },
      { keyword: 'red mat', matchType: 'BROAD', bid: 2 },
    ],
  })
  expect(chosenKeywords(payload).map(k => [k.keyword, k.bid])).toEqual([
    ['Red Mat', 1],
    ['red mat', 2],
  ])
})
