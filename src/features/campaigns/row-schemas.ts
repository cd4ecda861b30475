import * as v from 'valibot'
import { ad, adGroup, campaign, target } from '#features/structure/contract.ts'
import { figureEntries, freshness } from '#shared/figure-schemas.ts'
import { day, pageOf } from '#shared/query-schemas.ts'

export { figureEntries } from '#shared/figure-schemas.ts'

const figures = v.object(figureEntries)
export type RowFigures = v.InferOutput<typeof figures>

export const campaignRow = v.object({ ...campaign.entries, ...figureEntries })
export type CampaignRow = v.InferOutput<typeof campaignRow>
export const adGroupRow = v.object({ ...adGroup.entries, ...figureEntries })
export type AdGroupRow = v.InferOutput<typeof adGroupRow>
export const adRow = v.object({ ...ad.entries, ...figureEntries })
export type AdRow = v.InferOutput<typeof adRow>
export const targetRow = v.object({ ...target.entries, ...figureEntries })
export type TargetRow = v.InferOutput<typeof targetRow>

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
