import { z } from 'zod'
import { commonCampaignWire, entityId as id, placementPercentages } from './campaign-wire.ts'

// Enumerations are read as text: the marketplace adds members without notice, and the mapper knows a fallback for each.
const amount = z.number()

/** Older replies date in epoch milliseconds (`creationDate`), newer ones in ISO (`creationDateTime`). */
const extendedData = z
  .object({
    servingStatus: z.string().nullish(),
    creationDateTime: z.string().nullish(),
    lastUpdateDateTime: z.string().nullish(),
    creationDate: z.number().nullish(),
    lastUpdateDate: z.number().nullish(),
  })
  .nullish()
export type ExtendedData = z.infer<typeof extendedData>

const predicates = z.array(z.object({ type: z.string(), value: z.string().nullish() })).nullish()

export const campaignWire = z.object({
  campaignId: id,
  name: z.string(),
  state: z.string(),
  targetingType: z.string(),
  budget: z.object({ budget: amount }),
  dynamicBidding: z
    .object({
      strategy: z.string().nullish(),
      placementBidding: placementPercentages,
      shopperCohortBidding: z
        .array(
          z.object({
            percentage: z.number().nullish(),
            audienceSegments: z
              .array(z.object({ audienceId: z.string(), audienceSegmentType: z.string().nullish() }))
              .nullish(),
          }),
        )
        .nullish(),
    })
    .nullish(),
  ...commonCampaignWire,
  extendedData,
})

export const adGroupWire = z.object({
  adGroupId: id,
  campaignId: id,
  name: z.string(),
  state: z.string(),
  defaultBid: amount,
  extendedData,
})

export const productAdWire = z.object({
  adId: id,
  adGroupId: id,
  campaignId: id,
  asin: z.string().nullish(),
  sku: z.string().nullish(),
  state: z.string(),
  extendedData,
})

export const keywordWire = z.object({
  keywordId: id,
  adGroupId: id,
  campaignId: id,
  keywordText: z.string(),
  matchType: z.string(),
  state: z.string(),
  bid: amount.nullish(),
  extendedData,
})

export const negativeKeywordWire = z.object({
  keywordId: id,
  adGroupId: id.nullish(),
  campaignId: id,
  keywordText: z.string(),
  matchType: z.string(),
  state: z.string(),
  extendedData,
})

export const targetWire = z.object({
  targetId: id,
  adGroupId: id,
  campaignId: id,
  expressionType: z.string(),
  expression: predicates,
  resolvedExpression: predicates,
  state: z.string(),
  bid: amount.nullish(),
  extendedData,
})

export const negativeTargetWire = z.object({
  targetId: id,
  adGroupId: id.nullish(),
  campaignId: id,
  expression: predicates,
  resolvedExpression: predicates,
  state: z.string(),
  extendedData,
})

/** `rangeError: {reason, message, cause}`: the one member's name is the selector. */
const itemError = z.object({
  errorType: z.string().nullish(),
  errorValue: z
    .record(
      z.string(),
      z
        .object({
          reason: z.string().nullish(),
          message: z.string().nullish(),
          cause: z.object({ location: z.string().nullish(), trigger: z.string().nullish() }).nullish(),
        })
        .nullish(),
    )
    .nullish(),
})
export type ItemErrorWire = z.infer<typeof itemError>

/** The two lists of a 207; the items of `success` carry an id and an entity under names that differ by resource. */
export const batchResultWire = z.object({
  success: z.array(z.looseObject({ index: z.number() })).nullish(),
  error: z.array(z.object({ index: z.number(), errors: z.array(itemError).nullish() })).nullish(),
})

export const pageWire = z.looseObject({ nextToken: z.string().nullish(), totalResults: z.number().nullish() })
