import { type Html, html } from '../../core/html.ts'
import type { EntityState, Store } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { AdProduct } from '../../market/market.ts'
import { amountForm, stateForm } from '../forms.ts'
import { amount } from '../layout.ts'
import { cell, pageLinks, pageOf, type Row, table } from '../table.ts'

/** What the sections of a campaign's page need to know about the campaign. */
export interface SectionContext {
  campaignId: string
  currency: string
  /** The requested page of each section, by its key. */
  query: Record<string, string | undefined>
  groupNames: ReadonlyMap<string, string>
}

/** One child of a campaign, as a row shows it. */
interface Child {
  id: string
  /** Its name for screen readers. */
  label: string
  state: EntityState
  cells: readonly string[]
  /** Its own bid. Null: the default applies. Undefined: this kind has none. */
  bidMicros?: number | null | undefined
  data?: Record<string, string>
}

interface Section {
  key: string
  title: string
  testId: string
  /** What the console's changes call an entity of this section. */
  entity: string
  heads: readonly string[]
  children: readonly Child[]
}

interface AnyEntity {
  state: EntityState
  bidMicros?: number | null
}
type AdGroup = AnyEntity & { adGroupId: string; name: string; defaultBidMicros?: number }
type Keyword = AnyEntity & { keywordId: string; keywordText: string; matchType: string }
type Target = AnyEntity & { targetId: string; expression: readonly { type: string; value?: unknown }[] }

function adGroupChild({ adGroupId, name, state, defaultBidMicros }: AdGroup): Child {
  return {
    id: adGroupId,
    label: `ad group ${name}`,
    state,
    cells: [name],
    bidMicros: defaultBidMicros,
    data: { name },
  }
}

function adChild<T extends AnyEntity & { adId: string }>(cellsOf: (ad: T) => string[]) {
  return (ad: T): Child => {
    const cells = cellsOf(ad)
    return { id: ad.adId, label: `ad ${cells.join(' ')}`, state: ad.state, cells }
  }
}

function keywordChild(label: string) {
  return ({ keywordId, keywordText, matchType, state, bidMicros }: Keyword): Child => ({
    id: keywordId,
    label: `${label} ${keywordText}`,
    state,
    cells: [keywordText, matchType],
    bidMicros,
    data: { text: keywordText, match: matchType },
  })
}

function targetChild(label: string) {
  return ({ targetId, expression, state, bidMicros }: Target): Child => {
    const text = expression
      .map(({ type, value }) => {
        if (value === undefined || value === '') return type
        return `${type}=${typeof value === 'string' ? value : JSON.stringify(value)}`
      })
      .join(' ')
    return { id: targetId, label: `${label} ${text}`, state, cells: [text], bidMicros, data: { expression: text } }
  }
}

/** The sections of a campaign of any ad product, in the order of the page. */
export function sectionsOf(adProduct: AdProduct, store: Store, { campaignId, groupNames }: SectionContext): Section[] {
  function section<T extends { adGroupId: string | null }>(
    [key, title, testId, entity]: readonly [key: string, title: string, testId: string, entity: string],
    heads: readonly string[],
    collection: ReadonlyMap<string, T>,
    childOf: (one: T) => Child,
  ): Section {
    const children = [...entriesBy(collection, 'campaignId', campaignId).values()].map(one => {
      const child = childOf(one)
      if (child.cells.length === heads.length) return child
      const group = one.adGroupId === null ? 'campaign' : (groupNames.get(one.adGroupId) ?? one.adGroupId)
      return { ...child, cells: [...child.cells, group] }
    })
    return { key, title, testId, entity, heads, children }
  }
  const [keyword, negative] = [keywordChild('keyword'), keywordChild('negative')]
  const [target, negativeTarget] = [targetChild('target'), targetChild('negative')]
  if (adProduct === 'SPONSORED_BRANDS')
    return [
      section(['groups', 'Ad groups', 'ad-group', 'brandAdGroup'], ['Name'], store.brandAdGroups, adGroupChild),
      section(
        ['ads', 'Ads', 'brand-ad', 'brandAd'],
        ['Name', 'Format', 'Products', 'Ad group'],
        store.brandAds,
        adChild(({ name, format, asins }) => [name, format, asins.join(', ')]),
      ),
      section(
        ['keywords', 'Keywords', 'keyword', 'brandKeyword'],
        ['Keyword', 'Match', 'Ad group'],
        store.brandKeywords,
        keyword,
      ),
      section(['targets', 'Targets', 'target', 'brandTarget'], ['Target', 'Ad group'], store.brandTargets, target),
      section(
        ['negatives', 'Negative keywords', 'negative-keyword', 'brandNegativeKeyword'],
        ['Text', 'Match', 'Ad group'],
        store.brandNegativeKeywords,
        negative,
      ),
      section(
        ['negative-targets', 'Negative targets', 'negative-target', 'brandNegativeTarget'],
        ['Target', 'Ad group'],
        store.brandNegativeTargets,
        negativeTarget,
      ),
    ]
  if (adProduct === 'SPONSORED_DISPLAY')
    return [
      section(['groups', 'Ad groups', 'ad-group', 'displayAdGroup'], ['Name'], store.displayAdGroups, adGroupChild),
      section(
        ['ads', 'Ads', 'display-ad', 'displayAd'],
        ['ASIN', 'SKU', 'Ad group'],
        store.displayAds,
        adChild(({ asin, sku }) => [asin, sku ?? '']),
      ),
      section(['targets', 'Targets', 'target', 'displayTarget'], ['Target', 'Ad group'], store.displayTargets, target),
      section(
        ['negative-targets', 'Negative targets', 'negative-target', 'displayNegativeTarget'],
        ['Target', 'Ad group'],
        store.displayNegativeTargets,
        negativeTarget,
      ),
    ]
  return [
    section(['groups', 'Ad groups', 'ad-group', 'adGroup'], ['Name'], store.adGroups, adGroupChild),
    section(
      ['ads', 'Product ads', 'product-ad', 'productAd'],
      ['ASIN', 'SKU', 'Ad group'],
      store.productAds,
      adChild(({ asin, sku }) => [asin, sku ?? '']),
    ),
    section(['keywords', 'Keywords', 'keyword', 'keyword'], ['Keyword', 'Match', 'Ad group'], store.keywords, keyword),
    section(['targets', 'Targets', 'target', 'target'], ['Target', 'Ad group'], store.targets, target),
    section(
      ['negatives', 'Negative keywords', 'negative-keyword', 'negativeKeyword'],
      ['Text', 'Match', 'Where'],
      store.negativeKeywords,
      negative,
    ),
    section(
      ['negative-targets', 'Negative targets', 'negative-target', 'negativeTarget'],
      ['Target', 'Where'],
      store.negativeTargets,
      negativeTarget,
    ),
  ]
}

/** A section of a campaign's page, a hundred rows at a time. */
export function sectionHtml(section: Section, { campaignId, currency, query }: SectionContext): Html {
  const { key, title, testId, entity, children } = section
  const page = pageOf(children, query[key])
  const base = `/console/campaigns/${campaignId}`
  const addressOf = (number: number): string => `${base}?${key}=${number}#${key}`
  const back = page.number > 1 ? addressOf(page.number) : base
  const hasBid = children.some(one => one.bidMicros !== undefined)
  const heads = [...section.heads, 'State', ...(hasBid ? ['Bid'] : []), 'Change']
  const rows = page.items.map(({ id, label, state, cells, bidMicros, data }): Row => {
    const target = { entity, id, back }
    const bid = bidMicros === null ? 'default' : amount(bidMicros ?? 0, currency)
    return {
      testId,
      ...(data && { data }),
      cells: [
        ...cells.map(value => cell(html`<span dir="auto">${value}</span>`)),
        cell(state, { testId: 'state' }),
        ...(bidMicros === undefined ? [] : [cell(bid, { number: true, testId: 'bid' })]),
        cell(
          state !== 'ARCHIVED' && [
            bidMicros !== undefined && amountForm(target, 'bid', bidMicros, label),
            stateForm(target, state, label),
          ],
        ),
      ],
    }
  })
  return html`<h2 id="${key}">${title}</h2>${page.total > 0 && pageLinks(page, addressOf)}${table(title, heads, rows)}\n`
}
