import {
  type AttributedSums,
  fieldOf,
  measuredMetrics,
  measuredNames,
  type MeasuredName,
  type TrafficSums,
} from '#shared/metrics.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import type { Placement } from './entities/bidding.ts'

// What the reports and the hourly stream have in common.

/** The attributed metrics of a window, with those of the advertised product itself, which are read but not stored. */
export interface WindowFigures extends AttributedSums {
  sameSkuOrders: number
  sameSkuUnits: number
  sameSkuSalesMicros: Micros
}
/** By attribution window in days. */
export type Windows = Record<'1' | '7' | '14' | '30', WindowFigures>

/**
 * Where the marketplace reports a metric; `*` stands for the attribution window, for instance `7d`. A report without the
 * metric is left out.
 */
export interface MetricSource {
  /** Column in the reports of Sponsored Products. */
  products?: string
  /** Column in their report of purchased products. */
  productsPurchases?: string
  /** Column in the reports of Sponsored Brands and Display, which have one window of 14 days. */
  brandsAndDisplay?: string
  /** Column in the Sponsored Brands report of purchased products. */
  brandsPurchases?: string
  /** Field of the hourly stream. */
  stream?: string
  /** Field of the hourly stream of Sponsored Brands and Display for 14 days, with what followed a view, as in the reports. */
  streamWithViews?: string
}

const sources: Readonly<Record<MeasuredName, MetricSource>> = {
  impressions: { products: 'impressions', brandsAndDisplay: 'impressions', stream: 'impressions' },
  clicks: { products: 'clicks', brandsAndDisplay: 'clicks', stream: 'clicks' },
  cost: { products: 'cost', brandsAndDisplay: 'cost', stream: 'cost' },
  sales: {
    products: 'sales*',
    productsPurchases: 'sales*',
    brandsAndDisplay: 'sales',
    brandsPurchases: 'sales14d',
    stream: 'attributed_sales_*',
    streamWithViews: 'view_attributed_sales_14d',
  },
  orders: {
    products: 'purchases*',
    productsPurchases: 'purchases*',
    brandsAndDisplay: 'purchases',
    brandsPurchases: 'orders14d',
    stream: 'attributed_conversions_*',
    streamWithViews: 'view_attributed_conversions_14d',
  },
  units: {
    products: 'unitsSoldClicks*',
    productsPurchases: 'unitsSoldClicks*',
    brandsAndDisplay: 'unitsSold',
    brandsPurchases: 'unitsSold14d',
    stream: 'attributed_units_ordered_*',
    streamWithViews: 'view_attributed_units_ordered_14d',
  },
}

interface FieldSource extends MetricSource {
  /** The field of our sums. */
  field: string
}

const isAttributed = (field: FieldSource & { isAttributed: boolean }) => field.isAttributed
const fields = measuredNames.map(name => ({
  field: fieldOf(name) as string,
  isAttributed: measuredMetrics[name].isAttributed as boolean,
  ...sources[name],
}))

export const trafficSources: readonly FieldSource[] = fields.filter(field => !isAttributed(field))
export const attributedSources: readonly FieldSource[] = [
  ...fields.filter(isAttributed),
  { field: 'sameSkuOrders', products: 'purchasesSameSku*', stream: 'attributed_conversions_*_same_sku' },
  { field: 'sameSkuUnits', products: 'unitsSoldSameSku*', stream: 'attributed_units_ordered_*_same_sku' },
  { field: 'sameSkuSalesMicros', products: 'attributedSalesSameSku*', stream: 'attributed_sales_*_same_sku' },
]

export const windowDays = ['1', '7', '14', '30'] as const
type Days = (typeof windowDays)[number]

/** The name of a column or field for an attribution window: `sales*` becomes `sales7d`. */
export const inWindow = (name: string, days: Days): string => name.replace('*', `${days}d`)

/** A value in a report's row or a stream's record. */
export type Cell = string | number | boolean | null | undefined

/** Reads fields of ours: `read` finds the cell of a source, which counts as 0 when it is empty; money becomes micros. */
function readFields(sources: readonly FieldSource[], read: (source: FieldSource) => Cell): Record<string, number> {
  return Object.fromEntries(
    sources.map(source => {
      const cell = read(source)
      const value = cell === null || cell === undefined || cell === '' ? 0 : cell
      const isMoney = source.field.endsWith('Micros')
      return [source.field, isMoney ? toMicros(typeof value === 'number' ? value : String(value)) : Number(value)]
    }),
  )
}

/** The metrics without attribution. */
export function readTraffic(read: (source: FieldSource) => Cell): TrafficSums {
  return readFields(trafficSources, read) as unknown as TrafficSums
}

/** The attributed fields of each window. */
export function readWindows(read: (source: FieldSource, days: Days) => Cell): Windows {
  return Object.fromEntries(
    windowDays.map(days => [days, readFields(attributedSources, source => read(source, days))]),
  ) as unknown as Windows
}

/** Where an ad was shown, by its name in reports and in the stream; some accounts get the short form in the stream. */
export const placements: Readonly<Record<string, Placement | 'OFF_AMAZON'>> = {
  'Top of Search on-Amazon': 'TOP_OF_SEARCH',
  'Detail Page on-Amazon': 'PRODUCT_PAGE',
  'Other on-Amazon': 'REST_OF_SEARCH',
  'Off Amazon': 'OFF_AMAZON',
  PLACEMENT_TOP: 'TOP_OF_SEARCH',
  PLACEMENT_PRODUCT_PAGE: 'PRODUCT_PAGE',
  PLACEMENT_REST_OF_SEARCH: 'REST_OF_SEARCH',
}
