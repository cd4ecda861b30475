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

test('a comma in bids with a long sign parts no columns', () => {
  expect(cells('becher blau;0,75 zł\nbecher, rot;0,80 zł')).toEqual([
    ['becher blau', '0,75 zł'],
    ['becher, rot', '0,80 zł'],
  ])
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
  ['CA$1.15', 1.15],
  ['R$ 1.234,50', 1234.5],
  ['USD 0.50', 0.5],
  ['0,90 zł', 0.9],
  ['.75', 0.75],
  ['-1', -1],
  ['-1.234,50', -1234.5],
  ['ABC 12', null],
  ['12 pan', null],
  ['', null],
])('%j is the bid %j', (cell, bid) => {
  expect(pastedBid(cell)).toBe(bid)
})
