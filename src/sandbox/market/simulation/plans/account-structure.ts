import type {
  AdGroup,
  Store,
  Campaign,
  Keyword,
  NegativeKeyword,
  NegativeTarget,
  ProductAd,
  Target,
} from '../../../core/model/store.ts'
import type {
  BrandAd,
  BrandAdGroup,
  BrandCampaign,
  BrandKeyword,
  BrandNegativeKeyword,
  BrandNegativeTarget,
  BrandTarget,
} from '../../../core/model/brands.ts'
import type {
  DisplayAd,
  DisplayAdGroup,
  DisplayCampaign,
  DisplayNegativeTarget,
  DisplayTarget,
} from '../../../core/model/display.ts'

type Grouped<T> = Map<string, T[]>

/** What one profile holds of one ad product, grouped by parent: ad groups by campaign, the rest by ad group. */
interface Shelf<C, G, A, K, T, NK, NT> {
  campaigns: C[]
  groups: Grouped<G>
  ads: Grouped<A>
  keywords: Grouped<K>
  targets: Grouped<T>
  /** By ad group, or by campaign where they hang on it. */
  negativeKeywords: Grouped<NK>
  negativeTargets: Grouped<NT>
}

export interface Shelves {
  products: Shelf<Campaign, AdGroup, ProductAd, Keyword, Target, NegativeKeyword, NegativeTarget>
  brands: Shelf<
    BrandCampaign,
    BrandAdGroup,
    BrandAd,
    BrandKeyword,
    BrandTarget,
    BrandNegativeKeyword,
    BrandNegativeTarget
  >
  display: Shelf<DisplayCampaign, DisplayAdGroup, DisplayAd, never, DisplayTarget, never, DisplayNegativeTarget>
}

interface Child {
  profileId: number
  campaignId: string
  adGroupId?: string | null
}

/** The books of one profile, grouped by parent once per compilation. */
export const shelve = (store: Store, profileId: number): Shelves => {
  const own = <T extends { profileId: number }>(shelf: ReadonlyMap<string, T>): T[] => {
    const found: T[] = []
    for (const one of shelf.values()) if (one.profileId === profileId) found.push(one)
    return found
  }
  const byCampaign = <T extends Child>(shelf: ReadonlyMap<string, T>): Grouped<T> =>
    Map.groupBy(own(shelf), one => one.campaignId)
  const byGroup = <T extends Child>(shelf: ReadonlyMap<string, T>): Grouped<T> =>
    Map.groupBy(own(shelf), one => one.adGroupId ?? one.campaignId)
  return {
    products: {
      campaigns: own(store.campaigns),
      groups: byCampaign(store.adGroups),
      ads: byGroup(store.productAds),
      keywords: byGroup(store.keywords),
      targets: byGroup(store.targets),
      negativeKeywords: byGroup(store.negativeKeywords),
      negativeTargets: byGroup(store.negativeTargets),
    },
    brands: {
      campaigns: own(store.brandCampaigns),
      groups: byCampaign(store.brandAdGroups),
      ads: byGroup(store.brandAds),
      keywords: byGroup(store.brandKeywords),
      targets: byGroup(store.brandTargets),
      negativeKeywords: byGroup(store.brandNegativeKeywords),
      negativeTargets: byGroup(store.brandNegativeTargets),
    },
    display: {
      campaigns: own(store.displayCampaigns),
      groups: byCampaign(store.displayAdGroups),
      ads: byGroup(store.displayAds),
      keywords: new Map(),
      targets: byGroup(store.displayTargets),
      negativeKeywords: new Map(),
      negativeTargets: byGroup(store.displayNegativeTargets),
    },
  }
}
