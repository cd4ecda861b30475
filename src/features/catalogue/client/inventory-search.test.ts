import * as v from 'valibot'
import { expect, it } from 'vitest'
import { inventorySearch } from './inventory-search.ts'

const read = (search: unknown) => v.parse(inventorySearch, search)

it('keeps search, page, size and the open product in the address', () => {
  const search = { search: 'mug', page: 3, size: 50, product: 7 }
  expect(read(search)).toEqual(search)
})
it('takes a search of digits, which an address holds as a number', () =>
  expect(read({ search: 4006381333931 })).toEqual({ search: '4006381333931' }))
it.each([{ size: 21 }, { page: -1 }, { page: 1.5 }, { product: 'x' }, { search: ['a'] }, { search: 'x'.repeat(201) }])(
  'leaves out what makes no sense: %j',
  search => expect(Object.values(read(search)).filter(value => value !== undefined)).toEqual([]),
)
