import type { BatchFamily } from '../entities/batch-kind.ts'
import type { ProductFamily } from '../entities/entity-kind.ts'
import { numberStyle, textStyle } from '../entities/wire-styles.ts'

/** Sponsored Brands v4: campaigns, ad groups and ads. */
export const sponsoredBrands: BatchFamily = {
  style: textStyle(['ENABLED', 'PAUSED']),
  campaigns: 'brandCampaigns',
  adGroups: 'brandAdGroups',
  campaignReason: (campaignId, { world }) =>
    [...world.store.brandAds.values()].some(ad => ad.campaignId === campaignId && ad.state !== 'ARCHIVED')
      ? undefined
      : 'CAMPAIGN_INCOMPLETE',
  maxItems: 10,
  maxPage: 100,
  refusesLargerPages: true,
  maxIds: 10,
  maxParents: 10,
  alwaysWhole: true,
  // The vendor's own collection of requests sends plain JSON here and is answered.
  takesPlainJson: true,
  extendedData: ({ createdAt, updatedAt }, reasons) => ({
    creationDate: createdAt,
    lastUpdateDate: updatedAt,
    servingStatus: reasons[0],
    servingStatusDetails: reasons,
  }),
}
/** Keywords and targets, still of version 3. */
export const olderSponsoredBrands: ProductFamily = { ...sponsoredBrands, style: numberStyle }
