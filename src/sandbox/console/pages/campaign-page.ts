import { type Html, html } from '../../core/html.ts'
import {
  type EntityOf,
  type AnyEntity,
  collectionOf,
  findEntity,
  type Role,
  roles,
} from '../../core/model/ad-products.ts'
import type { Profile, Store } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { AdProduct } from '../../market/market.ts'
import { adProductViews, figuresOf } from '../figures.ts'
import { amountForm, changeForm, stateForm } from '../layout.ts'
import { amount, figureCells, figureHeads, layout } from '../layout.ts'
import { cell, table, pageLinks, pageOf, type Row } from '../table.ts'
import { entriesBy } from '../../core/store/collections.ts'

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
  query: Record<string, string | undefined>
}

/** Everything in a campaign, a hundred rows of each kind at a time. */
function sectionsHtml(adProduct: AdProduct, context: SectionContext): Html[] {
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

type Detail = readonly [term: string, value: string, testId?: string]

const adjustments = (placements: readonly { placement: string; percentage: number }[]): string =>
  placements.map(({ placement, percentage }) => `, ${placement} ${percentage < 0 ? '' : '+'}${percentage} %`).join('')

function adProductDetails(adProduct: AdProduct, store: Store, campaignId: string): Detail[] {
  const product = adProduct === 'SPONSORED_PRODUCTS' && store.campaigns.get(campaignId)
  if (product)
    return [
      ['Targeting', product.targetingType],
      ['Bidding', product.strategy + adjustments(product.placements), 'campaign-strategy'],
    ]
  const brand = adProduct === 'SPONSORED_BRANDS' && store.brandCampaigns.get(campaignId)
  if (brand) {
    const bidding = brand.bidOptimization ? 'optimised by the marketplace' : `by hand${adjustments(brand.placements)}`
    return [
      ['Goal', `${brand.goal}, ${brand.costType}, ${brand.budgetType} budget`],
      ['Bidding', bidding, 'campaign-strategy'],
    ]
  }
  const display = adProduct === 'SPONSORED_DISPLAY' && store.displayCampaigns.get(campaignId)
  return display ? [['Tactic', `${display.tactic}, ${display.costType}`]] : []
}

/** One campaign of any ad product with everything in it. `query` has the page of each section. */
export function campaignPage(
  world: World,
  { adProduct, entity: campaign }: { adProduct: AdProduct; entity: EntityOf<'campaigns'> },
  profile: Profile,
  query: Record<string, string | undefined>,
): Html {
  const { campaignId, name, state, budgetMicros } = campaign
  const { currency, profileId } = profile
  const { key, entity, ...view } = adProductViews.find(one => one.adProduct === adProduct) ?? adProductViews[0]
  const here = `/console/campaigns/${campaignId}`
  const target = { entity, id: campaignId, back: here }
  const usage = world.market().budgetUsage(campaignId, world.clock.now())
  const details: Detail[] = [
    ['Id', campaignId, 'campaign-id'],
    ['State', state, 'campaign-state'],
    ['Budget', amount(budgetMicros, currency), 'campaign-budget'],
    ['Spent today', `${amount(usage.spentMicros, currency)} (${Math.round(usage.share * 100)} %)`],
    ...adProductDetails(adProduct, world.store, campaignId),
    ['Runs', `${campaign.startDate} to ${campaign.endDate ?? 'no end'}`],
  ]
  const forms = state !== 'ARCHIVED' && [
    amountForm(target, 'budget', budgetMicros, 'the campaign'),
    changeForm(
      target,
      html`<input class="long" type="text" name="value" dir="auto" aria-label="New name" value="${name}"><button name="action" value="rename">Rename</button>`,
    ),
    stateForm(target, state, 'the campaign'),
  ]
  const figureRows = [7, 30].map(days => ({
    cells: [cell(`${days} days`), ...figureCells(figuresOf(world, profile, days, adProduct).get(campaignId), currency)],
  }))
  const profileAddress = `/console/profiles/${profileId}${key === 'products' ? '' : `?product=${key}`}`
  return layout(
    world,
    name,
    here,
    html`<p><a href="${profileAddress}">${view.name} of profile ${profileId}</a></p><dl>${details.map(
      ([term, value, testId]) => html`<dt>${term}</dt><dd${testId && html` data-testid="${testId}"`}>${value}</dd>`,
    )}</dl><div>${forms}</div>
${table('Figures', ['Last', ...figureHeads], figureRows)}
${sectionsHtml(adProduct, { store: world.store, campaignId, currency, query })}`,
  )
}
