import type { Campaign } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from '../entities/item-error.ts'

/** Throws unless the ad group may take a clause of this kind: its campaign is MANUAL and it holds none of the other. */
export const checkManualTargeting = (
  { world }: AdsCaller,
  campaign: Campaign,
  adGroupId: string,
  kind: 'keyword' | 'target',
): void => {
  if (campaign.targetingType === 'AUTO')
    throw itemError('targetingClauseSetupError', 'TARGETING_TYPE_NOT_ALLOWED_FOR_AUTO_TARGETING_CAMPAIGN', {
      message: 'A campaign with automatic targeting takes no manual targeting',
      field: 'campaignId',
      trigger: campaign.campaignId,
    })
  const { keywords, targets } = world.store
  const others = kind === 'keyword' ? targets.values() : keywords.values()
  for (const other of others)
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED')
      throw itemError('targetingClauseSetupError', 'TYPE_CONFLICT_IN_AD_GROUP', {
        message: 'An ad group holds keywords or product targets, not both',
        field: 'adGroupId',
        trigger: adGroupId,
      })
}
