import { expect, test } from 'vitest'
import { pastedNegatives } from './pasted-negatives.ts'

const read = (text: string, chosen: Parameters<typeof pastedNegatives>[1]['chosen'] = []) =>
  pastedNegatives(text, { chosen, matchType: 'NEGATIVE_EXACT' })

test.each([
  ['lines', 'free\nused mat'],
  ['commas', 'free, used mat'],
  ['semicolons', 'free;used mat'],
  ['a column with its title', 'Negative keyword\nfree\nused mat'],
])('reads %s', (_, text) => {
  expect(read(text).map(n => [n.keyword, n.matchType, n.fault])).toEqual([
    ['free', 'NEGATIVE_EXACT', null],
    ['used mat', 'NEGATIVE_EXACT', null],
  ])
})
test('takes the match type of a column, however it is named', () => {
  const text = 'free\tPhrase\nused\tnegative exact\nold\tNEGATIVE_PHRASE\ncheap\tNegativePhrase'
  expect(read(text).map(n => n.matchType)).toEqual([
    'NEGATIVE_PHRASE',
    'NEGATIVE_EXACT',
    'NEGATIVE_PHRASE',
    'NEGATIVE_PHRASE',
  ])
})
test('says row by row what cannot be added and why', () => {
  const text = `free\nFree \none two three four five\tphrase\n${'x'.repeat(81)}\nfree\tphrase`
  expect(read(text, [{ keyword: 'used', matchType: 'NEGATIVE_EXACT' }]).map(n => [n.line, n.fault])).toEqual([
    [1, null],
    [2, 'It is in the list already'],
    [3, 'A negative phrase has at most 4 words'],
    [4, 'A keyword has at most 80 characters'],
    [5, null],
  ])
  expect(read('Used', [{ keyword: 'used', matchType: 'NEGATIVE_EXACT' }])[0]?.fault).toBe('It is in the list already')
})
test('a list that is full takes no more', () => {
  const chosen = Array.from({ length: 999 }, (_, i) => ({ keyword: `k ${i}`, matchType: 'NEGATIVE_EXACT' as const }))
  expect(read('free\nused', chosen).map(n => n.fault)).toEqual([null, 'The list holds at most 1000'])
})
