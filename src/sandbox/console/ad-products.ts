import { entriesBy } from '../core/store/collections.ts'
import type { BrandCampaign } from '../core/model/brands.ts'
import type { DisplayCampaign } from '../core/model/display.ts'
import type { Campaign, Store } from '../core/model/store.ts'

export type AnyCampaign = Campaign | BrandCampaign | DisplayCampaign

/** Ad products by what the address of a profile's page calls them. `entity` is what the console's changes call a campaign. */
export const adProductViews = [
  { adProduct: 'SPONSORED_PRODUCTS', key: 'products', name: 'Sponsored Products', entity: 'campaign' },
  { adProduct: 'SPONSORED_BRANDS', key: 'brands', name: 'Sponsored Brands', entity: 'brandCampaign' },
  { adProduct: 'SPONSORED_DISPLAY', key: 'display', name: 'Sponsored Display', entity: 'displayCampaign' },
] as const
export type AdProductView = (typeof adProductViews)[number]

/** The campaign with this id and its ad product; null when there is none. */
export function findCampaign(store: Store, id: string): { view: AdProductView; campaign: AnyCampaign } | null {
  for (const view of adProductViews) {
    const campaign = store[`${view.entity}s`].get(id)
    if (campaign) return { view, campaign }
  }
  return null
}

/** The campaigns of a profile, newest first; with `search`, only those whose names contain it. */
export function campaignsOf(store: Store, view: AdProductView, profileId: number, search: string): AnyCampaign[] {
  return [...entriesBy<string, AnyCampaign>(store[`${view.entity}s`], 'profileId', profileId).values()]
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => b.createdAt - a.createdAt)
}
