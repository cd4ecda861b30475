import { expect, test } from 'vitest'
import { emptyBooks } from '../../scenarios/empty-books.ts'
import type { Keyword } from '../model.ts'
import { takeBack, track } from './book-changes.ts'
import { narrow, partOf } from './parts.ts'

const keyword = (keywordId: string, adGroupId: string, bidMicros = 1): Keyword => ({
  keywordId,
  adGroupId,
  campaignId: 'c',
  profileId: Number(adGroupId),
  keywordText: keywordId,
  matchType: 'EXACT',
  state: 'ENABLED',
  bidMicros,
  createdAt: 0,
  updatedAt: 0,
})
const shelf = () => {
  const books = track(emptyBooks())
  for (const [id, group] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '1'],
  ] as const)
    books.keywords.set(id, keyword(id, group))
  return books
}
const idsOf = (books: ReturnType<typeof shelf>, group: string): string[] => [
  ...partOf(books.keywords, 'adGroupId', group).keys(),
]

test('a parent’s entries stay together and in order, whatever is set, moved or deleted', () => {
  const books = shelf()
  expect(idsOf(books, '1')).toEqual(['a', 'c'])
  books.keywords.set('a', keyword('a', '1', 5))
  books.keywords.set('d', keyword('d', '1'))
  expect(idsOf(books, '1')).toEqual(['a', 'c', 'd'])
  expect(partOf(books.keywords, 'adGroupId', '1').get('a')?.bidMicros).toBe(5)
  books.keywords.delete('c')
  books.keywords.set('a', keyword('a', '2'))
  expect([idsOf(books, '1'), idsOf(books, '2')]).toEqual([['d'], ['b', 'a']])
  expect(idsOf(books, '3')).toEqual([])
})

test('what is taken back is in its place again', () => {
  const books = shelf()
  idsOf(books, '1')
  takeBack(books)
  expect([idsOf(books, '1'), idsOf(books, '2'), books.keywords.size]).toEqual([[], [], 0])
})

test('narrowed books show a profile’s own, and any plain map is narrowed alike', () => {
  const books = shelf()
  expect([...narrow(books, 'profileId', 2).keywords.keys()]).toEqual(['b'])
  expect(narrow(books, 'profileId', 2).campaigns.size).toBe(0)
  const plain = new Map(books.keywords)
  expect([...partOf(plain, 'profileId', 1).keys()]).toEqual(['a', 'c'])
})

test('a page of a list costs no look at what hangs elsewhere', () => {
  const books = track(emptyBooks())
  let looks = 0
  for (let i = 0; i < 2000; i++) {
    const entry = keyword(`k${i}`, String(i % 100))
    Object.defineProperty(entry, 'state', { get: () => (looks++, 'ENABLED') })
    books.keywords.set(entry.keywordId, entry)
  }
  const states = [...narrow(books, 'adGroupId', '7').keywords.values()].map(one => one.state)
  expect([states.length, looks]).toEqual([20, 20])
})
