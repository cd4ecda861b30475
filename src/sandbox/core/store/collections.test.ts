import { expect, test } from 'vitest'
import { emptyStore } from './collections.ts'
import type { Keyword } from '../model/store.ts'
import { revertChanges, track } from './changes.ts'
import { narrowStore, entriesBy } from './collections.ts'

function keyword(keywordId: string, adGroupId: string, bidMicros = 1): Keyword {
  return {
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
  }
}
function filledStore() {
  const store = track(emptyStore())
  for (const [id, group] of [
    ['a', '1'],
    ['b', '2'],
    ['c', '1'],
  ] as const)
    store.keywords.set(id, keyword(id, group))
  return store
}
const idsOf = (store: ReturnType<typeof filledStore>, group: string): string[] => [
  ...entriesBy(store.keywords, 'adGroupId', group).keys(),
]

test('a parent’s entries stay together and in order, whatever is set, moved or deleted', () => {
  const store = filledStore()
  expect(idsOf(store, '1')).toEqual(['a', 'c'])
  store.keywords.set('a', keyword('a', '1', 5))
  store.keywords.set('d', keyword('d', '1'))
  expect(idsOf(store, '1')).toEqual(['a', 'c', 'd'])
  expect(entriesBy(store.keywords, 'adGroupId', '1').get('a')?.bidMicros).toBe(5)
  store.keywords.delete('c')
  store.keywords.set('a', keyword('a', '2'))
  expect([idsOf(store, '1'), idsOf(store, '2')]).toEqual([['d'], ['b', 'a']])
  expect(idsOf(store, '3')).toEqual([])
})

test('a reverted change leaves every entry in its place', () => {
  const store = filledStore()
  idsOf(store, '1')
  revertChanges(store)
  expect([idsOf(store, '1'), idsOf(store, '2'), store.keywords.size]).toEqual([[], [], 0])
})

test('a narrowed store shows one profile, and a plain map is narrowed the same way', () => {
  const store = filledStore()
  expect([...narrowStore(store, 'profileId', 2).keywords.keys()]).toEqual(['b'])
  expect(narrowStore(store, 'profileId', 2).campaigns.size).toBe(0)
  const plain = new Map(store.keywords)
  expect([...entriesBy(plain, 'profileId', 1).keys()]).toEqual(['a', 'c'])
})

test('a page of a list reads no entry of another parent', () => {
  const store = track(emptyStore())
  let looks = 0
  for (let i = 0; i < 2000; i++) {
    const entry = keyword(`k${i}`, String(i % 100))
    Object.defineProperty(entry, 'state', { get: () => (looks++, 'ENABLED') })
    store.keywords.set(entry.keywordId, entry)
  }
  const states = [...narrowStore(store, 'adGroupId', '7').keywords.values()].map(one => one.state)
  expect([states.length, looks]).toEqual([20, 20])
})
