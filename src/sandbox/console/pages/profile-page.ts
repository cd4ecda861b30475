import { type Html, html } from '../../core/html.ts'
import { collectionsOf } from '../../core/model/ad-products.ts'
import type { Profile } from '../../core/model/store.ts'
import { entriesBy } from '../../core/store/collections.ts'
import type { World } from '../../core/world.ts'
import { type AdProductView, adProductViews } from '../figures.ts'
import { figuresOf } from '../figures.ts'
import { stateForm } from '../layout.ts'
import { amount, figureCells, figureHeads, layout, navigation } from '../layout.ts'
import { cell, pageLinks, pageOf, table } from '../table.ts'

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

const searchForm = (profileId: number, { view, search, days }: Choice): Html =>
  html`<form method="get" action="/console/profiles/${profileId}" role="search"><input type="hidden" name="product" value="${view.key}"><input type="hidden" name="days" value="${days}">
<label for="search">Name contains</label><input class="long" type="search" id="search" name="search" value="${search}"><button>Search</button></form>`

/** The campaigns of one ad product of a profile, newest first, a hundred a page. */
export function profilePage(world: World, profile: Profile, query: Record<string, string | undefined>): Html {
  const { profileId } = profile
  const view = adProductViews.find(one => one.key === query.product) ?? adProductViews[0]
  const search = query.search?.trim() ?? ''
  const campaigns = collectionsOf(world.store, 'campaigns')
    .filter(([adProduct]) => adProduct === view.adProduct)
    .flatMap(([, collection]) => [...entriesBy(collection, 'profileId', profileId).values()])
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => b.createdAt - a.createdAt)
  const page = pageOf(campaigns, query.page)
  const choice: Choice = { view, search, days: query.days === '30' ? 30 : 7, page: page.number }
  const to = (change: Partial<Choice>): string => addressOf(profileId, { ...choice, page: 1, ...change })
  const here = addressOf(profileId, choice)
  const figures = figuresOf(world, profile, choice.days, view.adProduct)
  const seller = world.store.sellers.get(profile.sellerId)
  const links = pageLinks(page, number => to({ page: number }))
  const rows = page.items.map(({ campaignId, name, state, budgetMicros }) => ({
    testId: 'campaign',
    data: { 'campaign-id': campaignId, name },
    cells: [
      cell(html`<a dir="auto" href="/console/campaigns/${campaignId}">${name}</a>`),
      cell(state, { testId: 'state' }),
      cell(amount(budgetMicros, profile.currency), { number: true, testId: 'budget' }),
      ...figureCells(figures.get(campaignId), profile.currency),
      cell(stateForm({ entity: view.entity, id: campaignId, back: here }, state, name)),
    ],
  }))
  const adProductTabs = adProductViews.map(one => [to({ view: one }), one.name, one === view] as const)
  const dayTabs = [7, 30].map(days => [to({ days }), `Last ${days} days`, days === choice.days] as const)
  return layout(
    world,
    `${seller?.name ?? profile.sellerId}, ${profile.countryCode}`,
    here,
    html`<p>Profile ${profileId}, ${profile.currency}, ${profile.timezone}.</p>
${navigation('Ad products', adProductTabs)}${navigation('Days', dayTabs)}${searchForm(profileId, choice)}
${links}${table(`Campaigns, ${view.name}`, ['Campaign', 'State', 'Budget', ...figureHeads, 'Change'], rows)}${page.last > 1 && links}`,
  )
}
