import type {
  AdGroup,
  Store,
  Expression,
  Keyword,
  NegativeKeyword,
  NegativeTarget,
  ProductAd,
  Target,
} from '../../core/model/store.ts'
import { type Held, type Holder, inGroup, own, type Section, section } from './sections.ts'

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

const adGroup = ({ adGroupId, name, state, defaultBidMicros }: AdGroup): Held => ({
  entity: 'adGroup',
  id: adGroupId,
  label: `ad group ${name}`,
  state,
  bidMicros: defaultBidMicros,
  data: { name },
  cells: [{ value: name }],
})

const productAd = (holder: Holder, { adId, adGroupId, asin, sku, state }: ProductAd): Held => ({
  entity: 'productAd',
  id: adId,
  label: `ad of ${asin}`,
  state,
  data: { asin },
  cells: [{ value: asin }, { value: sku ?? '' }, inGroup(holder, adGroupId)],
})

/** All that hangs on a Sponsored Products campaign. */
export const productsSections = (store: Store, holder: Holder): Section[] => {
  const groups = own(store.adGroups, holder).map(adGroup)
  const ads = own(store.productAds, holder).map(one => productAd(holder, one))
  const keywords = own(store.keywords, holder).map(one => keyword(holder, one))
  const targets = own(store.targets, holder).map(one => target(holder, one))
  const negatives = own(store.negativeKeywords, holder).map(one => negativeKeyword(holder, one))
  const negativeTargets = own(store.negativeTargets, holder).map(one => negativeTarget(holder, one))
  return [
    section('groups', 'Ad groups', 'ad-group', ['Name'], groups),
    section('ads', 'Product ads', 'product-ad', ['ASIN', 'SKU', 'Ad group'], ads),
    section('keywords', 'Keywords', 'keyword', ['Keyword', 'Match', 'Ad group'], keywords),
    section('targets', 'Targets', 'target', ['Target', 'Ad group'], targets),
    section('negatives', 'Negative keywords', 'negative-keyword', ['Text', 'Match', 'Where'], negatives),
    section('negative-targets', 'Negative targets', 'negative-target', ['Target', 'Where'], negativeTargets),
  ]
}
