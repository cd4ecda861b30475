import { z } from 'zod'
import type * as rules from '#shared/campaign-rules.ts'
import { flag, invert, listOf, orNull } from './wire-fields.ts'

// How campaigns bid.

export type BiddingStrategy = rules.BiddingStrategy<'SPONSORED_PRODUCTS'>
export type Placement = rules.Placement<'SPONSORED_PRODUCTS'>

/** Always sent whole: no document says whether the marketplace keeps a part that an update leaves out. */
export interface Bidding {
  /** OTHER is read only: a strategy that this product does not know. */
  strategy: BiddingStrategy | 'OTHER'
  /** 0 to 900 percent on top of the bid. */
  placements: { placement: Placement; percentage: number }[]
  /** Audiences that are bid on higher; kept whole so that an update does not lose what a person set in the console. */
  audiences: { percentage: number; audiences: { audienceId: string; type: string | null }[] }[]
}

const placementPercentages = listOf(z.object({ placement: z.string(), percentage: z.number() }))
// Whatever the ad type has must have a word here.
const vendorStrategies: Record<BiddingStrategy, string> = {
  SALES_DOWN_ONLY: 'LEGACY_FOR_SALES',
  SALES_UP_AND_DOWN: 'AUTO_FOR_SALES',
  MANUAL: 'MANUAL',
  RULE_BASED: 'RULE_BASED',
}
const vendorPlacements: Record<Placement, string> = {
  TOP_OF_SEARCH: 'PLACEMENT_TOP',
  PRODUCT_PAGE: 'PLACEMENT_PRODUCT_PAGE',
  REST_OF_SEARCH: 'PLACEMENT_REST_OF_SEARCH',
  SITE_AMAZON_BUSINESS: 'SITE_AMAZON_BUSINESS',
}
const [strategies, placements] = [invert(vendorStrategies), invert(vendorPlacements)]

const audience = z
  .object({ audienceId: z.string(), audienceSegmentType: orNull(z.string()) })
  .transform(({ audienceId, audienceSegmentType: type }) => ({ audienceId, type }))
const dynamicBidding = z.object({
  strategy: z.string().nullish(),
  placementBidding: placementPercentages,
  shopperCohortBidding: listOf(
    z
      .object({ percentage: z.number().nullish(), audienceSegments: listOf(audience) })
      .transform(({ percentage, audienceSegments }) => ({ percentage: percentage ?? 0, audiences: audienceSegments })),
  ),
})

export const bidding = {
  wire: 'dynamicBidding',
  from: dynamicBidding.nullish().transform(
    (wire): Bidding => ({
      // Without a strategy the marketplace bids down only, which is its default.
      strategy: wire?.strategy ? (strategies[wire.strategy] ?? 'OTHER') : 'SALES_DOWN_ONLY',
      placements: (wire?.placementBidding ?? []).flatMap(({ placement, percentage }) => {
        const ours = placements[placement]
        return ours ? [{ placement: ours, percentage }] : []
      }),
      audiences: wire?.shopperCohortBidding ?? [],
    }),
  ),
  /** Throws RangeError for a strategy that is only readable. */
  to: ({ strategy, placements: raised, audiences }: Bidding) => {
    if (strategy === 'OTHER') throw new RangeError('a bidding strategy that is not known cannot be sent')
    const shopperCohortBidding = audiences.map(cohort => ({
      shopperCohortType: 'AUDIENCE_SEGMENT',
      percentage: cohort.percentage,
      audienceSegments: cohort.audiences.map(({ audienceId, type }) => ({
        audienceId,
        ...(type && { audienceSegmentType: type }),
      })),
    }))
    return {
      strategy: vendorStrategies[strategy],
      placementBidding: raised.map(({ placement, percentage }) => ({
        placement: vendorPlacements[placement],
        percentage,
      })),
      ...(shopperCohortBidding.length > 0 && { shopperCohortBidding }),
    }
  },
}

const vendorBrandPlacements: Record<rules.Placement<'SPONSORED_BRANDS'>, string> = {
  TOP_OF_SEARCH: 'TOP_OF_SEARCH',
  PRODUCT_PAGE: 'DETAIL_PAGE',
  HOME_PAGE: 'HOME',
  OTHER_PLACEMENTS: 'OTHER',
}
const brandPlacements = invert(vendorBrandPlacements)
/** What the marketplace bids for below top of search when it bids by itself. */
const vendorOptimizations: Record<Exclude<rules.BiddingStrategy<'SPONSORED_BRANDS'>, 'MANUAL'>, string> = {
  AUTOMATIC_SALES: 'MAXIMIZE_IMMEDIATE_SALES',
  AUTOMATIC_NEW_TO_BRAND: 'MAXIMIZE_NEW_TO_BRAND_CUSTOMERS',
}
const optimizations = invert(vendorOptimizations)

/** The bidding of Sponsored Brands: by the marketplace itself, or by hand with adjustments of placements, never both. */
export interface BrandBidding {
  strategy: rules.BiddingStrategy<'SPONSORED_BRANDS'>
  /** -99 to 900 percent; of MANUAL bidding only. */
  placements: { placement: rules.Placement<'SPONSORED_BRANDS'>; percentage: number }[]
}
const brandBiddingWire = z.object({
  bidOptimization: flag,
  bidOptimizationStrategy: z.string().nullish(),
  bidAdjustmentsByPlacement: placementPercentages,
})
export const brandBidding = {
  wire: 'bidding',
  from: brandBiddingWire.nullish().transform((wire): BrandBidding => {
    const isManual = wire?.bidOptimization === false
    const optimization = optimizations[wire?.bidOptimizationStrategy ?? ''] ?? 'AUTOMATIC_SALES'
    const adjusted = (wire?.bidAdjustmentsByPlacement ?? []).flatMap(({ placement, percentage }) => {
      const ours = brandPlacements[placement]
      return ours ? [{ placement: ours, percentage }] : []
    })
    return { strategy: isManual ? 'MANUAL' : optimization, placements: isManual ? adjusted : [] }
  }),
  to: ({ strategy, placements: adjusted }: BrandBidding) =>
    strategy === 'MANUAL'
      ? {
          bidOptimization: false,
          bidAdjustmentsByPlacement: adjusted.map(({ placement, percentage }) => ({
            placement: vendorBrandPlacements[placement],
            percentage,
          })),
        }
      : { bidOptimization: true, bidOptimizationStrategy: vendorOptimizations[strategy] },
}
