import { expect, test } from 'vitest'
import { targetText } from './target-text.ts'

const product = (text: string) => targetText({ kind: 'PRODUCT', text })

test('conditions are written in plain words, and a name with a comma stays whole', () => {
  expect(product('ASIN_SAME_AS: B0TIDE0001')).toBe('Product: B0TIDE0001')
  expect(product('ASIN_CATEGORY_SAME_AS: Home, Kitchen, ASIN_PRICE_BETWEEN: 5-9.99')).toBe(
    'Category: Home, Kitchen, price 5 to 9.99',
  )
  expect(product('ASIN_CATEGORY_SAME_AS: Mugs, ASIN_BRAND_SAME_AS: Ebb, ASIN_REVIEW_RATING_GREATER_THAN: 4')).toBe(
    'Category: Mugs, Brand: Ebb, rating above 4',
  )
  expect(product('ASIN_IS_PRIME_SHIPPING_ELIGIBLE: true')).toBe('with Prime shipping')
})

test('audiences say what people did, and when', () => {
  expect(targetText({ kind: 'AUDIENCE', text: 'VIEWS: SIMILAR_PRODUCT, LOOKBACK: 30' })).toBe(
    'Viewed similar products, in the last 30 days',
  )
})

test('a keyword stays as it was typed, and what is not known keeps the marketplace’s name', () => {
  expect(targetText({ kind: 'KEYWORD', text: 'ASIN_SAME_AS: a' })).toBe('ASIN_SAME_AS: a')
  expect(targetText({ kind: 'AUTO', text: 'CLOSE_MATCH' })).toBe('Close match')
  expect(product('ASIN_COLOR_SAME_AS: red')).toBe('ASIN_COLOR_SAME_AS: red')
})
