import type { DisplayAd, DisplayCampaign } from '../../core/model/display.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity } from '../entities/entity-kind.ts'
import { campaignReasons, groupReasons } from '../entities/serving-status.ts'

const dated = ({ createdAt, updatedAt }: Entity, status: string | undefined, live: string) => ({
  servingStatus: status ?? live,
  creationDate: createdAt,
  lastUpdatedDate: updatedAt,
})

const campaignStatus = (campaign: DisplayCampaign | undefined, caller: AdsCaller): string | undefined =>
  campaign && campaignReasons(campaign, caller)[0]

const groupStatus = (entity: Entity, caller: AdsCaller): string | undefined => {
  const { displayAdGroups, displayCampaigns } = caller.world.store
  const adGroup = entity.adGroupId ? displayAdGroups.get(entity.adGroupId) : undefined
  return (adGroup && groupReasons(adGroup)[0]) ?? campaignStatus(displayCampaigns.get(entity.campaignId ?? ''), caller)
}

/** What `/extended` tells of a campaign: dates in epoch milliseconds and why it serves or not. */
export const extendedCampaign = (campaign: DisplayCampaign, caller: AdsCaller) => ({
  ...dated(campaign, campaignStatus(campaign, caller), 'ADVERTISER_STATUS_ENABLED'),
  // Told of the plain campaign only.
  deliveryProfile: undefined,
})

export const extendedAdGroup = (adGroup: Entity, caller: AdsCaller) =>
  dated(adGroup, groupStatus(adGroup, caller), 'AD_GROUP_STATUS_ENABLED')

export const extendedAd = (ad: DisplayAd, caller: AdsCaller) => {
  const { profile, world } = caller
  const product = world.store.products.get(`${profile.sellerId}|${profile.marketplaceId}|${ad.sku}`)
  const own =
    ad.state === 'ARCHIVED'
      ? 'AD_STATUS_ARCHIVED'
      : ad.state === 'PAUSED'
        ? 'AD_STATUS_PAUSED'
        : product?.fulfillable === 0
          ? 'OUT_OF_STOCK'
          : undefined
  return dated(ad, own ?? groupStatus(ad, caller), 'AD_STATUS_LIVE')
}

/** For targets and negative targets. */
export const extendedClause = (clause: Entity, caller: AdsCaller) => {
  const own =
    clause.state === 'ARCHIVED'
      ? 'TARGET_STATUS_ARCHIVED'
      : clause.state === 'PAUSED'
        ? 'TARGET_STATUS_PAUSED'
        : undefined
  return dated(clause, own ?? groupStatus(clause, caller), 'TARGET_STATUS_LIVE')
}
