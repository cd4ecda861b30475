import { expect, test } from 'vitest'
import { ItemError } from './item-error.ts'
import { checkKeywordText } from './fields.ts'

function reasonOf(text: string): string {
  try {
    return checkKeywordText(text, 10)
  } catch (error) {
    return error instanceof ItemError ? error.reason : String(error)
  }
}

test.each([
  'garlic press',
  'Knoblauchpresse für große Zehen',
  'prensa de ajo pequeña',
  'praska do czosnku żółta',
  'にんにく潰し器',
  'عصارة ثوم',
  "chef's salt & pepper",
  'leather "rocker" jacket',
  'usb-c 2.0 a+b',
  'st . ives',
  'size [m]',
])('a keyword may be %s', text => {
  expect(checkKeywordText(text, 10)).toBe(text)
})

test.each([
  ['50% off', 'FORBIDDEN_CHARS'],
  ['press/crusher', 'FORBIDDEN_CHARS'],
  ['press, steel', 'FORBIDDEN_CHARS'],
  ['press 🧄', 'FORBIDDEN_CHARS'],
  ['чеснокодавка', 'FORBIDDEN_CHARS'],
  ['40" screen', 'FORBIDDEN_CHARS'],
  ['-press', 'FORBIDDEN_CHARS'],
  ['salt - pepper', 'FORBIDDEN_CHARS'],
  ['salt+', 'FORBIDDEN_CHARS'],
  ['press.', 'FORBIDDEN_CHARS'],
  [' press', 'LEADING_OR_TRAILING_WHITESPACE'],
  [' \t', 'BLANK'],
])('a keyword may not be %j: %s', (text, reason) => {
  expect(reasonOf(text)).toBe(reason)
})

test('blanks inside are evened out before words and characters are counted', () => {
  expect(checkKeywordText('one   two\tthree', 3)).toBe('one two three')
  expect(() => checkKeywordText('one two three four', 3)).toThrow()
  expect(checkKeywordText('x'.repeat(80), 1)).toHaveLength(80)
  expect(() => checkKeywordText('x'.repeat(81), 1)).toThrow()
})
