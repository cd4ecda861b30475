import type { DisplayAdGroup, DisplayCampaign } from '../../core/books/display-books.ts'
import type { Books, EntityId } from '../../core/model.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { displayBidRange, type MoneyRange } from '../limits/ad-limits.ts'

const unfit = (field: string, trigger: EntityId, archived: boolean) =>
  itemError('parentEntityError', archived ? 'PARENT_ENTITY_ARCHIVED' : 'PARENT_ENTITY_NOT_FOUND', {
    message: `The ${field === 'campaignId' ? 'campaign' : 'ad group'} ${archived ? 'is archived' : 'was not found'}`,
    field,
    trigger,
  })

/** The Sponsored Display campaign an item is to hang on. Throws when it is not the caller's, or archived. */
export const displayCampaignFor = ({ world, profile }: AdsCaller, campaignId: EntityId): DisplayCampaign => {
  const campaign = world.books.displayCampaigns.get(campaignId)
  if (campaign?.profileId !== profile.profileId) throw unfit('campaignId', campaignId, false)
  if (campaign.state === 'ARCHIVED') throw unfit('campaignId', campaignId, true)
  return campaign
}

/** The ad group an item is to hang on, with its campaign. Throws likewise. */
export const displayAdGroupFor = (
  caller: AdsCaller,
  adGroupId: EntityId,
): { campaign: DisplayCampaign; adGroup: DisplayAdGroup } => {
  const adGroup = caller.world.books.displayAdGroups.get(adGroupId)
  if (adGroup?.profileId !== caller.profile.profileId) throw unfit('adGroupId', adGroupId, false)
  if (adGroup.state === 'ARCHIVED') throw unfit('adGroupId', adGroupId, true)
  return { campaign: displayCampaignFor(caller, adGroup.campaignId), adGroup }
}

export const displayParents = (books: Books, { campaignId, adGroupId }: Entity) => [
  campaignId ? books.displayCampaigns.get(campaignId) : undefined,
  adGroupId ? books.displayAdGroups.get(adGroupId) : undefined,
]

/** Bids of a campaign's cost type. A campaign exists only where there are some. */
export const displayBidsFor = ({ marketplace }: AdsCaller, { costType }: DisplayCampaign): MoneyRange =>
  displayBidRange(marketplace.key, costType) ?? { leastMicros: 0, mostMicros: 0 }

/** Every answer of this family is plain JSON. */
export const jsonTypes = { change: 'application/json', one: 'application/json', list: 'application/json' }
