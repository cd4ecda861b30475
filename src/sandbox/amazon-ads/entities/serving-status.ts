import type { AdGroup, EntityId, EntityState, ProductAd } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, ServingStatus } from './entity-kind.ts'

// Names as in the vendor's specifications (CampaignServingStatus, AdGroupServingStatus, ...); the ad products agree.

/** What of a campaign, of whichever ad product, decides whether it serves. */
export interface ServingCampaign {
  campaignId: EntityId
  state: EntityState
  startDate: string
  endDate: string | null
}

/** Why a campaign does not serve; empty when it does. */
export const campaignReasons = (campaign: ServingCampaign, { world, now, today, profile }: AdsCaller): string[] => {
  if (campaign.state === 'ARCHIVED') return ['CAMPAIGN_ARCHIVED']
  const reasons: string[] = []
  if (campaign.state === 'PAUSED') reasons.push('CAMPAIGN_PAUSED')
  if (campaign.endDate !== null && campaign.endDate < today) reasons.push('ENDED')
  if (campaign.startDate > today) reasons.push('PENDING_START_DATE')
  if (!profile.validPaymentMethod) reasons.push('ADVERTISER_PAYMENT_FAILURE')
  if (reasons.length === 0 && world.market().isOutOfBudget(campaign.campaignId, now))
    reasons.push('CAMPAIGN_OUT_OF_BUDGET')
  return reasons
}

/** Why an ad group by itself does not serve. */
export const groupReasons = (adGroup: { state: EntityState }): string[] =>
  adGroup.state === 'ARCHIVED' ? ['AD_GROUP_ARCHIVED'] : adGroup.state === 'PAUSED' ? ['AD_GROUP_PAUSED'] : []

/** The first reason, or `live` when there is none. */
export const statusOf = (reasons: string[], live: string): ServingStatus => ({
  status: reasons[0] ?? live,
  details: reasons.length > 0 ? reasons : [live],
})

export const campaignStatus = (campaign: ServingCampaign, caller: AdsCaller): ServingStatus =>
  statusOf(campaignReasons(campaign, caller), 'CAMPAIGN_STATUS_ENABLED')

const parentReasons = (entity: Entity, caller: AdsCaller): string[] => {
  const { store } = caller.world
  const campaign = store.campaigns.get(entity.campaignId ?? '')
  const adGroup = entity.adGroupId ? store.adGroups.get(entity.adGroupId) : undefined
  return [...(campaign ? campaignReasons(campaign, caller) : []), ...(adGroup ? groupReasons(adGroup) : [])]
}

export const adGroupStatus = (adGroup: AdGroup, caller: AdsCaller): ServingStatus => {
  const campaign = caller.world.store.campaigns.get(adGroup.campaignId)
  return statusOf(
    [...groupReasons(adGroup), ...(campaign ? campaignReasons(campaign, caller) : [])],
    'AD_GROUP_STATUS_ENABLED',
  )
}

export const adStatus = (ad: ProductAd, caller: AdsCaller): ServingStatus => {
  const { world, profile } = caller
  const product = world.store.products.get(`${profile.sellerId}|${profile.marketplaceId}|${ad.sku}`)
  const own =
    ad.state === 'ARCHIVED'
      ? ['AD_ARCHIVED']
      : ad.state === 'PAUSED'
        ? ['AD_PAUSED']
        : product?.eligibility === 'INELIGIBLE'
          ? ['AD_INELIGIBLE']
          : product && product.fulfillable === 0
            ? ['AD_OUT_OF_STOCK']
            : []
  return statusOf([...own, ...parentReasons(ad, caller)], 'AD_STATUS_LIVE')
}

/** For keywords, targets and negatives of both kinds. */
export const clauseStatus = (clause: Entity, caller: AdsCaller): ServingStatus => {
  const own =
    clause.state === 'ARCHIVED'
      ? ['TARGETING_CLAUSE_ARCHIVED']
      : clause.state === 'PAUSED'
        ? ['TARGETING_CLAUSE_PAUSED']
        : []
  return statusOf([...own, ...parentReasons(clause, caller)], 'TARGETING_CLAUSE_STATUS_LIVE')
}
