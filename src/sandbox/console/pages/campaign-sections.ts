import { type Html, html } from '../../core/html.ts'
import type { EntityState, Store } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { AdProduct } from '../../market/market.ts'
import type { Entity } from '../console-change.ts'
import { amountForm, stateForm } from '../forms.ts'
import { amount } from '../layout.ts'
import { cell, pageLinks, pageOf, type Row, table } from '../table.ts'

/** What is in a campaign, whatever its ad product and kind. */
interface Part {
  state: EntityState
  /** Null: it belongs to the whole campaign. */
  adGroupId: string | null
  name?: string
  /** Its own bid. Null: the default applies. Undefined: this kind has none. */
  bidMicros?: number | null
  defaultBidMicros?: number
  adId?: string
  asin?: string
  sku?: string | null
  asins?: string[]
  format?: string
  keywordId?: string
  keywordText?: string
  matchType?: string
  targetId?: string
  expression?: readonly { type: string; value?: unknown }[]
}

/** How a row shows a part. */
interface Shown {
  id: string | null | undefined
  /** What its name for screen readers begins with. */
  kind: string
  cells: readonly string[]
  data?: Record<string, string>
}

interface Section {
  key: string
  title: string
  testId: string
  /** The last head is for the ad group, where the cells do not fill it. */
  heads: readonly string[]
  show: (part: Part) => Shown
}

const showKeyword =
  (kind: string) =>
  ({ keywordId, keywordText: text = '', matchType: match = '' }: Part) => ({
    id: keywordId,
    kind: `${kind} ${text}`,
    cells: [text, match],
    data: { text, match },
  })

function showTarget(kind: string) {
  return ({ targetId, expression = [] }: Part): Shown => {
    const parts = expression.map(({ type, value }) => {
      if (value === undefined || value === '') return type
      return `${type}=${typeof value === 'string' ? value : JSON.stringify(value)}`
    })
    const text = parts.join(' ')
    return { id: targetId, kind: `${kind} ${text}`, cells: [text], data: { expression: text } }
  }
}

function showAd(cellsOf: (ad: Part) => string[]) {
  return (ad: Part): Shown => ({ id: ad.adId, kind: `ad ${cellsOf(ad).join(' ')}`, cells: cellsOf(ad) })
}

const section = (
  key: string,
  title: string,
  testId: string,
  heads: readonly string[],
  show: Section['show'],
): Section => ({ key, title, testId, heads, show })
const groups = section('groups', 'Ad groups', 'ad-group', ['Name'], ({ adGroupId: id, name = '' }) => ({
  id,
  kind: `ad group ${name}`,
  cells: [name],
  data: { name },
}))
const showProductAd = showAd(({ asin = '', sku }) => [asin, sku ?? ''])
const showBrandAd = showAd(({ name = '', format = '', asins = [] }) => [name, format, asins.join(', ')])
const productAds = section('ads', 'Product ads', 'product-ad', ['ASIN', 'SKU', 'Ad group'], showProductAd)
const brandAds = section('ads', 'Ads', 'brand-ad', ['Name', 'Format', 'Products', 'Ad group'], showBrandAd)
const keywords = section('keywords', 'Keywords', 'keyword', ['Keyword', 'Match', 'Ad group'], showKeyword('keyword'))
const targets = section('targets', 'Targets', 'target', ['Target', 'Ad group'], showTarget('target'))
const negativeKeywords = (group: string): Section =>
  section('negatives', 'Negative keywords', 'negative-keyword', ['Text', 'Match', group], showKeyword('negative'))
const negativeTargets = (group: string): Section =>
  section('negative-targets', 'Negative targets', 'negative-target', ['Target', group], showTarget('negative'))

/** The sections of a campaign's page in their order, each with what the console's changes call its parts. */
const sections: Record<AdProduct, Partial<Record<Entity, Section>>> = {
  SPONSORED_PRODUCTS: {
    adGroup: groups,
    productAd: productAds,
    keyword: keywords,
    target: targets,
    negativeKeyword: negativeKeywords('Where'),
    negativeTarget: negativeTargets('Where'),
  },
  SPONSORED_BRANDS: {
    brandAdGroup: groups,
    brandAd: brandAds,
    brandKeyword: keywords,
    brandTarget: targets,
    brandNegativeKeyword: negativeKeywords('Ad group'),
    brandNegativeTarget: negativeTargets('Ad group'),
  },
  SPONSORED_DISPLAY: {
    displayAdGroup: groups,
    displayAd: { ...productAds, title: 'Ads', testId: 'display-ad' },
    displayTarget: targets,
    displayNegativeTarget: negativeTargets('Ad group'),
  },
}

interface SectionContext {
  store: Store
  campaignId: string
  currency: string
  /** The requested page of each section, by its key. */
  query: Record<string, string | undefined>
  groupNames: ReadonlyMap<string, string>
}

/** Everything in a campaign, a hundred rows of each kind at a time. */
export function sectionsHtml(adProduct: AdProduct, context: SectionContext): Html[] {
  return Object.entries(sections[adProduct]).map(([entity, section]) => {
    // The table above names nothing but parts of campaigns.
    const parts = context.store[`${entity as Entity}s`] as ReadonlyMap<string, Part>
    return sectionHtml(entity, section, [...entriesBy(parts, 'campaignId', context.campaignId).values()], context)
  })
}

function sectionHtml(entity: string, section: Section, parts: readonly Part[], context: SectionContext): Html {
  const { key, title, testId } = section
  const { campaignId, currency, query, groupNames } = context
  const page = pageOf(parts, query[key])
  const base = `/console/campaigns/${campaignId}`
  const addressOf = (number: number): string => `${base}?${key}=${number}#${key}`
  const back = page.number > 1 ? addressOf(page.number) : base
  const bidOf = ({ bidMicros, defaultBidMicros }: Part) => (bidMicros === undefined ? defaultBidMicros : bidMicros)
  const hasBid = parts.some(one => bidOf(one) !== undefined)
  const heads = [...section.heads, 'State', ...(hasBid ? ['Bid'] : []), 'Change']
  const rows = page.items.map((part): Row => {
    const { id, kind: label, cells, data = {} } = section.show(part)
    const target = { entity, id: id ?? '', back }
    const { state, adGroupId } = part
    const group = adGroupId === null ? 'campaign' : (groupNames.get(adGroupId) ?? adGroupId)
    const texts = cells.length === section.heads.length ? cells : [...cells, group]
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
