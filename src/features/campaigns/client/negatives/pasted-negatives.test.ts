import { expect, test } from 'vitest'
import { pastedNegatives } from './pasted-negatives.ts'

const lines = (text: string, ...[kind = 'KEYWORD', match = 'NEGATIVE_EXACT']: Partial<Tail>) =>
  pastedNegatives(text, kind, match).map(({ line, text: shown, matchType, problem }) =>
    problem === null ? `${line} ${shown} ${matchType}` : `${line} ${shown}: ${problem}`,
  )
type Tail = [kind: Parameters<typeof pastedNegatives>[1], match: Parameters<typeof pastedNegatives>[2]]

test('lines, commas, and columns of a spreadsheet with quotes and match types are read', () => {
  expect(lines('free bottle\r\ncheap, used\n"glass, blue"')).toEqual([
    '1 free bottle NEGATIVE_EXACT',
    '2 cheap NEGATIVE_EXACT',
    '2 used NEGATIVE_EXACT',
    '3 glass, blue: The marketplace accepts no , in keywords: remove it',
  ])
  expect(lines('Keyword\tMatch type\nfree\tNegative phrase\n"lid 5"" wide"\tnegativeExact\nlid\texact')).toEqual([
    '2 free NEGATIVE_PHRASE',
    '3 lid 5" wide: A keyword has a . - + or " where the marketplace accepts none: remove it',
    '4 lid NEGATIVE_EXACT',
  ])
})

test('what the marketplace would reject, and what is listed twice, says so at its line', () => {
  expect(
    lines('one two three four five\nfree\nFREE \nbottle™\nb0c1234567\n' + 'x'.repeat(81), 'KEYWORD', 'NEGATIVE_PHRASE'),
  ).toEqual([
    '1 one two three four five: A negative phrase has at most 4 words',
    '2 free NEGATIVE_PHRASE',
    '3 FREE: The same as on line 2',
    '4 bottle™: The marketplace accepts no ™ in keywords: remove it',
    '5 b0c1234567: This is a product, not a search: add it under Products',
    `6 ${'x'.repeat(81)}: A keyword has at most 80 characters`,
  ])
  expect(lines('free\nfree\tphrase')).toEqual(['1 free NEGATIVE_EXACT', '2 free NEGATIVE_PHRASE'])
})

test('products are read from ASINs and links, brands from their ids', () => {
  expect(lines('b0c1234567\nhttps://www.example.com/dp/B0C1234568?x=1\nmug', 'ASIN_SAME_AS')).toEqual([
    '1 B0C1234567 NEGATIVE_EXACT',
    '2 B0C1234568 NEGATIVE_EXACT',
    '3 MUG: An ASIN has exactly 10 letters and digits',
  ])
  expect(lines('812\nTide', 'ASIN_BRAND_SAME_AS')[1]).toContain('id of the brand')
})

test('a thousand are added at once, no more', () => {
  const all = pastedNegatives(
    Array.from({ length: 1001 }, (_, i) => `word${i}`).join('\n'),
    'KEYWORD',
    'NEGATIVE_EXACT',
  )
  expect(all.filter(({ problem }) => problem !== null)).toMatchObject([
    { line: 1001, problem: 'Only 1000 are added at once' },
  ])
})
