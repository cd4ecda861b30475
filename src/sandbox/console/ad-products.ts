import { entriesBy } from '../core/store/collections.ts'
import type { Store, EntityState } from '../core/model/store.ts'
import type { AdProduct } from '../market/market.ts'

/** A campaign of any ad product, as far as the console shows all alike. */
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
  /** As the address of a profile's page has it. */
  key: string
  name: string
  /** What the console's changes call the campaign. */
  entity: 'campaign' | 'brandCampaign' | 'displayCampaign'
  shelf(store: Store): ReadonlyMap<string, AnyCampaign>
}

export const adProductViews: readonly AdProductView[] = [
  {
    adProduct: 'SPONSORED_PRODUCTS',
    key: 'products',
    name: 'Sponsored Products',
    entity: 'campaign',
    shelf: store => store.campaigns,
  },
  {
    adProduct: 'SPONSORED_BRANDS',
    key: 'brands',
    name: 'Sponsored Brands',
    entity: 'brandCampaign',
    shelf: store => store.brandCampaigns,
  },
  {
    adProduct: 'SPONSORED_DISPLAY',
    key: 'display',
    name: 'Sponsored Display',
    entity: 'displayCampaign',
    shelf: store => store.displayCampaigns,
  },
]

/** The ad product that a campaign's id belongs to; null when no campaign has it. */
export const campaignOf = (store: Store, id: string): { view: AdProductView; campaign: AnyCampaign } | null => {
  for (const view of adProductViews) {
    const campaign = view.shelf(store).get(id)
    if (campaign) return { view, campaign }
  }
  return null
}

/** The campaigns of a profile, newest first; with a text only those whose names hold it. */
export const campaignsOf = (store: Store, view: AdProductView, profileId: number, wanted: string): AnyCampaign[] => {
  const own = [...entriesBy(view.shelf(store), 'profileId', profileId).values()]
  const found = wanted ? own.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase())) : own
  return found.sort((a, b) => b.createdAt - a.createdAt)
}
