import { expect, test } from 'vitest'
import { pastedRows } from './pasted-rows.ts'

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
