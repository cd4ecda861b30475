import { entriesBy } from '../core/store/collections.ts'
import type { Store, EntityState } from '../core/model/store.ts'
import type { AdProduct } from '../market/market.ts'

/** What the console shows of campaigns of every ad product. */
export interface AnyCampaign {
  campaignId: string
  profileId: number
  name: string
  state: EntityState
  budgetMicros: number
  startDate: string
  endDate: string | null
  createdAt: number
}

export interface AdProductView {
  adProduct: AdProduct
  /** In the address of a profile's page. */
  key: string
  name: string
  /** What the console's changes call the campaign. */
  entity: 'campaign' | 'brandCampaign' | 'displayCampaign'
  campaignsOf(store: Store): ReadonlyMap<string, AnyCampaign>
  adGroupsOf(store: Store): ReadonlyMap<string, { name: string }>
}

export const adProductViews: readonly AdProductView[] = [
  {
    adProduct: 'SPONSORED_PRODUCTS',
    key: 'products',
    name: 'Sponsored Products',
    entity: 'campaign',
    campaignsOf: store => store.campaigns,
    adGroupsOf: store => store.adGroups,
  },
  {
    adProduct: 'SPONSORED_BRANDS',
    key: 'brands',
    name: 'Sponsored Brands',
    entity: 'brandCampaign',
    campaignsOf: store => store.brandCampaigns,
    adGroupsOf: store => store.brandAdGroups,
  },
  {
    adProduct: 'SPONSORED_DISPLAY',
    key: 'display',
    name: 'Sponsored Display',
    entity: 'displayCampaign',
    campaignsOf: store => store.displayCampaigns,
    adGroupsOf: store => store.displayAdGroups,
  },
]

/** The campaign with this id and its ad product; null when there is none. */
export function findCampaign(store: Store, id: string): { view: AdProductView; campaign: AnyCampaign } | null {
  for (const view of adProductViews) {
    const campaign = view.campaignsOf(store).get(id)
    if (campaign) return { view, campaign }
  }
  return null
}

/** The campaigns of a profile, newest first; with `search`, only those whose names contain it. */
export function campaignsOf(store: Store, view: AdProductView, profileId: number, search: string): AnyCampaign[] {
  return [...entriesBy(view.campaignsOf(store), 'profileId', profileId).values()]
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .sort((a, b) => b.createdAt - a.createdAt)
}
