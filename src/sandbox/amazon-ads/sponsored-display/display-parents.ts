import type { DisplayAdGroup, DisplayCampaign } from '../../core/model/display.ts'
import type { Store, EntityId } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity } from '../entities/entity-kind.ts'
import { usableParent } from '../entities/parent.ts'
import { displayBidRange, type MoneyRange } from '../limits/ad-limits.ts'

/** The Sponsored Display campaign an item is to hang on. Throws when it is not the caller's, or archived. */
export const displayCampaignFor = ({ world, profile }: AdsCaller, campaignId: EntityId): DisplayCampaign => {
  const campaign = world.store.displayCampaigns.get(campaignId)
  return usableParent('campaignId', campaignId, campaign?.profileId === profile.profileId && campaign)
}

/** The ad group an item is to hang on, with its campaign. Throws likewise. */
export const displayAdGroupFor = (
  caller: AdsCaller,
  adGroupId: EntityId,
): { campaign: DisplayCampaign; adGroup: DisplayAdGroup } => {
  const found = caller.world.store.displayAdGroups.get(adGroupId)
  const adGroup = usableParent('adGroupId', adGroupId, found?.profileId === caller.profile.profileId && found)
  return { campaign: displayCampaignFor(caller, adGroup.campaignId), adGroup }
}

export const displayParents = (store: Store, { campaignId, adGroupId }: Entity) => [
  campaignId ? store.displayCampaigns.get(campaignId) : undefined,
  adGroupId ? store.displayAdGroups.get(adGroupId) : undefined,
]

/** Bids of a campaign's cost type. A campaign exists only where there are some. */
export const displayBidsFor = ({ marketplace }: AdsCaller, { costType }: DisplayCampaign): MoneyRange =>
  displayBidRange(marketplace.key, costType) ?? { leastMicros: 0, mostMicros: 0 }

/** Every answer of this family is plain JSON. */
export const jsonTypes = { change: 'application/json', one: 'application/json', list: 'application/json' }
