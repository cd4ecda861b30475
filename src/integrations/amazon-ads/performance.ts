import {
  type AttributedSums,
  fieldOf,
  measuredMetrics,
  measuredNames,
  type MeasuredName,
  type TrafficSums,
} from '#shared/metrics.ts'
import { toMicros } from '#shared/money.ts'
import type { Placement } from './entities/bidding.ts'

// What the reports and the hourly stream have in common.

/** The attributed metrics by attribution window in days. There are windows of 1 and 30 days, too, by which nothing counts. */
export type Windows = Record<'7' | '14', AttributedSums>

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
export const attributedSources: readonly FieldSource[] = fields.filter(isAttributed)

export const windowDays = ['7', '14'] as const
type Days = (typeof windowDays)[number]

/** The name of a column or field for an attribution window: `sales*` becomes `sales7d`. */
export const inWindow = (name: string, days: Days): string => name.replace('*', `${days}d`)

/** A value in a report's row or a stream's record. */
export type Cell = string | number | boolean | null | undefined

/** The fields of ours in a record; each has the first of its cells that is not empty, or 0; money becomes micros. */
interface FieldCells {
  field: string
  isMoney: boolean
  cells: readonly string[]
}
/** Which cells of a record the metrics are in. Named once and not for each record: a large account's day has half a million. */
export interface MetricCells {
  traffic: readonly FieldCells[]
  windows: Readonly<Record<Days, readonly FieldCells[]>>
}

/** Finds the metrics in records whose `columns` of a source are named, the first that may have a value first. */
export function metricCells(columns: (source: MetricSource, days: Days | null) => (string | undefined)[]): MetricCells {
  const cellsOf = (sources: readonly FieldSource[], days: Days | null) =>
    sources.map(source => ({
      field: source.field,
      isMoney: source.field.endsWith('Micros'),
      cells: columns(source, days).flatMap(name => (name ? [days ? inWindow(name, days) : name] : [])),
    }))
  return {
    traffic: cellsOf(trafficSources, null),
    windows: { 7: cellsOf(attributedSources, '7'), 14: cellsOf(attributedSources, '14') },
  }
}

function readFields(fields: readonly FieldCells[], record: object): Record<string, number> {
  const cellsOf = record as Readonly<Record<string, Cell>>
  const sums: Record<string, number> = {}
  for (const { field, isMoney, cells } of fields) {
    let value: Cell = null
    for (const name of cells) {
      value = cellsOf[name]
      if (value !== null && value !== undefined) break
    }
    if (value === null || value === undefined || value === '' || value === 0) sums[field] = 0
    else if (isMoney) sums[field] = toMicros(typeof value === 'number' ? value : String(value))
    else sums[field] = Number(value)
  }
  return sums
}

/** The metrics without attribution. */
export const readTraffic = ({ traffic }: MetricCells, record: object): TrafficSums =>
  readFields(traffic, record) as unknown as TrafficSums

/** The attributed metrics of each window. */
export const readWindows = ({ windows }: MetricCells, record: object): Windows =>
  ({ 7: readFields(windows[7], record), 14: readFields(windows[14], record) }) as unknown as Windows

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
