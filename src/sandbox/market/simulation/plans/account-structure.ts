import type {
  AdGroup,
  Books,
  Campaign,
  Keyword,
  NegativeKeyword,
  NegativeTarget,
  ProductAd,
  Target,
} from '../../../core/model.ts'
import type {
  BrandAd,
  BrandAdGroup,
  BrandCampaign,
  BrandKeyword,
  BrandNegativeKeyword,
  BrandNegativeTarget,
  BrandTarget,
} from '../../../core/books/brand-books.ts'
import type {
  DisplayAd,
  DisplayAdGroup,
  DisplayCampaign,
  DisplayNegativeTarget,
  DisplayTarget,
} from '../../../core/books/display-books.ts'

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
export const shelve = (books: Books, profileId: number): Shelves => {
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
      campaigns: own(books.campaigns),
      groups: byCampaign(books.adGroups),
      ads: byGroup(books.productAds),
      keywords: byGroup(books.keywords),
      targets: byGroup(books.targets),
      negativeKeywords: byGroup(books.negativeKeywords),
      negativeTargets: byGroup(books.negativeTargets),
    },
    brands: {
      campaigns: own(books.brandCampaigns),
      groups: byCampaign(books.brandAdGroups),
      ads: byGroup(books.brandAds),
      keywords: byGroup(books.brandKeywords),
      targets: byGroup(books.brandTargets),
      negativeKeywords: byGroup(books.brandNegativeKeywords),
      negativeTargets: byGroup(books.brandNegativeTargets),
    },
    display: {
      campaigns: own(books.displayCampaigns),
      groups: byCampaign(books.displayAdGroups),
      ads: byGroup(books.displayAds),
      keywords: new Map(),
      targets: byGroup(books.displayTargets),
      negativeKeywords: new Map(),
      negativeTargets: byGroup(books.displayNegativeTargets),
    },
  }
}
