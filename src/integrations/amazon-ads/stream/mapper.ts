import type { z } from 'zod'
import { toMicros } from '#shared/money.ts'
import type { ConversionDelta, StreamRecord, TrafficDelta } from './vocabulary.ts'
import type { conversionWire, streamRecordWire, trafficWire } from './wire.ts'

// The stream writes placements in words as the reports do; some accounts get the short form.
const placements: Record<string, NonNullable<TrafficDelta['placement']>> = {
  'Top of Search on-Amazon': 'TOP_OF_SEARCH',
  'Detail Page on-Amazon': 'PRODUCT_PAGE',
  'Other on-Amazon': 'REST_OF_SEARCH',
  'Off Amazon': 'OFF_AMAZON',
  PLACEMENT_TOP: 'TOP_OF_SEARCH',
  PLACEMENT_PRODUCT_PAGE: 'PRODUCT_PAGE',
  PLACEMENT_REST_OF_SEARCH: 'REST_OF_SEARCH',
}

type Hourly = Omit<z.output<typeof trafficWire>, 'dataset_id'>

const hourly = (
  wire: Pick<
    Hourly,
    | 'idempotency_id'
    | 'advertiser_id'
    | 'marketplace_id'
    | 'campaign_id'
    | 'ad_group_id'
    | 'ad_id'
    | 'keyword_id'
    | 'target_id'
    | 'placement'
    | 'placement_type'
    | 'currency'
    | 'time_window_start'
  >,
) => ({
  idempotencyId: wire.idempotency_id,
  advertiserId: wire.advertiser_id,
  marketplaceId: wire.marketplace_id,
  campaignId: wire.campaign_id,
  adGroupId: wire.ad_group_id,
  adId: wire.ad_id,
  targetId: wire.keyword_id ?? wire.target_id ?? '',
  placement: placements[wire.placement ?? wire.placement_type ?? ''] ?? null,
  currency: wire.currency,
  hour: wire.time_window_start,
})

type Days = '1' | '7' | '14' | '30'

const windowOf = (wire: z.output<typeof conversionWire>, days: Days): ConversionDelta['windows'][Days] => ({
  orders: wire[`attributed_conversions_${days}d`] ?? 0,
  units: wire[`attributed_units_ordered_${days}d`] ?? 0,
  salesMicros: toMicros(wire[`attributed_sales_${days}d`] ?? 0),
  sameSkuOrders: wire[`attributed_conversions_${days}d_same_sku`] ?? 0,
  sameSkuUnits: wire[`attributed_units_ordered_${days}d_same_sku`] ?? 0,
  sameSkuSalesMicros: toMicros(wire[`attributed_sales_${days}d_same_sku`] ?? 0),
})

export const fromStreamRecord = (wire: z.output<typeof streamRecordWire>): StreamRecord => {
  switch (wire.dataset_id) {
    case 'sp-traffic':
    case 'sb-traffic':
    case 'sd-traffic':
      return {
        dataset: wire.dataset_id,
        ...hourly(wire),
        keywordText: wire.keyword_text ?? wire.targeting_text ?? null,
        matchType: wire.match_type ?? wire.keyword_type ?? null,
        impressions: wire.impressions,
        clicks: wire.clicks,
        costMicros: toMicros(wire.cost),
      }
    case 'sp-conversion':
    case 'sb-conversion':
    case 'sd-conversion':
      return {
        dataset: wire.dataset_id,
        ...hourly(wire),
        windows: { 1: windowOf(wire, '1'), 7: windowOf(wire, '7'), 14: windowOf(wire, '14'), 30: windowOf(wire, '30') },
      }
    case 'budget-usage':
      return {
        dataset: wire.dataset_id,
        advertiserId: wire.advertiser_id,
        marketplaceId: wire.marketplace_id,
        scopeId: wire.budget_scope_id,
        scopeType: wire.budget_scope_type,
        product: wire.advertising_product_type,
        budgetMicros: toMicros(wire.budget),
        usagePercent: wire.budget_usage_percentage,
        updatedAt: wire.usage_updated_timestamp,
      }
  }
}
