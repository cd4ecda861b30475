import { expect, test } from 'vitest'
import type { WizardKeyword } from '../../draft/wizard-state.ts'
import { keywordId, MAX_IN_LIST, takenItems, withAdded, withBids, withoutIds, withPutBack } from './list-changes.ts'

const keyword = (text: string, bid = 1): WizardKeyword => ({ keyword: text, matchType: 'EXACT', bid })
const list = ['yoga mat', 'pilates mat', 'camping mat'].map(text => keyword(text))
const texts = (items: readonly WizardKeyword[]) => items.map(k => k.keyword)

test('what is added twice is there once, however it is spelt, and the first bid stays', () => {
  const all = withAdded(list, [keyword(' Yoga  MAT', 9), keyword('gym mat'), keyword('gym mat', 2)], keywordId)
  expect(texts(all)).toEqual(['yoga mat', 'pilates mat', 'camping mat', 'gym mat'])
  expect(all.map(k => k.bid)).toEqual([1, 1, 1, 1])
})
test('a list takes a thousand and no more, so that a draft of it can be kept', () => {
  const many = Array.from({ length: 1500 }, (_, i) => keyword(`mat ${i}`))
  const full = withAdded(list, many, keywordId)
  expect(full).toHaveLength(MAX_IN_LIST)
  expect(full.slice(0, 3)).toEqual(list)
  expect(withPutBack(full, [{ index: 0, item: keyword('one more') }], keywordId)).toEqual(full)
})
test('what is taken out comes back to its places, also after other changes', () => {
  const ids = [list[0], list[2]].flatMap(k => (k ? [keywordId(k)] : []))
  const taken = takenItems(list, ids, keywordId)
  const rest = withoutIds(list, ids, keywordId)
  expect(texts(rest)).toEqual(['pilates mat'])
  expect(withPutBack(rest, taken, keywordId)).toEqual(list)
  expect(texts(withPutBack([...rest, keyword('Yoga mat')], taken, keywordId))).toEqual([
    'pilates mat',
    'Yoga mat',
    'camping mat',
  ])
})
test('bids are set by what they belong to, not by where it stands', () => {
  const bids = { 'EXACT camping mat': 3, 'EXACT yoga mat': 2 }
  const changed = withBids(list.toReversed(), bids, keywordId)
  expect(changed.map(k => [k.keyword, k.bid])).toEqual([
    ['camping mat', 3],
    ['pilates mat', 1],
    ['yoga mat', 2],
  ])
})
