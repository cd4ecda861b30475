import { z } from 'zod'
import { observedWire } from '../arrays/wire-words.ts'
import { entityId as id } from '../structure/campaign-wire.ts'
import type { DisplayPredicate } from './entities.ts'

export const campaignWire = z.object({
  campaignId: id,
  name: z.string(),
  state: z.string(),
  tactic: z.string(),
  costType: z.string().nullish(),
  budget: z.number(),
  startDate: z.string(),
  endDate: z.string().nullish(),
  portfolioId: id.nullish(),
  ...observedWire,
})

export const adGroupWire = z.object({
  adGroupId: id,
  campaignId: id,
  name: z.string(),
  state: z.string(),
  defaultBid: z.number(),
  bidOptimization: z.string().nullish(),
  ...observedWire,
})

export const adWire = z.object({
  adId: id,
  adGroupId: id,
  campaignId: id,
  asin: z.string().nullish(),
  sku: z.string().nullish(),
  adName: z.string().nullish(),
  state: z.string(),
  ...observedWire,
})

// Conditions nest once in what is documented; read to any depth.
const predicate: z.ZodType<DisplayPredicate> = z.lazy(() =>
  z.object({
    type: z.string(),
    value: z
      .union([z.string(), z.number().transform(String), z.array(predicate)])
      .nullish()
      .transform(value => value ?? null),
  }),
)

const clause = {
  targetId: id,
  adGroupId: id,
  state: z.string(),
  expression: z.array(predicate).nullish(),
  resolvedExpression: z.array(predicate).nullish(),
  ...observedWire,
}
export const targetWire = z.object({ ...clause, campaignId: id, bid: z.number().nullish() })
export const negativeTargetWire = z.object(clause)
