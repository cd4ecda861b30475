import type { ProductFamily } from '../entities/entity-kind.ts'
import type { BatchFamily } from '../entities/batch-kind.ts'
import { numberStyle, textStyle } from '../entities/wire-styles.ts'

/** Sponsored Brands v4: campaigns, ad groups and ads. */
export const sponsoredBrands: ProductFamily = {
  style: textStyle(['ENABLED', 'PAUSED']),
  campaigns: 'brandCampaigns',
  adGroups: 'brandAdGroups',
}
/** Keywords and targets, still of version 3. */
export const olderSponsoredBrands: ProductFamily = { ...sponsoredBrands, style: numberStyle }

export const sponsoredBrandsFamily: BatchFamily = {
  maxItems: 10,
  maxPage: 100,
  refusesLargerPages: true,
  maxIds: 10,
  maxParents: 10,
  alwaysWhole: true,
  // The vendor's own collection of requests sends plain JSON here and is answered.
  takesPlainJson: true,
  extendedData: ({ createdAt, updatedAt }, { status, details }) => ({
    creationDate: createdAt,
    lastUpdateDate: updatedAt,
    servingStatus: status,
    servingStatusDetails: details,
  }),
}
