import type { Store, EntityState } from '../../core/model/store.ts'
import { type Held, type Holder, inGroup, own, type Section, section } from './sections.ts'

const textOf = (expression: readonly { type: string; value?: unknown }[]): string =>
  expression
    .map(({ type, value }) =>
      value === undefined ? type : `${type}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(' ')

interface Worded {
  adGroupId: string
  state: EntityState
  bidMicros?: number | null
}

const row = (holder: Holder, entity: string, id: string, words: readonly string[], one: Worded): Held => ({
  entity,
  id,
  label: words.join(' '),
  state: one.state,
  ...(one.bidMicros !== undefined && { bidMicros: one.bidMicros }),
  cells: [...words.map(value => ({ value })), inGroup(holder, one.adGroupId)],
})

const group = (entity: string, id: string, name: string, state: string, bidMicros?: number): Held => ({
  entity,
  id,
  label: `ad group ${name}`,
  state,
  data: { name },
  cells: [{ value: name }],
  ...(bidMicros !== undefined && { bidMicros }),
})

/** All that hangs on a Sponsored Brands campaign. */
export const brandsSections = (store: Store, holder: Holder): Section[] => {
  const groups = own(store.brandAdGroups, holder).map(one => group('brandAdGroup', one.adGroupId, one.name, one.state))
  const ads = own(store.brandAds, holder).map(one =>
    row(holder, 'brandAd', one.adId, [one.name, one.format, one.asins.join(', ')], one),
  )
  const keywords = own(store.brandKeywords, holder).map(one =>
    row(holder, 'brandKeyword', one.keywordId, [one.keywordText, one.matchType], one),
  )
  const targets = own(store.brandTargets, holder).map(one =>
    row(holder, 'brandTarget', one.targetId, [textOf(one.expression)], one),
  )
  const negatives = own(store.brandNegativeKeywords, holder).map(one =>
    row(holder, 'brandNegativeKeyword', one.keywordId, [one.keywordText, one.matchType], one),
  )
  const negativeTargets = own(store.brandNegativeTargets, holder).map(one =>
    row(holder, 'brandNegativeTarget', one.targetId, [textOf(one.expression)], one),
  )
  return [
    section('groups', 'Ad groups', 'ad-group', ['Name'], groups),
    section('ads', 'Ads', 'brand-ad', ['Name', 'Format', 'Products', 'Ad group'], ads),
    section('keywords', 'Keywords', 'keyword', ['Keyword', 'Match', 'Ad group'], keywords),
    section('targets', 'Targets', 'target', ['Target', 'Ad group'], targets),
    section('negatives', 'Negative keywords', 'negative-keyword', ['Text', 'Match', 'Ad group'], negatives),
    section('negative-targets', 'Negative targets', 'negative-target', ['Target', 'Ad group'], negativeTargets),
  ]
}

/** All that hangs on a Sponsored Display campaign. */
export const displaySections = (store: Store, holder: Holder): Section[] => {
  const groups = own(store.displayAdGroups, holder).map(one =>
    group('displayAdGroup', one.adGroupId, one.name, one.state, one.defaultBidMicros),
  )
  const ads = own(store.displayAds, holder).map(one =>
    row(holder, 'displayAd', one.adId, [one.asin, one.sku ?? ''], one),
  )
  const targets = own(store.displayTargets, holder).map(one =>
    row(holder, 'displayTarget', one.targetId, [textOf(one.expression)], one),
  )
  const negatives = own(store.displayNegativeTargets, holder).map(one =>
    row(holder, 'displayNegativeTarget', one.targetId, [textOf(one.expression)], one),
  )
  return [
    section('groups', 'Ad groups', 'ad-group', ['Name'], groups),
    section('ads', 'Ads', 'display-ad', ['ASIN', 'SKU', 'Ad group'], ads),
    section('targets', 'Targets', 'target', ['Target', 'Ad group'], targets),
    section('negative-targets', 'Negative targets', 'negative-target', ['Target', 'Ad group'], negatives),
  ]
}
