import { brandsOf } from '#sandbox/amazon-ads/sponsored-brands/brand-campaigns.ts'
import type { World } from '#sandbox/core/world.ts'
import { accountWide } from './account-samples.ts'
import { advice } from './advice-samples.ts'
import { brandsAndDisplay } from './brands-and-display-samples.ts'
import { type Ids, type Sample, US } from './sample.ts'
import { sellingPartner } from './selling-partner-samples.ts'
import { sponsoredProducts } from './sponsored-products-samples.ts'
import { PROFILE, SELLER } from './whole-emulator.ts'

export type { Sample } from './sample.ts'

function idsOf({ store: books }: World): Ids {
  const own = <T extends { profileId: number }>(map: Map<unknown, T>): T | undefined =>
    [...map.values()].find(one => one.profileId === PROFILE)
  const campaign = [...books.campaigns.values()].find(
    one => one.profileId === PROFILE && one.targetingType === 'MANUAL',
  )
  const adGroup = [...books.adGroups.values()].find(one => one.campaignId === campaign?.campaignId)
  const product = [...books.products.values()].find(one => one.sellerId === SELLER && one.marketplaceId === US)
  const profile = books.profiles.get(PROFILE)
  return {
    seller: SELLER,
    campaignId: campaign?.campaignId ?? '',
    adGroupId: adGroup?.adGroupId ?? '',
    asin: product?.asin ?? '',
    sku: product?.sku ?? '',
    brandEntityId: profile ? (brandsOf(books, profile)[0]?.brandEntityId ?? '') : '',
    brandCampaignId: own(books.brandCampaigns)?.campaignId ?? '1',
    brandAdGroupId: own(books.brandAdGroups)?.adGroupId ?? '1',
    brandAdId: own(books.brandAds)?.adId ?? '1',
    displayCampaignId: own(books.displayCampaigns)?.campaignId ?? '1',
    displayAdGroupId: own(books.displayAdGroups)?.adGroupId ?? '1',
    byKind: {
      campaigns: campaign?.campaignId,
      adGroups: adGroup?.adGroupId,
      productAds: own(books.productAds)?.adId,
      keywords: own(books.keywords)?.keywordId,
      targets: own(books.targets)?.targetId,
    },
  }
}

/** A request for each call that takes a body, in full. */
export function samplesOf(world: World): Sample[] {
  const ids = idsOf(world)
  return [sponsoredProducts, brandsAndDisplay, advice, accountWide, sellingPartner].flatMap(part => part(ids))
}
