import { expect, test } from 'vitest'
import { relatedCategories } from './contract.ts'

const bottles = { name: 'Water Bottles', path: '/Sports & Outdoors/Accessories/Water Bottles' }
const others = [
  { name: 'Mats', path: '/Sports & Outdoors/Yoga/Mats' },
  { name: 'Straps', path: '/Sports & Outdoors/Accessories/Straps' },
  { name: 'Old', path: null },
]
const relatedTo = (...own: (string | null)[]) =>
  others.filter(relatedCategories([bottles, ...others], own)).map(c => c.name)

test('a category is related when its path shares two levels with that of any product', () => {
  expect(relatedTo('water bottles')).toEqual(['Straps', 'Old'])
  expect(relatedTo('Water Bottles', 'Mats')).toEqual(['Mats', 'Straps', 'Old'])
})
test('where a product’s category is not known every category is related', () => {
  expect(relatedTo('Water Bottles', null)).toHaveLength(3)
  expect(relatedTo('Vases')).toHaveLength(3)
})
