import { describe, expect, test } from 'vitest'
import { plan, product } from '../../../../tests/support/launch-table/plan-scene.ts'
import { brandAdviceOf, kindOfTerms, namesBrand } from './brand-terms.ts'
import { noticesOf } from '../review/notices.ts'
import { previewOf } from '../review/preview-rules.ts'
import { payloadOf } from '../../../../tests/support/launch-table/plan-scene.ts'

test.each([
  ['harborlane water bottle', true],
  ['HarborLane’s bottle', true],
  ['bottle harbor lane', false],
  ['harborlanes bottle', false],
  ['ヨガ アルプ水筒', true],
])('whether “%s” names an own brand: %s', (text, expected) => {
  expect(namesBrand(['Harborlane', null, 'アルプ', ' '])(text)).toBe(expected)
})

const facts = { targetAcos: 30, breakEvenAcos: null, breakEvenKnownFor: 0, running: [], products: [] }
function previewWith(brand: string | null) {
  const products = [product({ brand })]
  return previewOf(payloadOf(), plan({}, { products }), products, facts)
}

test('the review marks terms of the seller’s own brand, and says where the brand is not known', () => {
  const marked = previewWith('Yoga').campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords.map(k => k.isOwnBrand)))
  expect(new Set(marked)).toEqual(new Set([true]))
  const unknown = previewWith(null)
  expect(unknown.campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords)).some(k => k.isOwnBrand)).toBe(false)
  expect(unknown.notices.map(n => n.message)).toContain(
    'Brand unknown for “B0TESTASIN”: terms of its own brand cannot be distinguished from generic ones.',
  )
  expect(
    noticesOf(plan(), facts)
      .map(n => n.message)
      .join(),
  ).not.toContain('Brand unknown')
})

describe('the brand in a term decides its kind', () => {
  const kindOf = kindOfTerms(
    ['Harborlane'],
    ['Oxara', 'Black+Decker', 'North Craft', 'Peak', 'Levi’s®', 'Generic', 'アルプ'],
  )
  test.each([
    ['OXARA bottle', 'COMPETITORS'],
    ['bottle by oxara', 'COMPETITORS'],
    ['oxaras bottle', 'GENERIC'],
    // A brand of several words counts as a whole.
    ['north craft  bottle', 'COMPETITORS'],
    ['north face craft bottle', 'GENERIC'],
    ['black+decker drill', 'COMPETITORS'],
    // A brand that is an ordinary word counts as a whole word.
    ['peak bottle', 'COMPETITORS'],
    ['peaky blinders bottle', 'GENERIC'],
    ['levi’s bottle', 'COMPETITORS'],
    ['levi bottle', 'COMPETITORS'],
    ['generic bottle', 'GENERIC'],
    ['アルプ水筒', 'COMPETITORS'],
    ['harborlane or oxara', 'OWN_BRAND'],
    ['steel bottle', 'GENERIC'],
  ])('%s: %s', (text, kind) => {
    expect(kindOf(text)).toBe(kind)
  })

  test('competitors are the brands of the categories, once each, less what the seller lists', () => {
    const products = [
      { asin: 'A', brands: ['Oxara', 'HARBORLANE', 'Unbranded'] },
      { asin: 'B', brands: ['Oxara', 'Peak'] },
      { asin: 'C', brands: [] },
    ]
    expect(brandAdviceOf(['Harborlane'], products)).toEqual({
      own: ['Harborlane'],
      competitors: ['Oxara', 'Peak'],
      unknownFor: ['C'],
    })
  })
})
