import { fromMicros } from '#shared/money.ts'
import type { Profile } from '../../../core/model/store.ts'
import { placementNames } from '../../placement-names.ts'
import type { AdProduct } from '../../../market/market.ts'
import { type Window, windows } from '../../reports/rows/sums.ts'
import { hasOrders, hasTraffic, type HourSum } from '../hour-sums.ts'
import { hourText, recordOf, type StreamRecord, withIdempotencyId } from './record.ts'

type Fields = Record<string, string | number>

/** A dataset of hourly changes: which of them it reports, and in which fields. */
interface Performance {
  adProduct: AdProduct
  includes(delta: HourSum): boolean
  names(delta: HourSum): Fields
  figures(delta: HourSum): Fields
}

function ids({ fact }: HourSum): Fields {
  return {
    campaign_id: fact.campaignId,
    ad_group_id: fact.adGroupId,
    ad_id: fact.adId,
  }
}
function productsNames(delta: HourSum): Fields {
  return {
    ...ids(delta),
    keyword_id: delta.fact.targetId,
    placement: placementNames[delta.fact.placement],
  }
}
function brandNames(delta: HourSum): Fields {
  return {
    ...ids(delta),
    keyword_id: delta.fact.targetId,
    keyword_text: delta.subject.clause?.text ?? '',
    keyword_type: delta.subject.clause?.type ?? '',
    placement_type: placementNames[delta.fact.placement],
  }
}
const displayNames = (delta: HourSum): Fields => ({ ...ids(delta), target_id: delta.fact.targetId })

function trafficOf({ clicks, impressions, costMicros }: HourSum): Fields {
  return {
    clicks,
    impressions,
    cost: fromMicros(costMicros),
  }
}

function clickOrders({ windows: sums }: HourSum, reported: readonly Window[]): Fields {
  const figures: Fields = {}
  for (const window of reported) {
    const [sum, days] = [sums[window], `${window.slice(1)}d`]
    figures[`attributed_conversions_${days}`] = sum.clickOrders
    figures[`attributed_conversions_${days}_same_sku`] = sum.clickSameOrders
    figures[`attributed_sales_${days}`] = fromMicros(sum.clickSalesMicros)
    figures[`attributed_sales_${days}_same_sku`] = fromMicros(sum.clickSameSalesMicros)
    figures[`attributed_units_ordered_${days}`] = sum.clickUnits
    figures[`attributed_units_ordered_${days}_same_sku`] = sum.clickSameUnits
  }
  return figures
}

/** Orders within 14 days of a click or view (`view_…`), and those of buyers new to the brand. */
function viewOrders({ windows: { d14 } }: HourSum): Fields {
  return {
    view_attributed_conversions_14d: d14.orders,
    view_attributed_sales_14d: fromMicros(d14.salesMicros),
    view_attributed_units_ordered_14d: d14.units,
    view_attributed_orders_new_to_brand_14d: d14.newOrders,
    view_attributed_sales_new_to_brand_14d: fromMicros(d14.newSalesMicros),
    view_attributed_units_ordered_new_to_brand_14d: d14.newUnits,
    attributed_orders_new_to_brand_14d: d14.clickNewOrders,
    attributed_sales_new_to_brand_14d: fromMicros(d14.clickNewSalesMicros),
    attributed_units_ordered_new_to_brand_14d: d14.clickNewUnits,
  }
}

const without = (fields: Fields, unwanted: RegExp): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !unwanted.test(name)))

const performances: Readonly<Record<string, Performance>> = {
  'sp-traffic': {
    adProduct: 'SPONSORED_PRODUCTS',
    includes: hasTraffic,
    names: delta => ({
      ...productsNames(delta),
      keyword_text: delta.subject.clause?.text ?? '',
      match_type: delta.subject.clause?.type ?? '',
    }),
    figures: trafficOf,
  },
  'sp-conversion': {
    adProduct: 'SPONSORED_PRODUCTS',
    includes: hasOrders,
    names: productsNames,
    figures: delta => clickOrders(delta, windows),
  },
  'sb-traffic': {
    adProduct: 'SPONSORED_BRANDS',
    includes: hasTraffic,
    names: brandNames,
    figures: delta => ({ ...trafficOf(delta), viewable_impressions: delta.viewableImpressions }),
  },
  'sb-conversion': {
    adProduct: 'SPONSORED_BRANDS',
    includes: hasOrders,
    names: brandNames,
    figures: delta => ({
      ...without(clickOrders(delta, ['d14']), /units_ordered_14d_same_sku/),
      ...viewOrders(delta),
    }),
  },
  'sb-clickstream': {
    adProduct: 'SPONSORED_BRANDS',
    includes: delta => delta.detailPageViews !== 0 || delta.brandedSearches !== 0,
    names: brandNames,
    figures: delta => ({
      view_attributed_branded_searches_14d: delta.brandedSearches,
      attributed_branded_searches_14d: delta.brandedSearches,
      view_attributed_detail_page_views_14d: delta.detailPageViews,
      attributed_detail_page_views_14d: delta.detailPageViews,
    }),
  },
  'sb-rich-media': {
    adProduct: 'SPONSORED_BRANDS',
    includes: delta => delta.firstQuartileViews !== 0 || delta.fiveSecondViews !== 0,
    names: brandNames,
    figures: delta => ({
      video_5_second_views: delta.fiveSecondViews,
      video_complete_views: delta.completeViews,
      video_first_quartile_views: delta.firstQuartileViews,
      video_midpoint_views: delta.midpointViews,
      video_third_quartile_views: delta.thirdQuartileViews,
      video_unmutes: delta.unmutes,
    }),
  },
  'sd-traffic': {
    adProduct: 'SPONSORED_DISPLAY',
    includes: hasTraffic,
    names: delta => ({ ...displayNames(delta), targeting_text: delta.subject.clause?.text ?? '' }),
    figures: delta => ({
      ...trafficOf(delta),
      view_impressions: delta.subject.campaign.costType === 'VCPM' ? delta.viewableImpressions : 0,
    }),
  },
  'sd-conversion': {
    adProduct: 'SPONSORED_DISPLAY',
    includes: hasOrders,
    names: displayNames,
    figures: delta => ({
      ...without(clickOrders(delta, windows), /units_ordered_\d+d_same_sku/),
      ...viewOrders(delta),
    }),
  },
}

// Their tables name no currency.
const noCurrency = new Set(['sb-clickstream', 'sb-rich-media'])

/** The ad product of an hourly dataset; null for other datasets. */
export const productOf = (dataset: string): AdProduct | null => performances[dataset]?.adProduct ?? null

/** The records of an hourly dataset for what was learnt by `asOf`; none when the dataset is of another kind. */
export function performanceRecords(
  dataset: string,
  profile: Profile,
  deltas: readonly HourSum[],
  asOf: Date,
): StreamRecord[] {
  const performance = performances[dataset]
  if (!performance) return []
  return deltas
    .filter(delta => delta.subject.adProduct === performance.adProduct && performance.includes(delta))
    .map(delta =>
      withIdempotencyId(
        {
          ...recordOf(dataset, profile),
          ...(!noCurrency.has(dataset) && { currency: profile.currency }),
          ...performance.names(delta),
          time_window_start: hourText(delta.fact.at),
          ...performance.figures(delta),
        },
        asOf,
      ),
    )
}
