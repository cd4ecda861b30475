import * as v from 'valibot'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { day, id, pageOf } from '#shared/query-schemas.ts'

export { figureEntries } from '#shared/figure-schemas.ts'

const nullableNumber = v.nullable(v.number())
const figures = v.object(figureEntries)
export type RowFigures = v.InferOutput<typeof figures>

export const entityState = v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED', 'PROPOSED'])
export type EntityState = v.InferOutput<typeof entityState>

/** What every mirrored row bears. */
const mirrored = {
  id,
  amazonId: v.string(),
  state: entityState,
  servingStatus: v.nullable(v.string()),
  /** PENDING: a change is on its way. FAILED: it was refused, and `syncError` says why. */
  syncState: v.picklist(['SYNCED', 'PENDING', 'FAILED']),
  syncError: v.nullable(v.string()),
  version: v.number(),
}

export const campaign = v.object({
  ...mirrored,
  name: v.string(),
  adType: v.string(),
  targetingType: v.string(),
  currency: v.string(),
  /** A day. */
  budget: nullableNumber,
  biddingStrategy: v.nullable(v.string()),
  placements: v.array(v.object({ placement: v.string(), percentage: v.number() })),
  startDate: v.nullable(day),
  endDate: v.nullable(day),
  /** In percent; null where none was chosen. */
  targetAcos: nullableNumber,
})
export type Campaign = v.InferOutput<typeof campaign>

export const campaignRow = v.object({ ...campaign.entries, ...figureEntries })
export type CampaignRow = v.InferOutput<typeof campaignRow>

export const adGroup = v.object({
  ...mirrored,
  name: v.string(),
  campaignId: id,
  campaignName: v.string(),
  currency: v.string(),
  defaultBid: nullableNumber,
})
export type AdGroup = v.InferOutput<typeof adGroup>

export const adGroupRow = v.object({ ...adGroup.entries, ...figureEntries })
export type AdGroupRow = v.InferOutput<typeof adGroupRow>

export const ad = v.object({
  ...mirrored,
  campaignId: id,
  adGroupId: id,
  asin: v.nullable(v.string()),
  sku: v.nullable(v.string()),
  currency: v.string(),
})
export type Ad = v.InferOutput<typeof ad>

export const adRow = v.object({ ...ad.entries, ...figureEntries })
export type AdRow = v.InferOutput<typeof adRow>

export const target = v.object({
  ...mirrored,
  campaignId: id,
  adGroupId: id,
  kind: v.picklist(['KEYWORD', 'PRODUCT', 'AUTO']),
  /** The keyword, or the target as people read it. */
  text: v.string(),
  matchType: v.nullable(v.string()),
  currency: v.string(),
  /** Null: the ad group's default bid holds. */
  bid: nullableNumber,
})
export type Target = v.InferOutput<typeof target>

export const targetRow = v.object({ ...target.entries, ...figureEntries })
export type TargetRow = v.InferOutput<typeof targetRow>

export const negativeRow = v.object({
  ...mirrored,
  campaignId: id,
  /** Null: it holds for the whole campaign. */
  adGroupId: v.nullable(id),
  kind: v.picklist(['KEYWORD', 'PRODUCT']),
  text: v.string(),
  matchType: v.nullable(v.string()),
})
export type NegativeRow = v.InferOutput<typeof negativeRow>

/** A page of rows with the sums of all that match, not only of the page. */
export const figuresPage = <S extends v.GenericSchema>(row: S) =>
  v.object({ ...pageOf(row).entries, currency: v.string(), dateFrom: day, dateTo: day, totals: figures, freshness })

/** A point for every day of the range. */
export const chart = v.object({
  currency: v.string(),
  dateFrom: day,
  dateTo: day,
  freshness,
  points: v.array(v.object({ date: day, ...figureEntries })),
})
export type CampaignChart = v.InferOutput<typeof chart>
