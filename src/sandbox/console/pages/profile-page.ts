import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { escapeHtml } from '../../core/html-page.ts'
import { type AdProductView, adProductViews, type AnyCampaign, campaignsOf } from '../ad-products.ts'
import { type Figures, figuresOf } from '../figures.ts'
import { stateForm } from '../forms.ts'
import { amount, figureCells, figureHeads, layout } from '../layout.ts'
import { pageLinks, pageOf } from '../paging.ts'
import { type Row, table, text } from '../table.ts'

export interface ProfileQuery {
  product?: string | undefined
  search?: string | undefined
  /** 30, else the last 7 days. */
  days?: string | undefined
  page?: string | undefined
}

interface Choice {
  view: AdProductView
  search: string
  days: number
  page: number
}

const addressOf = (profileId: number, { view, search, days, page }: Choice): string => {
  const query = new URLSearchParams({
    ...(view.key !== 'products' && { product: view.key }),
    ...(search && { search }),
    ...(days === 30 && { days: '30' }),
    ...(page > 1 && { page: String(page) }),
  })
  return `/console/profiles/${profileId}${query.size > 0 ? `?${query.toString()}` : ''}`
}

const tabs = (label: string, links: readonly (readonly [address: string, name: string, isHere: boolean])[]): string =>
  `<nav aria-label="${label}">${links
    .map(
      ([address, name, isHere]) =>
        `<a href="${escapeHtml(address)}"${isHere ? ' aria-current="page"' : ''}>${name}</a>`,
    )
    .join('')}</nav>`

const rowOf = (
  campaign: AnyCampaign,
  view: AdProductView,
  { currency }: Profile,
  figures: Map<string, Figures>,
  back: string,
): Row => ({
  testId: 'campaign',
  data: { 'campaign-id': campaign.campaignId, name: campaign.name },
  cells: [
    { html: `<a dir="auto" href="/console/campaigns/${campaign.campaignId}">${escapeHtml(campaign.name)}</a>` },
    text(campaign.state, { testId: 'state' }),
    text(amount(campaign.budgetMicros, currency), { number: true, testId: 'budget' }),
    ...figureCells(figures.get(campaign.campaignId), currency),
    { html: stateForm({ entity: view.entity, id: campaign.campaignId, back }, campaign.state, campaign.name) },
  ],
})

const searchForm = (profileId: number, { view, search, days }: Choice): string =>
  `<form method="get" action="/console/profiles/${profileId}" role="search"><input type="hidden" name="product" value="${view.key}"><input type="hidden" name="days" value="${days}">
<label for="search">Name holds</label><input class="long" type="search" id="search" name="search" value="${escapeHtml(search)}"><button>Search</button></form>`

/** The campaigns of one ad product of a profile, newest first, a hundred a page. */
export const profilePage = (world: World, profile: Profile, query: ProfileQuery): string => {
  const { profileId } = profile
  const view = adProductViews.find(one => one.key === query.product) ?? (adProductViews[0] as AdProductView)
  const search = query.search?.trim() ?? ''
  const page = pageOf(campaignsOf(world.store, view, profileId, search), query.page)
  const choice: Choice = { view, search, days: query.days === '30' ? 30 : 7, page: page.number }
  const to = (change: Partial<Choice>): string => addressOf(profileId, { ...choice, page: 1, ...change })
  const here = addressOf(profileId, choice)
  const figures = figuresOf(world, profile, choice.days, view.adProduct)
  const seller = world.store.sellers.get(profile.sellerId)
  const links = pageLinks(page, number => to({ page: number }))
  const rows = page.items.map(campaign => rowOf(campaign, view, profile, figures, here))
  return layout(
    { title: `${seller?.name ?? profile.sellerId}, ${profile.countryCode}`, now: world.clock.now(), here },
    `<p>Profile ${profileId}, ${profile.currency}, ${escapeHtml(profile.timezone)}.</p>
${tabs(
  'Ad products',
  adProductViews.map(one => [to({ view: one }), one.name, one === view]),
)}${tabs(
  'Days',
  [7, 30].map(days => [to({ days }), `Last ${days} days`, days === choice.days]),
)}${searchForm(profileId, choice)}
${links}${table(`Campaigns, ${view.name}`, ['Campaign', 'State', 'Budget', ...figureHeads, 'Change'], rows)}${page.last > 1 ? links : ''}`,
  )
}
