import { z } from 'zod'
import { commonCampaignWire, entityId as id, placementPercentages } from '../structure/campaign-wire.ts'

const extendedData = z
  .object({
    servingStatus: z.string().nullish(),
    creationDate: z.union([z.number(), z.string()]).nullish(),
    lastUpdateDate: z.union([z.number(), z.string()]).nullish(),
  })
  .nullish()
export type BrandExtendedData = z.output<typeof extendedData>

// The flag also comes as text.
const flag = z.union([z.boolean(), z.string().transform(text => text === 'true')])

export const campaignWire = z.object({
  campaignId: id,
  name: z.string(),
  state: z.string(),
  budget: z.number(),
  budgetType: z.string(),
  costType: z.string().nullish(),
  goal: z.string().nullish(),
  brandEntityId: z.string().nullish(),
  bidding: z
    .object({
      bidOptimization: flag.nullish(),
      bidAdjustmentsByPlacement: placementPercentages,
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
  extendedData,
})

export const adWire = z.object({
  adId: id,
  adGroupId: id,
  campaignId: id,
  name: z.string().nullish(),
  state: z.string(),
  landingPage: z.object({ pageType: z.string().nullish(), url: z.string().nullish() }).nullish(),
  creative: z
    .object({
      type: z.string().nullish(),
      headline: z.string().nullish(),
      asins: z.array(z.string()).nullish(),
    })
    .nullish(),
  extendedData,
})

const clause = { adGroupId: id, campaignId: id, state: z.string() }
const predicates = z.array(z.object({ type: z.string(), value: z.union([z.string(), z.number()]).nullish() })).nullish()

export const keywordWire = z.object({
  keywordId: id,
  ...clause,
  keywordText: z.string(),
  matchType: z.string(),
  bid: z.number().nullish(),
})
export const negativeKeywordWire = keywordWire.omit({ bid: true })
export const targetWire = z.object({
  targetId: id,
  ...clause,
  expressions: predicates,
  expression: predicates,
  resolvedExpressions: predicates,
  resolvedExpression: predicates,
  bid: z.number().nullish(),
})
export const negativeTargetWire = targetWire.omit({ bid: true })

/** The answer to a change of targets: apart by how they went. */
export const targetResultsWire = z.object({
  updateTargetSuccessResults: z.array(z.object({ targetRequestIndex: z.number(), targetId: id.nullish() })).nullish(),
  updateTargetErrorResults: z
    .array(
      z.object({
        targetRequestIndex: z.number(),
        code: z.string().nullish(),
        details: z.string().nullish(),
        description: z.string().nullish(),
      }),
    )
    .nullish(),
})
