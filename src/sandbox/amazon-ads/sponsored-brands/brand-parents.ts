import type { BrandAdGroup, BrandCampaign } from '../../core/model/brands.ts'
import type { EntityId } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { EntityFamily } from '../entities/entity-kind.ts'
import { usableParent } from '../entities/parent.ts'

/** The Sponsored Brands campaign an item is to hang on. Throws when it is not the caller's, or archived. */
export const brandCampaignFor = ({ world, profile }: AdsCaller, campaignId: EntityId): BrandCampaign => {
  const campaign = world.store.brandCampaigns.get(campaignId)
  return usableParent('campaignId', campaignId, campaign?.profileId === profile.profileId && campaign)
}

/** The ad group an item is to hang on, with its campaign; of the campaign named, where one is. Throws likewise. */
export const brandAdGroupFor = (
  caller: AdsCaller,
  adGroupId: EntityId,
  campaignId?: EntityId,
): { campaign: BrandCampaign; adGroup: BrandAdGroup } => {
  const found = caller.world.store.brandAdGroups.get(adGroupId)
  const campaign = brandCampaignFor(caller, campaignId ?? found?.campaignId ?? '')
  const adGroup = usableParent('adGroupId', adGroupId, found?.campaignId === campaign.campaignId && found)
  return { campaign, adGroup }
}

/** Sponsored Brands v4. */
export const sponsoredBrands: EntityFamily = {
  mostItems: 10,
  largestPage: 100,
  refusesLargerPages: true,
  mostIds: 10,
  mostParents: 10,
  alwaysWhole: true,
  // The vendor's own collection of requests sends plain JSON here and is answered.
  takesPlainJson: true,
  extendedData: ({ createdAt, updatedAt }, { status, details }) => ({
    creationDate: createdAt,
    lastUpdateDate: updatedAt,
    servingStatus: status,
    servingStatusDetails: details,
  }),
  parentsOf: (store, { campaignId, adGroupId }) => [
    campaignId ? store.brandCampaigns.get(campaignId) : undefined,
    adGroupId ? store.brandAdGroups.get(adGroupId) : undefined,
  ],
}
