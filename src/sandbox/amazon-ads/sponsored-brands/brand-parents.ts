import type { BrandAdGroup, BrandCampaign } from '../../core/books/brand-books.ts'
import type { EntityId } from '../../core/model.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { EntityFamily } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'

const unfit = (field: string, trigger: EntityId, archived: boolean) =>
  itemError('parentEntityError', archived ? 'PARENT_ENTITY_ARCHIVED' : 'PARENT_ENTITY_NOT_FOUND', {
    message: `The ${field === 'campaignId' ? 'campaign' : 'ad group'} ${archived ? 'is archived' : 'was not found'}`,
    field,
    trigger,
  })

/** The Sponsored Brands campaign an item is to hang on. Throws when it is not the caller's, or archived. */
export const brandCampaignFor = ({ world, profile }: AdsCaller, campaignId: EntityId): BrandCampaign => {
  const campaign = world.books.brandCampaigns.get(campaignId)
  if (campaign?.profileId !== profile.profileId) throw unfit('campaignId', campaignId, false)
  if (campaign.state === 'ARCHIVED') throw unfit('campaignId', campaignId, true)
  return campaign
}

/** The ad group an item is to hang on, with its campaign; of the campaign named, where one is. Throws likewise. */
export const brandAdGroupFor = (
  caller: AdsCaller,
  adGroupId: EntityId,
  campaignId?: EntityId,
): { campaign: BrandCampaign; adGroup: BrandAdGroup } => {
  const adGroup = caller.world.books.brandAdGroups.get(adGroupId)
  const campaign = brandCampaignFor(caller, campaignId ?? adGroup?.campaignId ?? '')
  if (adGroup?.campaignId !== campaign.campaignId) throw unfit('adGroupId', adGroupId, false)
  if (adGroup.state === 'ARCHIVED') throw unfit('adGroupId', adGroupId, true)
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
  parentsOf: (books, { campaignId, adGroupId }) => [
    campaignId ? books.brandCampaigns.get(campaignId) : undefined,
    adGroupId ? books.brandAdGroups.get(adGroupId) : undefined,
  ],
}
