import type { BrandCampaign } from '../../../core/model/brands.ts'
import type { AdsCaller } from '../../ads-caller.ts'
import { itemError } from '../../entities/item-error.ts'
import { brandBidRange, type MoneyRange } from '../../limits/ad-limits.ts'

/** Bids an ad group takes: by the campaign's cost type, and higher where it shows videos. */
export const brandBidsFor = (
  { world, marketplace }: AdsCaller,
  campaign: BrandCampaign,
  adGroupId: string,
): MoneyRange => {
  const video = [...world.store.brandAds.values()].some(
    ad => ad.adGroupId === adGroupId && ad.state !== 'ARCHIVED' && ad.format.endsWith('VIDEO'),
  )
  return brandBidRange(marketplace.key, campaign.costType, video)
}

/** Throws when the ad group already holds clauses of the other kind. */
export const checkBrandTargeting = ({ world }: AdsCaller, adGroupId: string, kind: 'keyword' | 'target'): void => {
  const { brandKeywords, brandTargets } = world.store
  for (const other of kind === 'keyword' ? brandTargets.values() : brandKeywords.values())
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED')
      throw itemError('targetingClauseSetupError', 'TYPE_CONFLICT_IN_AD_GROUP', {
        message: 'An ad group holds keywords or product targets, not both',
        field: 'adGroupId',
        trigger: adGroupId,
      })
}
