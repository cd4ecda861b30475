import { describe, expect, test } from 'vitest'
import { adviceOf, groupOf, plan, product } from '../../../../tests/support/launch-table/plan-scene.ts'
import type { CreatePayloadInput } from '../launch-schema.ts'

const template = 'SINGLE_PRODUCT_PRODUCT_TARGET_CAMPAIGN' as const
const categories = [
  ['1', 'Water Bottles', 'Sports & Outdoors > Accessories > Water Bottles'],
  ['2', 'Yoga Mats', 'Sports & Outdoors > Exercise & Fitness > Yoga > Mats'],
  ['3', 'Bottle Brushes', 'Sports & Outdoors > Accessories > Cleaning > Bottle Brushes'],
].map(([id = '', name = '', path = '']) => ({ id, name, path, suggested: null }))
const products = ['B0RIVAL001', 'B0MYOTHER1'].map(asin => ({ asin, suggested: null, isOwn: asin === 'B0MYOTHER1' }))
const of = (category: string | null, input: Partial<CreatePayloadInput> = {}) =>
  plan({ template, ...input }, { products: [product({ category })], advice: { ...adviceOf(1), categories, products } })
const categoriesOf = (category: string | null) => groupOf(of(category), 'products-category').targets.map(t => t.name)

describe('recommended targets', () => {
  test('leave out categories that are not related to the product’s own, and say so', () => {
    expect(categoriesOf('Water bottles')).toEqual(['Water Bottles', 'Bottle Brushes'])
    expect(of('Water Bottles').warnings).toContain(
      '“Yoga Mats” is left out: recommended, but not related to the products’ own categories.',
    )
  })
  test('keep every category where the product’s own is not known', () => {
    expect(categoriesOf(null)).toHaveLength(3)
    expect(categoriesOf('Vases')).toHaveLength(3)
  })
  test('leave out the seller’s own products, and say so', () => {
    expect(groupOf(of(null), 'products-product-exact').targets.map(t => t.value)).toEqual(['B0RIVAL001'])
    expect(of(null).warnings.join()).toContain('“B0MYOTHER1” is left out: recommended, but your own.')
  })
  test('are the user’s own choice in guided mode', () => {
    const p = of('Water Bottles', {
      setupMode: 'GUIDED',
      productTargetType: 'PRODUCT',
      productTargets: [{ asin: 'B0MYOTHER1', bid: 1 }],
    })
    expect(groupOf(p, 'products-product-exact').targets.map(t => t.value)).toEqual(['B0MYOTHER1'])
  })
})
