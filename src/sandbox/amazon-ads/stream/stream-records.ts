import { createHash } from 'node:crypto'
import { fromMicros } from '#shared/money.ts'
import type { Books, Campaign, Profile } from '../../core/model.ts'
import { placementNames } from '../placement-names.ts'
import { keywordTypeOf, targetingText } from '../reports/report-line.ts'
import type { HourSum } from './hour-sums.ts'

/** A record of a dataset, in the vendor's fields; the names and types are those of the published datasets. */
export type StreamRecord = Record<string, string | number>

const common = (dataset: string, profile: Profile, { fact, hour }: HourSum): StreamRecord => ({
  dataset_id: dataset,
  marketplace_id: profile.marketplaceId,
  currency: profile.currency,
  advertiser_id: profile.sellerId,
  campaign_id: fact.campaignId,
  ad_group_id: fact.adGroupId,
  ad_id: fact.adId,
  keyword_id: fact.targetId,
  placement: placementNames[fact.placement],
  time_window_start: hour.toISOString().replace('.000Z', 'Z'),
})

/** Equal for the same change of the same hour, however often it is told. */
const withId = (record: StreamRecord, asOf: Date): StreamRecord => {
  const hash = createHash('sha256').update(`${asOf.toISOString()}${JSON.stringify(record)}`)
  return { idempotency_id: hash.digest('hex').slice(0, 32), ...record }
}

export const trafficRecord = (books: Books, profile: Profile, delta: HourSum, asOf: Date): StreamRecord => {
  const clause = books.keywords.get(delta.fact.targetId) ?? books.targets.get(delta.fact.targetId)
  return withId(
    {
      ...common('sp-traffic', profile, delta),
      keyword_text: targetingText(books, clause) ?? '',
      match_type: keywordTypeOf(clause) ?? '',
      clicks: delta.clicks,
      impressions: delta.impressions,
      cost: fromMicros(delta.costMicros),
    },
    asOf,
  )
}

export const conversionRecord = (profile: Profile, delta: HourSum, asOf: Date): StreamRecord => {
  const figures: StreamRecord = {}
  for (const [window, sum] of Object.entries(delta.windows)) {
    const days = `${window.slice(1)}d`
    figures[`attributed_conversions_${days}`] = sum.orders
    figures[`attributed_conversions_${days}_same_sku`] = sum.sameOrders
    figures[`attributed_sales_${days}`] = fromMicros(sum.salesMicros)
    figures[`attributed_sales_${days}_same_sku`] = fromMicros(sum.sameSalesMicros)
    figures[`attributed_units_ordered_${days}`] = sum.units
    figures[`attributed_units_ordered_${days}_same_sku`] = sum.sameUnits
  }
  return withId({ ...common('sp-conversion', profile, delta), ...figures }, asOf)
}

export const budgetRecord = (profile: Profile, campaign: Campaign, share: number, asOf: Date): StreamRecord => ({
  dataset_id: 'budget-usage',
  marketplace_id: profile.marketplaceId,
  advertiser_id: profile.sellerId,
  budget_scope_id: campaign.campaignId,
  budget_scope_type: 'CAMPAIGN',
  advertising_product_type: 'SP',
  budget: fromMicros(campaign.budgetMicros),
  budget_usage_percentage: Math.round(share * 10_000) / 100,
  usage_updated_timestamp: asOf.toISOString(),
})
