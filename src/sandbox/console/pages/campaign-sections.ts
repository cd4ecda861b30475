import { type Html, html } from '../../core/html.ts'
import { type AnyEntity, collectionOf, findEntity, type Role, roles } from '../../core/model/ad-products.ts'
import type { Store } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { AdProduct } from '../../market/market.ts'
import { amountForm, stateForm } from '../forms.ts'
import { amount } from '../layout.ts'
import { cell, pageLinks, pageOf, type Row, table } from '../table.ts'

interface Shown {
  id: string | null | undefined
  /** Its name for screen readers. */
  label: string
  cells: readonly string[]
  data?: Record<string, string>
}

interface Section {
  key: string
  title: string
  testId: string
  /** The last head is for the ad group, where the cells do not fill it. */
  heads: readonly string[]
  show: (part: AnyEntity) => Shown
}
const section = (key: string, title: string, testId: string, heads: string[], show: Section['show']): Section => ({
  key,
  title,
  testId,
  heads,
  show,
})

function showGroup({ adGroupId: id, name = '' }: AnyEntity): Shown {
  return { id, label: `ad group ${name}`, cells: [name], data: { name } }
}

function showAd(cellsOf: (ad: AnyEntity) => string[]) {
  return (ad: AnyEntity): Shown => ({ id: ad.adId, label: `ad ${cellsOf(ad).join(' ')}`, cells: cellsOf(ad) })
}

function showKeyword(kind: string) {
  return ({ keywordId: id, keywordText: text = '', matchType }: AnyEntity): Shown => {
    const match = matchType ?? ''
    return { id, label: `${kind} ${text}`, cells: [text, match], data: { text, match } }
  }
}

function showTarget(kind: string) {
  return ({ targetId: id, expression = [] }: AnyEntity): Shown => {
    const parts = expression.map(({ type, value = '' }) => {
      if (value === '') return type
      return `${type}=${typeof value === 'string' ? value : JSON.stringify(value)}`
    })
    const text = parts.join(' ')
    return { id, label: `${kind} ${text}`, cells: [text], data: { expression: text } }
  }
}

const showProductAd = showAd(({ asin = '', sku }) => [asin, sku ?? ''])
const adSections: Record<AdProduct, Section> = {
  SPONSORED_PRODUCTS: section('ads', 'Product ads', 'product-ad', ['ASIN', 'SKU', 'Ad group'], showProductAd),
  SPONSORED_BRANDS: section(
    'ads',
    'Ads',
    'brand-ad',
    ['Name', 'Format', 'Products', 'Ad group'],
    showAd(({ name = '', format = '', asins = [] }) => [name, format, asins.join(', ')]),
  ),
  SPONSORED_DISPLAY: section('ads', 'Ads', 'display-ad', ['ASIN', 'SKU', 'Ad group'], showProductAd),
}

/** The sections of the page of an ad product's campaigns, by the role of what they list. */
function sectionsOf(adProduct: AdProduct): Record<Exclude<Role, 'campaigns'>, Section> {
  const where = adProduct === 'SPONSORED_PRODUCTS' ? 'Where' : 'Ad group'
  const [keyword, negative] = [showKeyword('keyword'), showKeyword('negative')]
  const [target, negativeTarget] = [showTarget('target'), showTarget('negative')]
  return {
    adGroups: section('groups', 'Ad groups', 'ad-group', ['Name'], showGroup),
    ads: adSections[adProduct],
    keywords: section('keywords', 'Keywords', 'keyword', ['Keyword', 'Match', 'Ad group'], keyword),
    targets: section('targets', 'Targets', 'target', ['Target', 'Ad group'], target),
    negativeKeywords: section('negatives', 'Negative keywords', 'negative-keyword', ['Text', 'Match', where], negative),
    negativeTargets: section(
      'negative-targets',
      'Negative targets',
      'negative-target',
      ['Target', where],
      negativeTarget,
    ),
  }
}

interface SectionContext {
  store: Store
  campaignId: string
  currency: string
  /** The requested page of each section, by its key. */
  query: Record<string, string | undefined>
}

/** Everything in a campaign, a hundred rows of each kind at a time. */
export function sectionsHtml(adProduct: AdProduct, context: SectionContext): Html[] {
  const { store, campaignId } = context
  const sections = sectionsOf(adProduct)
  return roles.flatMap(role => {
    const name = collectionOf(adProduct, role)
    if (role === 'campaigns' || !name) return []
    const parts = [...entriesBy<string, AnyEntity>(store[name], 'campaignId', campaignId).values()]
    // The console's changes name an entity like its collection, without the s.
    return sectionHtml(name.slice(0, -1), sections[role], parts, context)
  })
}

function sectionHtml(
  entity: string,
  { key, title, testId, heads: ownHeads, show }: Section,
  parts: readonly AnyEntity[],
  { store, campaignId, currency, query }: SectionContext,
): Html {
  const page = pageOf(parts, query[key])
  const base = `/console/campaigns/${campaignId}`
  const addressOf = (number: number): string => `${base}?${key}=${number}#${key}`
  const back = page.number > 1 ? addressOf(page.number) : base
  const bidOf = ({ bidMicros, defaultBidMicros }: AnyEntity) => (bidMicros === undefined ? defaultBidMicros : bidMicros)
  const hasBid = parts.some(one => bidOf(one) !== undefined)
  const heads = [...ownHeads, 'State', ...(hasBid ? ['Bid'] : []), 'Change']
  const rows = page.items.map((part): Row => {
    const { id, label, cells, data = {} } = show(part)
    const target = { entity, id: id ?? '', back }
    const { state, adGroupId } = part
    const group = adGroupId ? (findEntity(store, 'adGroups', adGroupId)?.entity.name ?? adGroupId) : 'campaign'
    const texts = cells.length === ownHeads.length ? cells : [...cells, group]
    const micros = bidOf(part)
    const bid = micros === null ? 'default' : amount(micros ?? 0, currency)
    return {
      testId,
      data,
      cells: [
        ...texts.map(value => cell(html`<span dir="auto">${value}</span>`)),
        cell(state, { testId: 'state' }),
        ...(micros === undefined ? [] : [cell(bid, { number: true, testId: 'bid' })]),
        cell(
          state !== 'ARCHIVED' && [
            micros !== undefined && amountForm(target, 'bid', micros, label),
            stateForm(target, state, label),
          ],
        ),
      ],
    }
  })
  return html`<h2 id="${key}">${title}</h2>${page.total > 0 && pageLinks(page, addressOf)}${table(title, heads, rows)}\n`
}
