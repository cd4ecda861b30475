import type { BrandAd, BrandAdGroup, BrandCampaign } from '../../core/model/brands.ts'
import { isReviewed } from '../../core/model/brand-review.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { ServingStatus } from '../entities/entity-kind.ts'
import { campaignReasons, groupReasons, statusOf } from '../entities/serving-status.ts'

const reasonsOf = (campaign: BrandCampaign | undefined, caller: AdsCaller): string[] => {
  if (!campaign) return []
  const reasons = campaignReasons(campaign, caller)
  if (reasons.length > 0) return reasons
  for (const ad of caller.world.store.brandAds.values())
    if (ad.campaignId === campaign.campaignId && ad.state !== 'ARCHIVED') return []
  return ['CAMPAIGN_INCOMPLETE']
}

export const brandCampaignStatus = (campaign: BrandCampaign, caller: AdsCaller): ServingStatus =>
  statusOf(reasonsOf(campaign, caller), 'CAMPAIGN_STATUS_ENABLED')

export const brandAdGroupStatus = (adGroup: BrandAdGroup, caller: AdsCaller): ServingStatus =>
  statusOf(
    [...groupReasons(adGroup), ...reasonsOf(caller.world.store.brandCampaigns.get(adGroup.campaignId), caller)],
    'AD_GROUP_STATUS_ENABLED',
  )

export const brandAdStatus = (ad: BrandAd, caller: AdsCaller): ServingStatus => {
  const { store } = caller.world
  const own =
    ad.state === 'ARCHIVED'
      ? ['AD_ARCHIVED']
      : ad.state === 'PAUSED'
        ? ['AD_PAUSED']
        : isReviewed(ad, caller.now.getTime())
          ? []
          : ['AD_POLICING_PENDING_REVIEW']
  const adGroup = store.brandAdGroups.get(ad.adGroupId)
  return statusOf(
    [...own, ...(adGroup ? groupReasons(adGroup) : []), ...reasonsOf(store.brandCampaigns.get(ad.campaignId), caller)],
    'AD_STATUS_LIVE',
  )
}
