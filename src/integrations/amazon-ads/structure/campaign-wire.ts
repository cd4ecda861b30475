import { z } from 'zod'

/** An id, which some calls write as an integer. */
export const entityId = z.union([z.string(), z.number()]).transform(String)

/** By how much bids are raised where; the calls hold it under names of their own. */
export const placementPercentages = z.array(z.object({ placement: z.string(), percentage: z.number() })).nullish()

/** What Sponsored Products and Brands write of a campaign in the same words. */
export const commonCampaignWire = {
  startDate: z.string(),
  endDate: z.string().nullish(),
  portfolioId: entityId.nullish(),
  tags: z.record(z.string(), z.string()).nullish(),
}
