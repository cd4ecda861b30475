import { collectionsOf, type EntityOf, findEntity } from '../core/model/ad-products.ts'
import type { Store } from '../core/model/store.ts'
import { entriesBy } from '../core/store/collections.ts'

export type AnyCampaign = EntityOf<'campaigns'>

/** Ad products by what the address of a profile's page calls them. `entity` is what the console's changes call a campaign. */
export const adProductViews = [
  { adProduct: 'SPONSORED_PRODUCTS', key: 'products', name: 'Sponsored Products', entity: 'campaign' },
  { adProduct: 'SPONSORED_BRANDS', key: 'brands', name: 'Sponsored Brands', entity: 'brandCampaign' },
  { adProduct: 'SPONSORED_DISPLAY', key: 'display', name: 'Sponsored Display', entity: 'displayCampaign' },
] as const
export type AdProductView = (typeof adProductViews)[number]

/** The campaign with this id and its ad product; null when there is none. */
export function findCampaign(store: Store, id: string): { view: AdProductView; campaign: AnyCampaign } | null {
  const found = findEntity(store, 'campaigns', id)
  const view = adProductViews.find(one => one.adProduct === found?.adProduct)
  return found && view ? { view, campaign: found.entity } : null
}

/** The campaigns of a profile, newest first; with `search`, only those whose names contain it. */
export function campaignsOf(store: Store, view: AdProductView, profileId: number, search: string): AnyCampaign[] {
  return collectionsOf(store, 'campaigns')
    .filter(([adProduct]) => adProduct === view.adProduct)
    .flatMap(([, campaigns]) => [...entriesBy(campaigns, 'profileId', profileId).values()])
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => b.createdAt - a.createdAt)
}
