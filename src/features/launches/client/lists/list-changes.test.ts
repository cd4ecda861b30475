import { afterEach, expect, test } from 'vitest'
import { toasts } from '#client/ui/shell/toast-store.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { freshWizard, keywordId, type WizardState } from '../../draft/wizard-state.ts'
import { MAX_IN_AD_GROUP } from '../../launch-schema.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'
import { editList } from './edit-list.ts'
import type { ItemChange, ListItems } from './list-changes.ts'

const market = marketplaceByKey('US')
if (!market) throw new Error('There is no US')
afterEach(() => toasts.set([]))

type Keyword = ListItems['keywords']
const asin = 'B0TESTASIN'
const keyword = (text: string, bid = 1): Keyword => ({ keyword: text, matchType: 'EXACT', bid })
const list = ['yoga mat', 'pilates mat', 'camping mat'].map(text => keyword(text))
const wizardWith = (items: Keyword[]) => ({
  ...freshWizard('GUIDED'),
  products: [{ asin, sku: 'S-1', title: null, imageUrl: null }],
  keywords: { [asin]: items },
})
const after = (items: Keyword[], change: ItemChange<Keyword>): Keyword[] =>
  wizardReducer(wizardWith(items), { list: 'keywords', key: asin, ...change }).keywords[asin] ?? []
const texts = (items: readonly Keyword[]) => items.map(k => k.keyword)

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
  let state: WizardState = wizardWith(list)
  const listOf = () => state.keywords[asin] ?? []
  const dispatch = (action: Parameters<typeof wizardReducer>[1]) => {
    state = wizardReducer(state, action)
  }
  const ids = [list[0], list[2]].flatMap(k => (k ? [keywordId(k)] : []))
  editList({ state, dispatch, market, listKey: asin, asins: [asin] }, 'keywords').remove(ids)
  const offer = toasts.get().at(-1)?.action
  const undo = () => offer?.onSelect()
  const rest = listOf()
  expect(texts(rest)).toEqual(['pilates mat'])
  undo()
  expect(listOf()).toEqual(list)
  state = wizardWith([...rest, keyword('Yoga mat')])
  undo()
  expect(texts(listOf())).toEqual(['pilates mat', 'Yoga mat', 'camping mat'])
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
