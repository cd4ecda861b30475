import { expect, test } from 'vitest'
import { pastedBid, pastedRows } from './pasted-rows.ts'

const cells = (text: string) => pastedRows(text, /^keyword$/).map(row => row.cells)

test.each([
  ['"', [['"']]],
  ['"yoga mat', [['"yoga mat']]],
  ['yoga mat\n"steel flask\ntravel mug', [['yoga mat'], ['"steel flask'], ['travel mug']]],
  ['"yoga" mat, mug', [['"yoga" mat', 'mug']]],
  ['12" pan', [['12" pan']]],
  ['"mug, steel"\nmat', [['mug, steel'], ['mat']]],
])('%j is read, whatever its quotes do', (text, expected) => {
  expect(cells(text)).toEqual(expected)
})

test.each([
  ['0.85', 0.85],
  ['1,20 €', 1.2],
  ['0,755', 0.755],
  ['¥1,200', 1200],
  ['1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['1 200,50', 1200.5],
  ['₹25', 25],
  ['12 pan', null],
  ['', null],
])('%j is the bid %j', (cell, bid) => {
  expect(pastedBid(cell)).toBe(bid)
})
