import { expect, test } from 'vitest'
import { keywordId } from '../../draft/wizard-state.ts'
import { MAX_IN_AD_GROUP } from '../../launch-schema.ts'
import { changedItems, type ItemChange, type ListItems, takenItems } from './list-changes.ts'

const keyword = (text: string, bid = 1): ListItems['keywords'] => ({ keyword: text, matchType: 'EXACT', bid })
const list = ['yoga mat', 'pilates mat', 'camping mat'].map(text => keyword(text))
const after = (items: readonly ListItems['keywords'][], change: ItemChange<ListItems['keywords']>) =>
  changedItems(items, change, keywordId)
const texts = (items: readonly ListItems['keywords'][]) => items.map(k => k.keyword)

test('what is added twice is there once, however it is spelt, and the first bid stays', () => {
  const all = after(list, {
    type: 'itemsAdded',
    items: [keyword(' Yoga  MAT', 9), keyword('gym mat'), keyword('gym mat', 2)],
  })
  expect(texts(all)).toEqual(['yoga mat', 'pilates mat', 'camping mat', 'gym mat'])
  expect(all.map(k => k.bid)).toEqual([1, 1, 1, 1])
})
test('a list takes a thousand and no more, so that a draft of it can be kept', () => {
  const many = Array.from({ length: 1500 }, (_, i) => keyword(`mat ${i}`))
  const full = after(list, { type: 'itemsAdded', items: many })
  expect(full).toHaveLength(MAX_IN_AD_GROUP)
  expect(full.slice(0, 3)).toEqual(list)
  expect(after(full, { type: 'itemsPutBack', taken: [{ index: 0, item: keyword('one more') }] })).toEqual(full)
})
test('what is taken out comes back to its places, also after other changes', () => {
  const ids = [list[0], list[2]].flatMap(k => (k ? [keywordId(k)] : []))
  const taken = takenItems(list, ids, keywordId)
  const rest = after(list, { type: 'itemsRemoved', ids })
  expect(texts(rest)).toEqual(['pilates mat'])
  expect(after(rest, { type: 'itemsPutBack', taken })).toEqual(list)
  expect(texts(after([...rest, keyword('Yoga mat')], { type: 'itemsPutBack', taken }))).toEqual([
    'pilates mat',
    'Yoga mat',
    'camping mat',
  ])
})
test('bids are set by what they belong to, not by where it stands', () => {
  const bids = { 'EXACT camping mat': 3, 'EXACT yoga mat': 2 }
  const changed = after(list.toReversed(), { type: 'bidsSet', bids })
  expect(changed.map(k => [k.keyword, k.bid])).toEqual([
    ['camping mat', 3],
    ['pilates mat', 1],
    ['yoga mat', 2],
  ])
})
