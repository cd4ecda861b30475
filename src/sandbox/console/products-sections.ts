import { partOf } from '../core/memory/parts.ts'
import type { Books, Expression, Keyword, NegativeKeyword, NegativeTarget, Target } from '../core/model.ts'
import { type Held, type Holder, inGroup, type Section } from './sections.ts'

const textOf = (expression: readonly Expression[]): string =>
  expression.map(({ type, value }) => (value ? `${type}=${value}` : type)).join(' ')

const keyword = (holder: Holder, one: Keyword): Held => ({
  entity: 'keyword',
  id: one.keywordId,
  label: `keyword ${one.keywordText}`,
  state: one.state,
  bidMicros: one.bidMicros,
  data: { text: one.keywordText, match: one.matchType },
  cells: [
    { value: one.keywordText, testId: 'text' },
    { value: one.matchType, testId: 'match' },
    inGroup(holder, one.adGroupId),
  ],
})

const target = (holder: Holder, one: Target): Held => ({
  entity: 'target',
  id: one.targetId,
  label: `target ${textOf(one.expression)}`,
  state: one.state,
  bidMicros: one.bidMicros,
  data: { expression: textOf(one.expression) },
  cells: [{ value: textOf(one.expression), testId: 'text' }, inGroup(holder, one.adGroupId)],
})

const negativeKeyword = (holder: Holder, one: NegativeKeyword): Held => ({
  entity: 'negativeKeyword',
  id: one.keywordId,
  label: `negative ${one.keywordText}`,
  state: one.state,
  data: { text: one.keywordText, match: one.matchType },
  cells: [{ value: one.keywordText }, { value: one.matchType }, inGroup(holder, one.adGroupId)],
})

const negativeTarget = (holder: Holder, one: NegativeTarget): Held => ({
  entity: 'negativeTarget',
  id: one.targetId,
  label: `negative ${textOf(one.expression)}`,
  state: one.state,
  cells: [{ value: textOf(one.expression) }, inGroup(holder, one.adGroupId)],
})

/** All that hangs on a Sponsored Products campaign. */
export const productsSections = (books: Books, holder: Holder): Section[] => {
  const of = <T>(shelf: ReadonlyMap<string, T>): T[] => [...partOf(shelf, 'campaignId', holder.campaignId).values()]
  return [
    {
      key: 'groups',
      title: 'Ad groups',
      testId: 'ad-group',
      heads: ['Name'],
      held: of(books.adGroups).map(({ adGroupId, name, state, defaultBidMicros }) => {
        const shown = { label: `ad group ${name}`, data: { name }, cells: [{ value: name }] }
        return { entity: 'adGroup', id: adGroupId, state, bidMicros: defaultBidMicros, ...shown }
      }),
    },
    {
      key: 'ads',
      title: 'Product ads',
      testId: 'product-ad',
      heads: ['ASIN', 'SKU', 'Ad group'],
      held: of(books.productAds).map(({ adId, adGroupId, asin, sku, state }) => {
        const cells = [{ value: asin }, { value: sku ?? '' }, inGroup(holder, adGroupId)]
        return { entity: 'productAd', id: adId, state, label: `ad of ${asin}`, data: { asin }, cells }
      }),
    },
    {
      key: 'keywords',
      title: 'Keywords',
      testId: 'keyword',
      heads: ['Keyword', 'Match', 'Ad group'],
      held: of(books.keywords).map(one => keyword(holder, one)),
    },
    {
      key: 'targets',
      title: 'Targets',
      testId: 'target',
      heads: ['Target', 'Ad group'],
      held: of(books.targets).map(one => target(holder, one)),
    },
    {
      key: 'negatives',
      title: 'Negative keywords',
      testId: 'negative-keyword',
      heads: ['Text', 'Match', 'Where'],
      held: of(books.negativeKeywords).map(one => negativeKeyword(holder, one)),
    },
    {
      key: 'negative-targets',
      title: 'Negative targets',
      testId: 'negative-target',
      heads: ['Target', 'Where'],
      held: of(books.negativeTargets).map(one => negativeTarget(holder, one)),
    },
  ]
}
