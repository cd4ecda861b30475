import { expect, test } from 'vitest'
import { plan, product } from '../../../../tests/support/launch-table/plan-scene.ts'
import { namesBrand } from './brand-terms.ts'
import { noticesOf } from './notices.ts'
import { previewOf } from './preview-rules.ts'
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
const previewWith = (brand: string | null) => {
  const products = [product({ brand })]
  return previewOf(payloadOf(), plan({}, { products }), products, facts)
}

test('the review marks terms of the seller’s own brand, and says where the brand is not known', () => {
  const marked = previewWith('Yoga').campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords.map(k => k.isOwnBrand)))
  expect(new Set(marked)).toEqual(new Set([true]))
  const unknown = previewWith(null)
  expect(unknown.campaigns.flatMap(c => c.adGroups.flatMap(g => g.keywords)).some(k => k.isOwnBrand)).toBe(false)
  expect(unknown.notices.map(n => n.message)).toContain(
    'Brand unknown for “B0TESTASIN”: terms of its own brand cannot be told from generic ones.',
  )
  expect(
    noticesOf(plan(), facts)
      .map(n => n.message)
      .join(),
  ).not.toContain('Brand unknown')
})
