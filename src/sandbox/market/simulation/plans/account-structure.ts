import type { Store } from '../../../core/model/store.ts'

interface Child {
  profileId: number
  campaignId: string
  adGroupId?: string | null
}

export type AccountStructure = ReturnType<typeof readStructure>

/** Everything one profile advertises: ad groups by campaign, their children by ad group (campaign negatives by campaign). */
export function readStructure(store: Store, profileId: number) {
  const ofProfile = <T extends { profileId: number }>(collection: ReadonlyMap<string, T>): T[] => {
    const found: T[] = []
    for (const entity of collection.values()) if (entity.profileId === profileId) found.push(entity)
    return found
  }
  const byCampaign = <T extends Child>(collection: ReadonlyMap<string, T>): Map<string, T[]> =>
    Map.groupBy(ofProfile(collection), one => one.campaignId)
  const byParent = <T extends Child>(collection: ReadonlyMap<string, T>): Map<string, T[]> =>
    Map.groupBy(ofProfile(collection), one => one.adGroupId ?? one.campaignId)
  return {
    products: {
      campaigns: ofProfile(store.campaigns),
      adGroups: byCampaign(store.adGroups),
      ads: byParent(store.productAds),
      keywords: byParent(store.keywords),
      targets: byParent(store.targets),
      negativeKeywords: byParent(store.negativeKeywords),
      negativeTargets: byParent(store.negativeTargets),
    },
    brands: {
      campaigns: ofProfile(store.brandCampaigns),
      adGroups: byCampaign(store.brandAdGroups),
      ads: byParent(store.brandAds),
      keywords: byParent(store.brandKeywords),
      targets: byParent(store.brandTargets),
      negativeKeywords: byParent(store.brandNegativeKeywords),
      negativeTargets: byParent(store.brandNegativeTargets),
    },
    display: {
      campaigns: ofProfile(store.displayCampaigns),
      adGroups: byCampaign(store.displayAdGroups),
      ads: byParent(store.displayAds),
      targets: byParent(store.displayTargets),
      negativeTargets: byParent(store.displayNegativeTargets),
    },
  }
}
