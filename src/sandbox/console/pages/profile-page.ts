import { type Html, html } from '../../core/html.ts'
import type { Profile } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdProductView, adProductViews, type AnyCampaign, campaignsOf } from '../ad-products.ts'
import { type Figures, figuresOf } from '../figures.ts'
import { stateForm } from '../forms.ts'
import { amount, figureCells, figureHeads, layout, navigation } from '../layout.ts'
import { cell, pageLinks, pageOf, type Row, table } from '../table.ts'

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

function addressOf(profileId: number, { view, search, days, page }: Choice): string {
  const query = new URLSearchParams({
    ...(view.key !== 'products' && { product: view.key }),
    ...(search && { search }),
    ...(days === 30 && { days: '30' }),
    ...(page > 1 && { page: String(page) }),
  })
  return `/console/profiles/${profileId}${query.size > 0 ? `?${query.toString()}` : ''}`
}

function rowOf(
  campaign: AnyCampaign,
  view: AdProductView,
  { currency }: Profile,
  figures: Map<string, Figures>,
  back: string,
): Row {
  return {
    testId: 'campaign',
    data: { 'campaign-id': campaign.campaignId, name: campaign.name },
    cells: [
      cell(html`<a dir="auto" href="/console/campaigns/${campaign.campaignId}">${campaign.name}</a>`),
      cell(campaign.state, { testId: 'state' }),
      cell(amount(campaign.budgetMicros, currency), { number: true, testId: 'budget' }),
      ...figureCells(figures.get(campaign.campaignId), currency),
      cell(stateForm({ entity: view.entity, id: campaign.campaignId, back }, campaign.state, campaign.name)),
    ],
  }
}

const searchForm = (profileId: number, { view, search, days }: Choice): Html =>
  html`<form method="get" action="/console/profiles/${profileId}" role="search"><input type="hidden" name="product" value="${view.key}"><input type="hidden" name="days" value="${days}">
<label for="search">Name contains</label><input class="long" type="search" id="search" name="search" value="${search}"><button>Search</button></form>`

/** The campaigns of one ad product of a profile, newest first, a hundred a page. */
export function profilePage(world: World, profile: Profile, query: ProfileQuery): Html {
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
  const adProductTabs = adProductViews.map(one => [to({ view: one }), one.name, one === view] as const)
  const dayTabs = [7, 30].map(days => [to({ days }), `Last ${days} days`, days === choice.days] as const)
  return layout(
    { title: `${seller?.name ?? profile.sellerId}, ${profile.countryCode}`, now: world.clock.now(), here },
    html`<p>Profile ${profileId}, ${profile.currency}, ${profile.timezone}.</p>
${navigation('Ad products', adProductTabs)}${navigation('Days', dayTabs)}${searchForm(profileId, choice)}
${links}${table(`Campaigns, ${view.name}`, ['Campaign', 'State', 'Budget', ...figureHeads, 'Change'], rows)}${page.last > 1 && links}`,
  )
}
